// Makes each region a loop over the threads of the block.
//
//   prologue -> enter -> ... -> next
//                            |
//                            v
//   prologue -> for z -> for y -> for x { enter -> ... } -> next
//
// The loop over x is declared free of dependences between its iterations: threads do not depend on each other between
// two barriers.
#pragma once

#include "skeleton.h"

namespace reprise::device {

void wrap_in_thread_loop(Skeleton& skeleton, Region& region);

// Only moves to other nodes: nothing that a thread would do.
bool does_nothing(const Region& region);
void bypass(Skeleton& skeleton, Region& region);

// Puts the accesses of a region that are independent between threads in a group, and names it at the loop's end.
llvm::MDNode* group_accesses(llvm::ArrayRef<llvm::BasicBlock*> blocks);
void declare_parallel(llvm::BranchInst* latch, llvm::MDNode* group);

}  // namespace reprise::device
