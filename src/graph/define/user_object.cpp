#include "graph/define/user_object.h"

#include <climits>
#include <cstdio>

#include "base/host_function_scope.h"
#include "diagnose/log.h"
#include "diagnose/refuse.h"
#include "exec/blocking.h"
#include "exec/lane.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

HandleTable<UserObject>& objects() { return HandleTable<UserObject>::instance(); }

// As in CUDA, destructors run on another thread: the releasing thread may hold locks that they take.
exec::Lane& destructors() {
  static exec::Lane& lane = exec::Lane::acquire(0);
  return lane;
}

void destroy_later(cudaHostFn_t destroy, void* object) {
  destructors().submit([=](exec::Lane&) {
    HostFunctionScope in_user_code;
    exec::BlockingScope may_block;
    destroy(object);
  });
}

cudaError_t check_count(unsigned count) {
  if (count > 0 && count <= INT_MAX) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "count is %u; it must be from 1 to %d", count, INT_MAX);
}

cudaError_t no_such_object(cudaUserObject_t handle) {
  return refuse(cudaErrorInvalidValue, "%p is not a user object, or all its references were released",
                static_cast<void*>(handle));
}

}  // namespace

bool UserObject::add_references(uint64_t count) {
  uint64_t before = references_.load(std::memory_order_relaxed);
  do {
    if (before == 0 || before > UINT64_MAX / 2) return false;
  } while (!references_.compare_exchange_weak(before, before + count, std::memory_order_relaxed));
  return true;
}

uint64_t UserObject::drop_references(uint64_t count) {
  uint64_t before = references_.load(std::memory_order_relaxed), left = 0;
  do {
    if (before == 0) return 0;  // it is gone
    left = before > count ? before - count : 0;
  } while (!references_.compare_exchange_weak(before, left, std::memory_order_acq_rel));
  if (left != 0) return 0;
  objects().erase(handle());
  if (before < count) return before;
  destroy_later(destroy_, object_);
  return 0;
}

void warn_of_dropped(const char* call, uint64_t count, uint64_t had) {
  char words[200];
  std::snprintf(words, sizeof words,
                "%s dropped %llu references of a user object that had %llu: its destructor will not be called", call,
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(had));
  diagnose::Log::instance().write(cudaLogLevelWarning, words);
}

void warn_later_of_dropped(const char* call, uint64_t count, uint64_t had) {
  destructors().submit([=](exec::Lane&) { warn_of_dropped(call, count, had); });
}

cudaError_t create_user_object(cudaUserObject_t* handle, void* object, cudaHostFn_t destroy, unsigned references,
                               unsigned flags) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (!destroy) return refuse(cudaErrorInvalidValue, "destroy is null");
  if (flags != cudaUserObjectNoDestructorSync) {
    return refuse(cudaErrorInvalidValue, "flags are 0x%x and must be cudaUserObjectNoDestructorSync", flags);
  }
  if (references == 0) return refuse(cudaErrorInvalidValue, "initialRefcount is 0");
  Ref<UserObject> created = objects().create(object, destroy, references);
  if (!created) return cudaErrorMemoryAllocation;
  *handle = created->handle().as<cudaUserObject_t>();
  return cudaSuccess;
}

cudaError_t retain_user_object(cudaUserObject_t handle, unsigned count) {
  if (cudaError_t status = check_count(count); status != cudaSuccess) return status;
  Ref<UserObject> object = objects().find(Handle::from(handle));
  return object && object->add_references(count) ? cudaSuccess : no_such_object(handle);
}

cudaError_t release_user_object(cudaUserObject_t handle, unsigned count) {
  if (cudaError_t status = check_count(count); status != cudaSuccess) return status;
  Ref<UserObject> object = objects().find(Handle::from(handle));
  if (!object) return no_such_object(handle);
  if (const uint64_t had = object->drop_references(count)) warn_of_dropped("cudaUserObjectRelease", count, had);
  return cudaSuccess;
}

}  // namespace reprise_runtime::graph
