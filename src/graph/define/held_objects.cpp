#include "graph/define/held_objects.h"

#include <algorithm>
#include <climits>

#include "diagnose/refuse.h"
#include "graph/define/access.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

Result<Ref<UserObject>> find_object(cudaUserObject_t handle, unsigned count) {
  if (count == 0 || count > INT_MAX) {
    return refuse(cudaErrorInvalidValue, "count is %u; it must be from 1 to %d", count, INT_MAX);
  }
  Ref<UserObject> object = HandleTable<UserObject>::instance().find(Handle::from(handle));
  if (object) return object;
  return refuse(cudaErrorInvalidValue, "%p is not a user object", static_cast<void*>(handle));
}

}  // namespace

HeldObjects::Held& HeldObjects::entry_of(const Ref<UserObject>& object) {
  auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.object == object; });
  return found != held_.end() ? *found : held_.emplace_back(Held{object, 0});
}

bool HeldObjects::retain(const Ref<UserObject>& object, uint64_t count, bool move) {
  if (held_.size() == held_.capacity()) held_.reserve(2 * held_.size() + 1);  // before references are counted
  if (!move && !object->add_references(count)) return false;
  entry_of(object).count += count;
  return true;
}

void HeldObjects::give_up(const UserObject& object, uint64_t count) {
  auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.object.get() == &object; });
  if (found == held_.end()) return;
  found->count -= std::min(found->count, count);
  if (found->count == 0) held_.erase(found);
}

void HeldObjects::release_all() {
  for (Held& held : std::exchange(held_, {})) {
    const uint64_t had = held.object->drop_references(held.count);
    if (had != 0) warn_later_of_dropped("the end of a graph", held.count, had);
  }
}

void HeldObjects::share(const HeldObjects& other) {
  for (const Held& held : other.held_) retain(held.object, held.count, false);
}

cudaError_t retain_in_graph(cudaGraph_t handle, cudaUserObject_t object, unsigned count, unsigned flags) {
  if (flags & ~unsigned{cudaGraphUserObjectMove})
    return refuse(cudaErrorInvalidValue, "flags are 0x%x and must be 0 or cudaGraphUserObjectMove", flags);
  Result<Ref<UserObject>> found = find_object(object, count);
  if (!found.ok()) return found.status();
  return with_graph(handle, [&](Graph& graph) {
    if (graph.objects().retain(*found, count, flags & cudaGraphUserObjectMove)) return cudaSuccess;
    return refuse(cudaErrorInvalidValue, "the user object %p is gone: all its references were released",
                  static_cast<void*>(object));
  });
}

cudaError_t release_in_graph(cudaGraph_t handle, cudaUserObject_t object, unsigned count) {
  Result<Ref<UserObject>> found = find_object(object, count);
  if (!found.ok()) return found.status();
  const cudaError_t status = with_graph(handle, [&](Graph& graph) {
    graph.objects().give_up(**found, count);
    return cudaSuccess;
  });
  if (status != cudaSuccess) return status;
  // As on an H200, the object loses the references whether or not the graph held as many.
  const uint64_t had = (*found)->drop_references(count);
  if (had != 0) warn_of_dropped("cudaGraphReleaseUserObject", count, had);
  return cudaSuccess;
}

}  // namespace reprise_runtime::graph
