#include "base/context_members.h"

#include <unordered_map>

#include "base/mutex.h"

namespace reprise_runtime {
namespace {

struct Owned {
  MemberKind kind;
  void* context;
};

struct Members {
  Mutex mutex;
  std::unordered_map<const void*, Owned> by_handle REPRISE_GUARDED_BY(mutex);
};

// Lives to the end of the process: destructors of other libraries may still make calls.
Members& members() {
  static Members& instance = *new Members;
  return instance;
}

}  // namespace

void detail::own_member(MemberKind kind, const void* handle, void* context) {
  if (!handle) return;
  other_contexts_used.store(true, std::memory_order_relaxed);
  MutexLock lock(members().mutex);
  members().by_handle[handle] = {kind, context};
}

void detail::disown_member(const void* handle) {
  MutexLock lock(members().mutex);
  members().by_handle.erase(handle);
}

void* owner_of_member(const void* handle) {
  if (!detail::other_contexts_used.load(std::memory_order_relaxed)) return nullptr;
  MutexLock lock(members().mutex);
  const auto found = members().by_handle.find(handle);
  return found == members().by_handle.end() ? nullptr : found->second.context;
}

std::vector<ContextMember> take_members(void* context) {
  std::vector<ContextMember> taken;
  MutexLock lock(members().mutex);
  for (const auto& [handle, owned] : members().by_handle) {
    if (owned.context == context) taken.push_back({owned.kind, handle});
  }
  for (const ContextMember& member : taken) members().by_handle.erase(member.handle);
  return taken;
}

void keep_destroyed_stream(const void* handle, void* context) {
  detail::own_member(MemberKind::stream, handle, context);
}

void forget_members() {
  MutexLock lock(members().mutex);
  members().by_handle.clear();
}

}  // namespace reprise_runtime
