#pragma once
// Which program this is.

namespace spillway::cli {

/// The project's version, and in a git checkout the commit: "0.1.0+a1b2c3d", with ".dirty" if files differ from it.
extern const char* const kVersion;
/// Name and version of the compiler.
extern const char* const kCompiler;

}  // namespace spillway::cli
