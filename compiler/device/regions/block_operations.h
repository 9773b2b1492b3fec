// Barriers of the block between regions. A plain barrier needs nothing more than the end of one loop over threads and
// the start of the next; the others do something once in between.
//
//   region A:  ...                                     region A:  in[t] = %p
//   sync:      %n = __syncthreads_count(%p)       ->   sync:      %n = sum of in[0 .. threads)
#pragma once

#include "regions/exited_threads.h"
#include "regions/polling_loops.h"
#include "regions/region_values.h"
#include "regions/scalar_values.h"
#include "regions/spill_slots.h"

namespace reprise_compiler::device {

class BlockOperations {
 public:
  BlockOperations(Skeleton& skeleton, ScalarValues& scalars, ThreadSlots& slots, const WaitingLoops& waiting)
      : skeleton_(skeleton), scalars_(scalars), slots_(slots), waiting_(waiting) {}

  void capture_operands();
  void emit(const ExitedThreads& exited);

 private:
  struct Reduction {
    llvm::CallInst* call;
    Slot predicates;
    llvm::Value* operation;
  };
  void emit(const Reduction& reduction, const ExitedThreads& exited);

  Skeleton& skeleton_;
  ScalarValues& scalars_;
  ThreadSlots& slots_;
  const WaitingLoops& waiting_;
  std::vector<Reduction> reductions_;
};

}  // namespace reprise_compiler::device
