// Describes the callers of a refused call: functions by name and, where the program has debug information, by line.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <string>

namespace reprise_runtime::diagnose {

// "train(float*)+0x3d (a.out+0x14c3d) at train.cu:42". addr2line -e takes the second number.
std::string describe_address(const void* instruction);

// The user's functions on the calling thread's stack, innermost first: "f+0x12 (...) < main+0x40 (...)". Leaves out the
// runtime's own.
std::string describe_stack();

}  // namespace reprise_runtime::diagnose
