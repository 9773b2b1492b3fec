// Runs of work before its capture, whose effects are undone.
//
// Every operation takes a tensor's address before it uses the tensor. At the first such use, WarmUp copies memory that
// is older than the warm-up, and writes the copy back at the end.
#pragma once

#include <reprise/memory.h>

#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/generator_state.h"

namespace reprise {

// Runs `work` `times` times on a side stream, restores the state, and makes the current stream wait for that.
void run_warm_up(const std::function<void()>& work, int times);

class WarmUp {
 public:
  // The warm-up of this thread, or null.
  static WarmUp* current();

  WarmUp();
  ~WarmUp();
  // Copies `memory` before its first use, unless it was allocated during the warm-up.
  void save(const std::shared_ptr<const Memory>& memory, std::uint64_t generation);
  void save(const std::shared_ptr<GeneratorState>& generator);
  // For host state: see undo.h.
  void undo_later(const void* what, std::function<void()> undo);
  void restore();

 private:
  struct Saved {
    std::shared_ptr<const Memory> memory;
    std::shared_ptr<Memory> copy;
  };

  const std::uint64_t generation_;
  std::unordered_set<const void*> seen_;
  std::vector<Saved> saved_;
  std::vector<std::pair<std::shared_ptr<GeneratorState>, GeneratorState::Position>> generators_;
  std::vector<std::function<void()>> undo_;
};

}  // namespace reprise
