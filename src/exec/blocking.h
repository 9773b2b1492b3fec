// A scope around calls that may block for long outside the runtime: a user's host function, a wait for another process.
// Meanwhile the thread does not count as running, so another worker takes its place.
//
// Thread safety: every thread may have its own.
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
