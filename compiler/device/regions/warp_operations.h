// Warp operations between regions: every lane brings its operand in an array of 32, and the operation works on the
// array as a whole.
//
//   region A:  %v = ...                               region A:  in[lane] = %v
//   sync:      %r = shfl_down(%v, 16)            ->   sync:      out = shufflevector in, <16 17 ... 31 16 17 ... 31>
//   region B:  use of %r                              region B:  %r = out[lane]
//
// What all lanes bring alike, or get alike, stays a plain value.
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
  WarpOperations(Skeleton& skeleton, ScalarValues& scalars, LaneSlots& slots, RegionValues& values,
                 const ExitedThreads& exited, const WaitingLoops& waiting)
      : skeleton_(skeleton), scalars_(scalars), slots_(slots), values_(values), exited_(exited), waiting_(waiting) {}

  void capture_operands();          // before values are settled: regions store what they bring
  void emit(const WarpLoop& warp);  // at the end

 private:
  struct Operand {
    llvm::WeakTrackingVH scalar;  // may be the result of an operation that is emitted before; or
    Slot slot;
  };
  struct Operation {
    llvm::CallInst* call;
    std::vector<Operand> operands;
    Slot result;  // has no type where all lanes get the same
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

  Skeleton& skeleton_;
  ScalarValues& scalars_;
  LaneSlots& slots_;
  RegionValues& values_;
  const ExitedThreads& exited_;
  const WaitingLoops& waiting_;
  std::vector<Operation> operations_;
};

}  // namespace reprise_compiler::device
