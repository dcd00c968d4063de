#include "scenarios/cost_file.hpp"

#include "scenarios/build.hpp"

namespace spillway {

std::optional<CostFile> load_cost_file(const std::string& path, Diagnostics& diagnostics) {
  const auto settings = scenarios::read_cost_file(path, {}, scenarios::real_environment(), diagnostics);
  if (!settings) return std::nullopt;
  CostFile file{scenarios::build_costs(scenarios::Layers({&*settings})), {}};
  for (const CostDecl& decl : cost_declarations())
    if (settings->contains("costs." + std::string(decl.name))) file.named.emplace(decl.name);
  return file;
}

}  // namespace spillway
