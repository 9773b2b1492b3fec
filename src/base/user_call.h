// The place in the program that called the runtime, for explanations of what happens later. Entry points that allocate
// and free memory set it.
#pragma once

#include "base/thread_local.h"

namespace reprise_runtime {

// The return address of the latest such call of this thread.
inline REPRISE_THREAD_LOCAL const void* user_call = nullptr;

}  // namespace reprise_runtime
