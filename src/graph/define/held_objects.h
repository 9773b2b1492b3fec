// The user objects that a graph or an executable graph keeps alive, with the number of references to each.
//
// Thread safety: guarded by the owner's mutex.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/define/user_object.h"

namespace reprise_runtime::graph {

class HeldObjects {
 public:
  HeldObjects() = default;
  HeldObjects(HeldObjects&& other) noexcept : held_(std::exchange(other.held_, {})) {}
  HeldObjects& operator=(HeldObjects&&) = delete;
  ~HeldObjects() { release_all(); }

  // With `move` set, the caller's references are taken over, and as on an H200 there may be fewer of them than `count`.
  // Otherwise new ones are added; false when the object is gone.
  bool retain(const Ref<UserObject>& object, uint64_t count, bool move);
  // Up to `count` references are no longer held here. The caller drops them.
  void give_up(const UserObject& object, uint64_t count);
  void release_all();

  // Adds the same references as `other` holds.
  void share(const HeldObjects& other);

  void swap(HeldObjects& other) noexcept { held_.swap(other.held_); }

  bool empty() const { return held_.empty(); }

 private:
  struct Held {
    Ref<UserObject> object;
    uint64_t count;
  };
  Held& entry_of(const Ref<UserObject>& object);

  std::vector<Held> held_;
};

// cudaGraphRetainUserObject and cudaGraphReleaseUserObject.
[[nodiscard]] cudaError_t retain_in_graph(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags);
[[nodiscard]] cudaError_t release_in_graph(cudaGraph_t graph, cudaUserObject_t object, unsigned count);

}  // namespace reprise_runtime::graph
