// Gives each thread of a kernel with timed waits (threads/mark_timed_waits.cpp) a clock of its own, so that threads
// that run one after the other wait at the same time.
//
//   start:    __reprise_clock_start_block(clock, ...)
//   region:   prologue: __reprise_clock_start_region(clock)      unless it is the first
//             for each thread:
//               __reprise_clock_start_thread(clock)
//               start = clock64()                       ->       start = __reprise_clock_read(clock)
//               while (clock64() - start < n)                    while (__reprise_clock_read(clock) - start < n)
//                 __reprise_wait()                                 __reprise_clock_wait(clock)
//
// A thread that may see what another one has done, by an atomic or volatile access, catches up with the processor's
// clock first. src/kernel/thread_clock.h describes the clocks.
#pragma once

#include <llvm/IR/Instructions.h>

#include "regions/region_graph.h"

namespace reprise_compiler::device {

class ThreadClocks {
 public:
  // Without timed waits in `body`, the other functions do nothing.
  explicit ThreadClocks(llvm::Function& body);

  // Removes the marks of waits, and keeps the processor's clock for all threads. For kernels with functions that read
  // a clock and are not inlined: a thread that reads both kinds would see time run backwards.
  void disable();

  bool is_needed() const { return !waits_.empty(); }
  // Call before regions become loops.
  void start_regions(RegionGraph& graph);  // of a block
  void start_parts(RegionGraph& graph);    // of a warp
  void replace_reads();

 private:
  void call(llvm::Instruction* before, llvm::StringRef function, llvm::ArrayRef<llvm::Value*> more = {});
  llvm::Value* read(llvm::CallInst& call);

  llvm::Function& body_;
  std::vector<llvm::Instruction*> waits_;  // marks of timed waits
  llvm::Value* clock_ = nullptr;
};

}  // namespace reprise_compiler::device
