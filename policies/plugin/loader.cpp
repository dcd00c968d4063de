#include "policies/plugin/loader.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "policies/plugin/declaration.hpp"
#include "policies/plugin/plugin_policy.hpp"
#include "policies/plugin/sha256.hpp"

namespace spillway::plugin {
namespace {

const std::string kHowToBuild =
    "write SPILLWAY_EXPORT_POLICIES once; in C, SPILLWAY_PLUGIN and spillway_register_policies()";

LoadedPlugin refuse(std::string error, std::string hint = {}) { return {{}, std::move(error), std::move(hint)}; }

// Empty, with the reason, where the file is no shared object.
std::string read_shared_object(const std::string& path, std::string& error) {
  std::error_code code;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, code)) {
    error = !std::filesystem::exists(path, code)        ? "does not exist"
            : std::filesystem::is_directory(path, code) ? "is a folder"
                                                        : "cannot be read";
    return {};
  }
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (content.starts_with("\177ELF")) return content;
  error = "is no shared object";
  return {};
}

std::vector<CodeRange> code_of(void* handle) {
  struct Search {
    std::uintptr_t base = 0;
    std::vector<CodeRange> found;
  } search;
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return {};
  search.base = map->l_addr;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (info->dlpi_addr != wanted.base) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
            wanted.found.push_back({begin, begin + part.p_memsz});
        }
        return 1;
      },
      &search);
  return search.found;
}

/// What a plug-in registers with; keeps the declarations.
struct Collector {
  spillway_registry registry{};  // first, so that a pointer to it is one to this
  std::vector<Declaration> declared;
  std::string error;

  Collector() {
    registry = {.size = sizeof(spillway_registry), .abi_version = SPILLWAY_ABI_VERSION, .add = &Collector::add};
  }

  static int add(spillway_registry* registry, const spillway_policy* policy) {
    auto& self = *reinterpret_cast<Collector*>(registry);
    Declaration declaration = read_declaration(policy);
    for (const Declaration& other : self.declared)
      if (declaration.error.empty() && other.info.name == declaration.info.name)
        declaration.error = "registers two policies called \"" + other.info.name + "\"";
    if (!declaration.error.empty()) {
      if (self.error.empty()) self.error = declaration.error;
      return 1;
    }
    self.declared.push_back(std::move(declaration));
    return 0;
  }
};

// The version is data: looking at it calls nothing.
std::string why_wrong_version(void* handle, std::string& hint) {
  const auto* abi = static_cast<const spillway_abi*>(dlsym(handle, "spillway_plugin_abi"));
  if (abi == nullptr) {
    hint = kHowToBuild;
    return "is no plug-in: it has no symbol spillway_plugin_abi";
  }
  const bool sized = SPILLWAY_HAS(spillway_abi, abi, version);
  if (sized && abi->version == SPILLWAY_ABI_VERSION) return "";
  hint = "build it again with this version's headers";
  return "was built for version " + (sized ? std::to_string(abi->version) : "?") +
         " of the plug-in contract; this program has version " + std::to_string(SPILLWAY_ABI_VERSION);
}

std::string collect(void* handle, const Guarded& object, Collector& collector, std::string& hint) {
  using Register = int (*)(spillway_registry*);
  const auto entry = reinterpret_cast<Register>(dlsym(handle, "spillway_register_policies"));
  if (entry == nullptr) {
    hint = kHowToBuild;
    return "is no plug-in: it has no function spillway_register_policies";
  }
  take_signals();
  const GuardedEnd end = call_guarded(object, entry, &collector.registry);
  if (end.kind != GuardedEnd::Kind::returned)
    return "cannot be used: spillway_register_policies() " + describe(end, object.limits);
  if (!collector.error.empty()) return collector.error;
  if (end.value != 0) return "cannot be used: spillway_register_policies() returned " + std::to_string(end.value);
  return collector.declared.empty() ? "registers no policy" : "";
}

}  // namespace

LoadedPlugin load_plugin(const std::string& path, const GuardLimits& limits) {
  std::string error, hint;
  const std::string content = read_shared_object(path, error);
  if (!error.empty()) return refuse(error);
  const std::string absolute = std::filesystem::absolute(path).string();
  void* handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::string why = dlerror();  // NOLINT(concurrency-mt-unsafe): per thread in every C library that we know
    if (why.starts_with(absolute + ": ")) why.erase(0, absolute.size() + 2);
    return refuse("cannot be loaded: " + why);
  }
  auto object = std::make_shared<const Guarded>(Guarded{code_of(handle), limits});
  Collector collector;
  error = why_wrong_version(handle, hint);
  if (error.empty()) error = collect(handle, *object, collector, hint);
  if (!error.empty()) return refuse(error, hint);

  LoadedPlugin loaded;
  const std::string hash = sha256(content);
  for (Declaration& declaration : collector.declared) {
    PolicyInfo info = std::move(declaration.info);
    info.plugin = {path, hash};
    info.make = [object, policy = declaration.policy, parameters = info.parameters](
                    const Machine& machine, const ParameterValues& values) -> std::unique_ptr<Policy> {
      return make_plugin_policy(object, policy, parameters, machine, values);
    };
    loaded.policies.push_back(std::move(info));
  }
  return loaded;
}

}  // namespace spillway::plugin
