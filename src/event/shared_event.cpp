#include "event/shared_event.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "diagnose/refuse.h"

namespace reprise_runtime::event {
namespace {

using diagnose::refuse;

constexpr uint64_t event_magic = 0x746e657665707221;
constexpr size_t page_bytes = 4096;

template <class Name>
std::string path_of(const Name& name) {
  char text[96];
  std::snprintf(text, sizeof text, "/reprise-event-%lld-%llu-%llx", static_cast<long long>(name.process),
                static_cast<unsigned long long>(name.number), static_cast<unsigned long long>(name.random));
  return text;
}

void* map_page(int descriptor) {
  void* page = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return page == MAP_FAILED ? nullptr : page;
}

}  // namespace

Ref<SharedEvent> SharedEvent::create() {
  static std::atomic<uint64_t> count{0};
  Name name{event_magic, getpid(), count.fetch_add(1), 0};
  if (getrandom(&name.random, sizeof name.random, 0) != sizeof name.random) return nullptr;
  int descriptor = shm_open(path_of(name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return nullptr;
  // A new page is all zero, which is what the counters start with.
  void* page = nullptr;
  if (ftruncate(descriptor, page_bytes) == 0) {
    page = map_page(descriptor);
  } else {
    close(descriptor);
  }
  if (!page) {
    shm_unlink(path_of(name).c_str());
    return nullptr;
  }
  return Ref<SharedEvent>::adopt(new SharedEvent(static_cast<Page*>(page), name, true));
}

Result<Ref<SharedEvent>> SharedEvent::open(const cudaIpcEventHandle_t& handle) {
  Name name;
  std::memcpy(&name, handle.reserved, sizeof name);
  if (name.magic != event_magic) return refuse(cudaErrorMapBufferObjectFailed, "the bytes are no handle of an event");
  if (name.process == getpid()) {
    return refuse(cudaErrorDeviceUninitialized, "the event belongs to this process; only other processes open it");
  }
  int descriptor = shm_open(path_of(name).c_str(), O_RDWR | O_CLOEXEC, 0);
  if (descriptor < 0) {
    return refuse(cudaErrorMapBufferObjectFailed, "the event of process %lld no longer exists",
                  static_cast<long long>(name.process));
  }
  void* page = map_page(descriptor);
  if (!page) return refuse(cudaErrorMapBufferObjectFailed, "the event's shared memory cannot be mapped");
  return Ref<SharedEvent>::adopt(new SharedEvent(static_cast<Page*>(page), name, false));
}

SharedEvent::~SharedEvent() {
  munmap(page_, page_bytes);
  if (maker_) shm_unlink(path_of(name_).c_str());
}

cudaIpcEventHandle_t SharedEvent::handle() const {
  cudaIpcEventHandle_t handle = {};
  static_assert(sizeof name_ <= sizeof handle.reserved);
  std::memcpy(handle.reserved, &name_, sizeof name_);
  return handle;
}

void SharedEvent::complete(uint64_t record) {
  uint64_t before = completed();
  while (before < record && !page_->completed.compare_exchange_weak(before, record, std::memory_order_acq_rel)) {
  }
  page_->completions.notify_all();
}

void SharedEvent::wait(uint64_t record) const {
  page_->completions.sleep_until([&] { return completed() >= record; });
}

}  // namespace reprise_runtime::event
