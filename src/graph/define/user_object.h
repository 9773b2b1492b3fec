// User objects: reference-counted objects of the user, whose references the user and graphs hold.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <driver_types.h>

#include <cstdint>

#include "base/handle_table.h"

namespace reprise_runtime::graph {

class UserObject : public Handled<UserObject> {
 public:
  static constexpr HandleType handle_type = HandleType::user_object;

  UserObject(void* object, cudaHostFn_t destroy, uint64_t references)
      : object_(object), destroy_(destroy), references_(references) {}

  // False, with nothing changed, when the object was destroyed or the count would overflow.
  bool add_references(uint64_t count);

  // When the last reference is dropped, the handle becomes invalid and the destructor is called on a thread of the
  // runtime. As on an H200, dropping more references than there are is no error: the destructor is never called, and
  // here the handle becomes invalid too. This is not so for an object that is gone already, where nothing happens.
  // Returns how many references there were if these were too few, else 0.
  uint64_t drop_references(uint64_t count);

  uint64_t references() const { return references_.load(std::memory_order_relaxed); }

 private:
  void* const object_;
  const cudaHostFn_t destroy_;
  std::atomic<uint64_t> references_;
};

// Warns that `call` has dropped `count` references of an object that had only `had`.
[[gnu::cold]] void warn_of_dropped(const char* call, uint64_t count, uint64_t had);
// The same, on a thread of the runtime: for a caller that holds locks, which callbacks of the log may take.
[[gnu::cold]] void warn_later_of_dropped(const char* call, uint64_t count, uint64_t had);

cudaError_t create_user_object(cudaUserObject_t* handle, void* object, cudaHostFn_t destroy, unsigned references,
                               unsigned flags);
cudaError_t retain_user_object(cudaUserObject_t handle, unsigned count);
cudaError_t release_user_object(cudaUserObject_t handle, unsigned count);

}  // namespace reprise_runtime::graph
