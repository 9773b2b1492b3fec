// Who called, for explanations: functions by name where the program still has its symbols.
#pragma once

#include <string>

namespace reprise_runtime::diagnose {

// "train(float*)+0x3d (a.out+0x14c3d)": the second is what addr2line -e takes.
std::string describe_address(const void* instruction);

// The user's functions on the calling thread's stack, innermost first: "f+0x12 (...) < main+0x40 (...)". The runtime's
// own are left out.
std::string describe_stack();

}  // namespace reprise_runtime::diagnose
