// Replays a plan on the calling thread, in topological order. Small kernels that follow each other are run by one call
// each, all of them under one fault guard.
//
// Thread safety: one thread at a time, which need not be the same one.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/plan/plan_layout.h"
#include "graph/plan/replayer.h"

namespace reprise_runtime::graph {

class SequentialReplay {
 public:
  explicit SequentialReplay(const PlanLayout& layout);

  void run(Replay& replay);
  // Finds the batches again, with what is known by now of the kernels' run times. Needs no memory.
  void choose_batches();
  void kernel_changed(KernelStep& step, bool was_batchable) noexcept;

  // How many steps do something.
  size_t step_count() const { return steps_.size(); }
  size_t bytes() const { return steps_.capacity() * sizeof(Step*) + batches_.capacity() * sizeof(Batch); }

 private:
  // A range of steps_: small kernels of one device, or one step.
  struct Batch {
    uint32_t first, end;
    bool kernels;
  };

  void run_kernels(const Batch& batch);

  std::vector<Step*> steps_;  // those that do something
  std::vector<Batch> batches_;
  bool batches_stale_ = false;  // a kernel has changed since they were chosen
  size_t workspace_bytes_ = 0;  // the largest workspace that a kernel in a batch needs
  char* workspace_ = nullptr;   // the one that the kernels' launches point to
};

}  // namespace reprise_runtime::graph
