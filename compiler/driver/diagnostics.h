// A .cu file is compiled twice, for the host and for the device; the user reads each message once.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

struct MergedDiagnostics {
  std::string text;
  int errors = 0;
};

// The messages of several passes over one source, in order, each once: a message is the same when its place,
// its severity and its words are. Clang's counts ("1 error generated when compiling for host.") are left out.
MergedDiagnostics merge_diagnostics(const std::vector<std::string>& passes);

// What clang wrote for a terminal, as plain text.
std::string without_colours(const std::string& text);

}  // namespace reprise_compiler::driver
