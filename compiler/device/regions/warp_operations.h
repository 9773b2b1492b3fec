// Warp operations between regions: every lane stores its operand to an array of 32 elements, and the operation works on
// the whole array as a vector.
//
//   region A:  %v = ...                               region A:  in[lane] = %v
//   sync:      %r = shfl_down(%v, 16)            ->   sync:      out = shufflevector in, <16 17 ... 31 16 17 ... 31>
//   region B:  use of %r                              region B:  %r = out[lane]
//
// Warp-uniform operands and results stay scalars.
#pragma once

#include <llvm/IR/ValueHandle.h>

#include "regions/exited_threads.h"
#include "regions/polling_loops.h"
#include "regions/region_loops.h"
#include "regions/region_values.h"
#include "regions/scalar_values.h"
#include "regions/spill_slots.h"

namespace reprise_compiler::device {

class WarpOperations {
 public:
  WarpOperations(RegionGraph& graph, ScalarValues& scalars, LaneSpillSlots& slots, RegionValues& values,
                 const ExitedThreads& exited, const PollingLoops& polling)
      : graph_(graph), scalars_(scalars), slots_(slots), values_(values), exited_(exited), polling_(polling) {}

  void capture_operands();          // before RegionValues::run(): makes regions store their operands
  void emit(const WarpLoop& warp);  // after regions have become lane loops

 private:
  struct Operand {
    llvm::WeakTrackingVH scalar;  // may be the result of an operation that is emitted earlier; or
    SpillSlot slot;
  };
  struct Operation {
    llvm::CallInst* call;
    std::vector<Operand> operands;
    SpillSlot result;  // has no type if the result is uniform
  };

  Operand capture(llvm::Value* value, llvm::BasicBlock* region_end);
  llvm::Value* all_lanes(llvm::IRBuilder<>& b, const Operand& operand) const;
  llvm::Value* of_lane(llvm::IRBuilder<>& b, const Operand& operand, llvm::Value* lane) const;
  llvm::Value* live_lanes(llvm::IRBuilder<>& b, const WarpLoop& warp) const;
  void for_each_lane(Operation& operation,
                     llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Value* lane)> result_of);
  void emit_shuffle(Operation& operation, llvm::Value* live);
  void emit_ballot(Operation& operation, llvm::Value* live);
  void emit_match(Operation& operation, llvm::Value* live, bool all);
  void emit_reduce(Operation& operation, llvm::Value* live);

  RegionGraph& graph_;
  ScalarValues& scalars_;
  LaneSpillSlots& slots_;
  RegionValues& values_;
  const ExitedThreads& exited_;
  const PollingLoops& polling_;
  std::vector<Operation> operations_;
};

}  // namespace reprise_compiler::device
