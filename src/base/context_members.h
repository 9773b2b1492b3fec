// What contexts other than the primary ones own: the streams, events and memory that were made while one of them was
// current. Destroying such a context destroys its members. Members of primary contexts are not listed.
//
// Thread safety: all calls may be made from any thread.
#pragma once

#include <atomic>
#include <vector>

#include "base/runtime_use.h"

namespace reprise_runtime {

enum class MemberKind : unsigned char { stream, event, device_memory, host_memory };

struct ContextMember {
  MemberKind kind;
  const void* handle;  // the handle, or the address of memory
};

namespace detail {
inline std::atomic<bool> other_contexts_used{false};
void own_member(MemberKind kind, const void* handle, void* context);
void disown_member(const void* handle);
}  // namespace detail

// The calling thread has made an object: its current context owns it.
inline void own_member(MemberKind kind, const void* handle) {
  if (thread_use().other_context) [[unlikely]]
    detail::own_member(kind, handle, thread_use().other_context);
}
inline void disown_member(const void* handle) {
  if (detail::other_contexts_used.load(std::memory_order_relaxed)) [[unlikely]]
    detail::disown_member(handle);
}

// The context other than a primary one that owns an object; null if there is none.
void* owner_of_member(const void* handle);

// Removes a context's members from the list and returns them.
std::vector<ContextMember> take_members(void* context);
// A destroyed context's streams stay listed, so that their use can be told from that of a handle that never was one.
void keep_destroyed_stream(const void* handle, void* context);
// All objects of a device are gone.
void forget_members();

}  // namespace reprise_runtime
