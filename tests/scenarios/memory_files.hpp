#pragma once
// Scenarios from text, with files that are in memory: tests say in one place what the loader finds.

#include <map>
#include <string>
#include <vector>

#include "scenarios/load.hpp"

namespace spillway::test {

using Files = std::map<std::string, std::string>;

inline scenarios::Environment memory_environment(const Files& files) {
  scenarios::Environment environment = scenarios::real_environment();
  environment.read_file = [files](const std::string& path, std::string& error) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found != files.end()) return found->second;
    error = "does not exist";
    return std::nullopt;
  };
  return environment;
}

struct Loaded {
  std::optional<Scenario> scenario;
  Diagnostics diagnostics;
  std::string messages() const { return diagnostics.to_string(); }
};

inline Loaded load(const std::string& text, const std::vector<Override>& overrides = {}, const Files& files = {},
                   const std::string& name = "test.toml") {
  Loaded loaded;
  loaded.scenario = scenarios::load(text, name, overrides, PolicyRegistry::with_builtin(), memory_environment(files),
                                    loaded.diagnostics);
  return loaded;
}

inline Override set(std::string key, std::string value) { return {std::move(key), std::move(value), "--set"}; }

/// A complete scenario of eight CPUs in two nodes; `extra` stands before its first case.
inline std::string minimal(const std::string& extra = "", const std::string& in_job = "") {
  return "format = 1\nmachine.synthetic = \"package:2 [numa] l3:1 core:4 pu:1\"\n" + extra +
         "\n[[case]]\nname = \"one\"\n[[case.job]]\nrw = \"randread\"\n" + in_job;
}

}  // namespace spillway::test
