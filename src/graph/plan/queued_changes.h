// Changes of a plan that wait for the next launch of the executable graph. graph/update implements them.
#pragma once

namespace reprise_runtime::graph {

class QueuedChanges {
 public:
  virtual ~QueuedChanges() = default;

  // Makes the changes, once, while no replay of the plan runs. Needs no memory.
  virtual void apply() noexcept = 0;
};

}  // namespace reprise_runtime::graph
