// Notes that explain errors in programs that use something Reprise lacks: an NVIDIA header, or dynamic parallelism.
#pragma once

#include <string>

namespace reprise_compiler::driver {

// Returns a note to print after clang's "'x' file not found"; empty when x is not an NVIDIA header.
std::string note_on_missing_header(const std::string& message_line);

// Returns a note to print after clang's error about a kernel that launches another; empty for other messages.
std::string note_on_nested_launch(const std::string& message_line);

}  // namespace reprise_compiler::driver
