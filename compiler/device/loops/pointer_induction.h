// Loops that step a pointer from word to word of the threads, as loops that count.
//
//   for (p = x + tid; p < end; p += step)            for (i = tid; i < end - x; i += step)
//     work(p)                                 ->       work(x + i)
//
// What loops/uniform_trip_count.h and loops/thread_interchange.h then find is a loop like any other. Other pointers
// that step along with it count from the same index.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

void count_in_pointer_loops(llvm::Function& body);

}  // namespace reprise_compiler::device
