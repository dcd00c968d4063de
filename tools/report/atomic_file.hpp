#pragma once
// Writing a file so that nobody ever sees half of it: a temporary file in the same folder, then a rename.

#include <string>
#include <string_view>

namespace spillway::report {

/// "" on success, else why not; a file that was there before is then as it was.
std::string write_file_atomically(const std::string& path, std::string_view content);

/// "" where write_file_atomically can be expected to succeed, else why not. Leaves nothing behind.
std::string why_not_writable(const std::string& path);

}  // namespace spillway::report
