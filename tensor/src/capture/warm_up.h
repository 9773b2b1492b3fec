// Running work once beforehand, without a trace.
//
// A tensor's address is taken before anything is done to it: there its memory, if it is older than the warm_up, is
// copied, and the copy is put back at the end.
#pragma once

#include <reprise/memory.h>

#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/generator_state.h"

namespace reprise {

// Runs `work` `times` times on a stream beside the current one; the current stream goes on after it.
void run_warm_up(const std::function<void()>& work, int times);

class WarmUp {
 public:
  // That of this thread, or none.
  static WarmUp* current();

  WarmUp();
  ~WarmUp();
  // Memory made later is the warm_up's own.
  void about_to_use(const std::shared_ptr<const Memory>& memory, std::uint64_t birth);
  void about_to_use(const std::shared_ptr<GeneratorState>& generator);
  // Of the host: see undo.h.
  void undo_later(const void* what, std::function<void()> undo);
  void put_back();

 private:
  struct Saved {
    std::shared_ptr<const Memory> memory;
    std::shared_ptr<Memory> copy;
  };

  const std::uint64_t age_;
  std::unordered_set<const void*> seen_;
  std::vector<Saved> saved_;
  std::vector<std::pair<std::shared_ptr<GeneratorState>, GeneratorState::Position>> generators_;
  std::vector<std::function<void()>> undo_;
};

}  // namespace reprise
