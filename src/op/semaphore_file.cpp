#include "op/semaphore_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace reprise_runtime::op {
namespace {

constexpr uint64_t magic_number = 0x2065736972706552;  // "Reprise "
constexpr int wanted_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

}  // namespace

int SemaphoreFile::create(SemaphoreKind kind, uint64_t value) {
  const int fd = memfd_create("reprise-semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  void* memory = MAP_FAILED;
  if (ftruncate(fd, sizeof(State)) == 0 && fcntl(fd, F_ADD_SEALS, wanted_seals) == 0) {
    memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (memory == MAP_FAILED) {
    close(fd);
    return -1;
  }
  new (memory) State{magic_number, kind, {}, {value}};
  munmap(memory, sizeof(State));
  return fd;
}

SemaphoreFile SemaphoreFile::map(int fd) {
  struct stat facts{};
  if (fd < 0 || fcntl(fd, F_GET_SEALS) != wanted_seals) return {};
  if (fstat(fd, &facts) != 0 || facts.st_size != sizeof(State)) return {};
  void* memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return {};
  SemaphoreFile file(static_cast<State*>(memory));
  const bool ours = file.state_->magic == magic_number &&
                    (file.kind() == SemaphoreKind::binary || file.kind() == SemaphoreKind::timeline);
  return ours ? std::move(file) : SemaphoreFile{};
}

SemaphoreFile::SemaphoreFile(SemaphoreFile&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

SemaphoreFile::~SemaphoreFile() {
  if (state_) munmap(state_, sizeof(State));
}

void SemaphoreFile::signal(uint64_t value) const {
  if (kind() == SemaphoreKind::binary) {
    state_->value.store(1, std::memory_order_release);
  } else {
    uint64_t before = state_->value.load(std::memory_order_relaxed);
    while (before < value && !state_->value.compare_exchange_weak(before, value, std::memory_order_release)) {
    }
  }
  state_->signals.notify_all();
}

bool SemaphoreFile::take(uint64_t value) const {
  if (kind() == SemaphoreKind::timeline) return state_->value.load(std::memory_order_acquire) >= value;
  uint64_t signalled = 1;
  return state_->value.compare_exchange_strong(signalled, 0, std::memory_order_acquire);
}

bool SemaphoreFile::wait(uint64_t value, int64_t timeout_ns) const {
  return take(value) || state_->signals.sleep_until([&] { return take(value); }, timeout_ns);
}

}  // namespace reprise_runtime::op
