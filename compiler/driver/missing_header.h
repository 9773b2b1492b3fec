// What to say to a program that includes a header of NVIDIA's which Reprise does not have.
#pragma once

#include <string>

namespace reprise::driver {

// A note to follow clang's "'x' file not found" in that line, or nothing where x is none of NVIDIA's.
std::string note_on_missing_header(const std::string& message_line);

}  // namespace reprise::driver
