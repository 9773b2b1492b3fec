// Block-level operations between regions. A plain barrier is the boundary between two loops over threads; a reducing
// barrier and a grid barrier emit code there that runs once.
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
  BlockOperations(RegionGraph& graph, ScalarValues& scalars, ThreadSpillSlots& slots, const PollingLoops& polling)
      : graph_(graph), scalars_(scalars), slots_(slots), polling_(polling) {}

  void capture_operands();
  void emit(const ExitedThreads& exited);

 private:
  struct Reduction {
    llvm::CallInst* call;
    SpillSlot predicates;
    llvm::Value* operation;
  };
  void emit(const Reduction& reduction, const ExitedThreads& exited);

  RegionGraph& graph_;
  ScalarValues& scalars_;
  ThreadSpillSlots& slots_;
  const PollingLoops& polling_;
  std::vector<Reduction> reductions_;
};

}  // namespace reprise_compiler::device
