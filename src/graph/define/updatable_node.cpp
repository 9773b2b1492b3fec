#include "graph/define/updatable_node.h"

namespace reprise_runtime::graph {

HeldUpdatable make_updatable() {
  Ref<UpdatableNode> made = updatable_nodes().create();
  if (!made) return nullptr;
  return {made.detach(), [](UpdatableNode* gone) {
            updatable_nodes().erase(gone->handle());
            gone->release();
          }};
}

HeldUpdatable find_updatable(cudaGraphDeviceNode_t handle) {
  Ref<UpdatableNode> found = updatable_nodes().find(Handle::from(handle));
  return found ? found->weak_from_this().lock() : nullptr;
}

}  // namespace reprise_runtime::graph
