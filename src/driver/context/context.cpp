#include "driver/context/context.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "base/context_members.h"
#include "base/mutex.h"

namespace reprise_runtime::driver {
namespace {

struct Contexts {
  Mutex mutex;
  std::vector<std::unique_ptr<Context>> all REPRISE_GUARDED_BY(mutex);
  Context* primary[max_devices] REPRISE_GUARDED_BY(mutex) = {};
};

// Lives to the end of the process: other libraries' destructors may still call the driver.
Contexts& contexts() {
  static Contexts& instance = *new Contexts;
  return instance;
}

// The contexts below the top.
std::vector<Context*>& below() {
  static thread_local std::vector<Context*> stack;
  return stack;
}

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

void destroy_member(const ContextMember& member) {
  void* handle = const_cast<void*>(member.handle);
  switch (member.kind) {
    case MemberKind::stream:
      static_cast<void>(cudaStreamDestroy(static_cast<cudaStream_t>(handle)));
      break;
    case MemberKind::event:
      static_cast<void>(cudaEventDestroy(static_cast<cudaEvent_t>(handle)));
      break;
    case MemberKind::device_memory:
      static_cast<void>(cudaFree(handle));
      break;
    case MemberKind::host_memory:
      static_cast<void>(cudaFreeHost(handle));
      break;
  }
}

}  // namespace

Context::Context(int device, bool primary, unsigned flags)
    : device_(device), primary_(primary), id_(next_id()), flags_(flags) {}

Context* Context::find(CUcontext handle) {
  Contexts& known = contexts();
  MutexLock lock(known.mutex);
  for (const auto& each : known.all) {
    if (each->handle() == handle) return each->destroyed() ? nullptr : each.get();
  }
  return nullptr;
}

Context& Context::primary_of(int device) {
  Contexts& known = contexts();
  MutexLock lock(known.mutex);
  Context*& primary = known.primary[device];
  if (!primary) primary = known.all.emplace_back(std::make_unique<Context>(device, true, 0)).get();
  return *primary;
}

Context& Context::create(int device, unsigned flags) {
  Contexts& known = contexts();
  MutexLock lock(known.mutex);
  return *known.all.emplace_back(std::make_unique<Context>(device, false, flags));
}

void Context::destroy() {
  destroyed_.store(true, std::memory_order_relaxed);
  for (const ContextMember& member : take_members(this)) {
    destroy_member(member);
    if (member.kind == MemberKind::stream) keep_destroyed_stream(member.handle, this);
  }
}

void Context::set_top(Context* context) {
  top_ = context;
  thread_use().used_runtime = false;
  thread_use().chose_device = false;
  thread_use().other_context = context && !context->primary() ? context : nullptr;
  if (context) set_current_device(context->device());
}

void Context::push(Context& context) {
  if (Context* top = current()) below().push_back(top);
  set_top(&context);
}

Context* Context::pop() {
  Context* popped = current();
  if (!popped) return nullptr;
  std::vector<Context*>& rest = below();
  Context* next = rest.empty() ? nullptr : rest.back();
  if (next) rest.pop_back();
  set_top(next);
  return popped;
}

void Context::set_current(Context* context) {
  static_cast<void>(current());
  if (context) return set_top(context);
  static_cast<void>(pop());
}

Context* Context::adopt() {
  ThreadUse& use = thread_use();
  const bool follow = use.chose_device || (!top_ && use.used_runtime);
  use.chose_device = false;
  if (follow) {
    top_ = &primary_of(current_device());
    use.other_context = nullptr;
  }
  if (top_ && top_->destroyed()) return nullptr;
  return top_;
}

Context* Context::of_stream(CUstream stream) {
  if (!stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD) return current();
  return owner_of(stream);
}

Context* Context::owner_of(const void* member) { return static_cast<Context*>(owner_of_member(member)); }

}  // namespace reprise_runtime::driver
