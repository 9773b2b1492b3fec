// Around what may block for long outside the runtime: a user's host function, a wait for another process. Other lanes
// go on meanwhile, since the thread does not count as one that computes.
#pragma once

namespace reprise_runtime::exec {

class BlockingScope {
 public:
  BlockingScope();
  ~BlockingScope();
  BlockingScope(const BlockingScope&) = delete;
  BlockingScope& operator=(const BlockingScope&) = delete;
};

}  // namespace reprise_runtime::exec
