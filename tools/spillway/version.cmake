# Writes version.cpp at every build, but only if it changes: cmake -D SOURCE= -D OUTPUT= -D VERSION= -D COMPILER= -P
# What the program says it is must be what it was built from, so this cannot wait for the next configuration.

cmake_minimum_required(VERSION 3.25)

set(text "${VERSION}")
set(ENV{GIT_OPTIONAL_LOCKS} 0)
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} -C "${SOURCE}" rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(COMMAND ${GIT} -C "${SOURCE}" diff --quiet HEAD RESULT_VARIABLE dirty ERROR_QUIET)
    string(APPEND text "+${commit}")
    if(dirty)
      string(APPEND text ".dirty")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT "#include \"tools/spillway/version.hpp\"

namespace spillway::cli {
const char* const kVersion = \"@text@\";
const char* const kCompiler = \"@COMPILER@\";
}  // namespace spillway::cli
")
