#pragma once
// Writing a file so that nobody ever sees half of it: a temporary file in the same folder, then a rename.

#include <functional>
#include <string>
#include <string_view>

namespace spillway::report {

/// "" on success, else why not; a file that was there before is then as it was.
std::string write_file_atomically(const std::string& path, std::string_view content);

/// The same for what does not fit into memory: `fill` puts piece after piece and says why it cannot go on, or "". A
/// piece after one that could not be written is dropped.
using PutPiece = std::function<void(std::string_view piece)>;
std::string write_file_atomically(const std::string& path, const std::function<std::string(const PutPiece& put)>& fill);

/// "" where write_file_atomically can be expected to succeed, else why not. Leaves nothing behind.
std::string why_not_writable(const std::string& path);

}  // namespace spillway::report
