#include "graph/plan/memory_use.h"

#include <set>

#include "graph/define/node.h"

namespace reprise_runtime::graph {
namespace {

class Collection {
 public:
  void add(Graph& graph) {
    if (graph.layout()) graph.layout()->add_parts(use_);
    for (Node* node = graph.first(); node; node = node->next) {
      if (const AllocWork* alloc = std::get_if<AllocWork>(&node->work)) allocated_.push_back(alloc->allocation);
      if (const FreeWork* free = std::get_if<FreeWork>(&node->work)) freed_.push_back(free->allocation);
      for_each_inside(node->work, [&](Graph& inside) {
        MutexLock lock(inside.mutex());
        add(inside);
      });
    }
  }

  memory::GraphMemoryUse finish() {
    std::set<const memory::GraphAllocation*> here, freed;
    for (const auto& each : allocated_) here.insert(each.get());
    for (const auto& each : freed_) freed.insert(each.get());
    for (const auto& each : allocated_) {
      if (!freed.contains(each.get())) use_.kept.push_back(each);
    }
    for (const auto& each : freed_) {
      if (!here.contains(each.get())) use_.freed.push_back(each);
    }
    return std::move(use_);
  }

 private:
  memory::GraphMemoryUse use_;
  std::vector<Ref<memory::GraphAllocation>> allocated_, freed_;
};

}  // namespace

std::unique_ptr<memory::GraphMemoryUse> memory_use_of(Graph& graph, bool auto_free) {
  Collection collection;
  collection.add(graph);
  auto use = std::make_unique<memory::GraphMemoryUse>(collection.finish());
  use->auto_free = auto_free;
  return use;
}

}  // namespace reprise_runtime::graph
