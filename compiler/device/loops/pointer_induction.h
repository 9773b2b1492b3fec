// Rewrites loops whose induction variable is a pointer to count an index instead.
//
//   for (p = x + tid; p < end; p += step)            for (i = tid; i < end - x; i += step)
//     work(p)                                 ->       work(x + i)
//
// loops/uniform_trip_count.h and loops/thread_interchange.h then handle them like other loops. Other pointers with the
// same step use the same index.
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

void rewrite_pointer_induction(llvm::Function& body);

}  // namespace reprise_compiler::device
