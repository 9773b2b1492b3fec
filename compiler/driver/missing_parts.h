// What to say to a program that uses what Reprise does not have: a header of NVIDIA's, kernels launched by kernels.
#pragma once

#include <string>

namespace reprise_compiler::driver {

// A note to follow clang's "'x' file not found" in that line, or nothing where x is none of NVIDIA's.
std::string note_on_missing_header(const std::string& message_line);

// A note to follow clang's words about a kernel that launches another.
std::string note_on_nested_launch(const std::string& message_line);

}  // namespace reprise_compiler::driver
