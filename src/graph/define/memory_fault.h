// Reports faults in graph memory to the log: which node touched which allocation, and in what state that was.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include "base/handle.h"

namespace reprise_runtime::graph {

// Installs the reporter. Called when the first memory node is added.
void report_faults_in_graph_memory();

// While it lives, faults of the calling thread are reported as the node's. The node's kernel is not spread over other
// threads meanwhile.
class RunningNode {
 public:
  explicit RunningNode(Handle node);
  ~RunningNode();
  RunningNode(const RunningNode&) = delete;
  RunningNode& operator=(const RunningNode&) = delete;

 private:
  const Handle outer_;
  const bool was_alone_;
};

}  // namespace reprise_runtime::graph
