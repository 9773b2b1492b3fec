// Merges the diagnostics of the host and the device pass over a .cu file, so that each message appears once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace reprise_compiler::driver {

struct MergedDiagnostics {
  std::string text;
  int errors = 0;
};

// Returns the messages of several passes over one source, in order and without duplicates: messages with the same
// location, severity and text are equal. Clang's counts ("1 error generated when compiling for host.") are dropped.
MergedDiagnostics merge_diagnostics(const std::vector<std::string>& passes);

// An error or note of clang with a location in a source.
struct LocatedMessage {
  std::string file;  // absolute and normalised, so that each file has one name however it was included
  std::size_t line, column;
  bool is_error;
  std::string words;
};
std::vector<LocatedMessage> located_messages(const std::vector<std::string>& passes);

// Removes the escape sequences that clang writes for a terminal.
std::string without_colours(const std::string& text);

}  // namespace reprise_compiler::driver
