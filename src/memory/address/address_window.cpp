#include "memory/address/address_window.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <new>

namespace reprise_runtime::memory {
namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

void* reserve_addresses(std::size_t bytes) {
  void* address = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : address;
}

// Every graph with memory and every pool has its own addresses, of at least 32 and 256 MiB, and there may be thousands.
// ThreadSanitizer leaves no more addresses than this.
#if defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr std::size_t least_window_bytes = std::size_t{64} << 30;
#else
constexpr std::size_t least_window_bytes = std::size_t{2} << 40;
#endif

std::size_t default_window_bytes() {
  // Four times the machine's memory leaves room for fragmentation and for addresses reserved without memory.
  const std::size_t physical =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::bit_ceil(std::max<std::size_t>(physical * 4, least_window_bytes));
}

}  // namespace

AddressWindow::AddressWindow(std::size_t bytes) {
  bytes = round_up(bytes, huge_page);
  // One additional huge page, so that the window can start on one.
  void* address = nullptr;
  while ((address = reserve_addresses(bytes + huge_page)) == nullptr) {
    bytes = round_up(bytes / 2, huge_page);
    if (bytes <= huge_page) throw std::bad_alloc();
  }
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(address);
  base_ = round_up(start, huge_page);
  if (base_ > start) munmap(address, base_ - start);
  if (base_ < start + huge_page) munmap(reinterpret_cast<void*>(base_ + bytes), start + huge_page - base_);
  bytes_ = bytes;

  directory_bytes_ = bytes / granule * sizeof(std::atomic<Span*>);
  void* directory =
      mmap(nullptr, directory_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (directory == MAP_FAILED) {
    munmap(reinterpret_cast<void*>(base_), bytes_);
    throw std::bad_alloc();
  }
  // All-zero bytes are null pointers; touching each entry to construct it would commit the whole directory.
  directory_ = static_cast<std::atomic<Span*>*>(directory);
  MutexLock lock(mutex_);
  add_free_run(0, bytes / granule);
}

AddressWindow::~AddressWindow() {
  munmap(reinterpret_cast<void*>(base_), bytes_);
  munmap(directory_, directory_bytes_);
  for (Span* span : all_spans_) delete span;
}

AddressWindow& AddressWindow::instance() {
  // Never destroyed: allocations may be used, and freed, by destructors that run at exit.
  static AddressWindow* window = new AddressWindow(default_window_bytes());
  return *window;
}

Span* AddressWindow::acquire(std::size_t bytes, Access access) {
  if (bytes == 0 || bytes > bytes_) return nullptr;
  bytes = round_up(bytes, granule);
  const bool huge = bytes >= huge_page;
  std::size_t first = 0;
  Span* span = nullptr;
  {
    MutexLock lock(mutex_);
    if (!take_free_run(bytes / granule, huge ? huge_page / granule : 1, first)) return nullptr;
    span = new_span();
  }
  void* address = reinterpret_cast<void*>(base_ + first * granule);
  if (access == Access::all && mprotect(address, bytes, PROT_READ | PROT_WRITE) != 0) {
    MutexLock lock(mutex_);
    add_free_run(first, bytes / granule);
    spare_spans_.push_back(span);
    return nullptr;
  }
  if (huge && access == Access::all) madvise(address, bytes, MADV_HUGEPAGE);
  span->base.store(base_ + first * granule, std::memory_order_relaxed);
  span->bytes.store(bytes, std::memory_order_relaxed);
  return span;
}

Span* AddressWindow::reserve(std::size_t bytes, std::size_t alignment, std::uintptr_t preferred) {
  if (bytes == 0 || bytes > bytes_) return nullptr;
  const std::size_t count = round_up(bytes, granule) / granule;
  MutexLock lock(mutex_);
  std::size_t first = (preferred - base_) / granule;
  const bool at_preferred = preferred >= base_ && preferred % granule == 0 && take_run_at(first, count);
  if (!at_preferred && !take_free_run(count, std::max(alignment, huge_page) / granule, first)) return nullptr;
  Span* span = new_span();
  span->base.store(base_ + first * granule, std::memory_order_relaxed);
  span->bytes.store(count * granule, std::memory_order_relaxed);
  return span;
}

Span* AddressWindow::map_file(int descriptor, std::size_t offset, std::size_t bytes) {
  Span* span = acquire(bytes, Access::none);
  if (!span) return nullptr;
  void* address = reinterpret_cast<void*>(span->base.load(std::memory_order_relaxed));
  if (mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, static_cast<off_t>(offset)) !=
      MAP_FAILED) {
    return span;
  }
  release(span);
  return nullptr;
}

void AddressWindow::publish(Span* span) {
  const std::size_t first = (span->base.load(std::memory_order_relaxed) - base_) / granule;
  const std::size_t count = span->bytes.load(std::memory_order_relaxed) / granule;
  for (std::size_t i = 0; i < count; ++i) directory_[first + i].store(span, std::memory_order_release);
  MutexLock lock(mutex_);
  span->published = true;
}

void AddressWindow::drop_memory(void* address, std::size_t bytes) {
  // A fresh mapping drops the pages, the access rights and a memory file in one call. If the system has run out of
  // mappings, only the pages are dropped.
  if (mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    madvise(address, bytes, MADV_DONTNEED);
  }
}

void AddressWindow::release(Span* span) {
  const std::uintptr_t start = span->base.load(std::memory_order_relaxed);
  const std::size_t bytes = span->bytes.load(std::memory_order_relaxed);
  const std::size_t first = (start - base_) / granule;
  const std::size_t count = bytes / granule;
  for (std::size_t i = 0; i < count; ++i) directory_[first + i].store(nullptr, std::memory_order_release);
  drop_memory(reinterpret_cast<void*>(start), bytes);
  span->owner.store(nullptr, std::memory_order_release);
  if (const int fd = span->shared_fd.exchange(-1, std::memory_order_relaxed); fd >= 0) close(fd);
  MutexLock lock(mutex_);
  span->published = false;
  add_free_run(first, count);
  spare_spans_.push_back(span);
}

Span* AddressWindow::new_span() {
  if (!spare_spans_.empty()) {
    Span* span = spare_spans_.back();
    spare_spans_.pop_back();
    return span;
  }
  all_spans_.push_back(new Span());
  return all_spans_.back();
}

void AddressWindow::erase_free_run(std::map<std::size_t, std::size_t>::iterator run) {
  runs_by_count_.erase({run->second, run->first});
  runs_by_start_.erase(run);
}

void AddressWindow::add_free_run(std::size_t first, std::size_t count) {
  auto next = runs_by_start_.lower_bound(first);
  if (next != runs_by_start_.end() && next->first == first + count) {
    count += next->second;
    auto merged = next++;
    erase_free_run(merged);
  }
  if (next != runs_by_start_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == first) {
      first = previous->first;
      count += previous->second;
      erase_free_run(previous);
    }
  }
  runs_by_start_.emplace(first, count);
  runs_by_count_.emplace(count, first);
}

bool AddressWindow::take_free_run(std::size_t count, std::size_t alignment, std::size_t& first) {
  for (auto fit = runs_by_count_.lower_bound({count, 0}); fit != runs_by_count_.end(); ++fit) {
    const auto [run_count, run_first] = *fit;
    const std::size_t aligned = round_up(base_ / granule + run_first, alignment) - base_ / granule;
    const std::size_t skipped = aligned - run_first;
    if (skipped + count > run_count) continue;
    erase_free_run(runs_by_start_.find(run_first));
    if (skipped) add_free_run(run_first, skipped);
    if (run_count > skipped + count) add_free_run(aligned + count, run_count - skipped - count);
    first = aligned;
    return true;
  }
  return false;
}

bool AddressWindow::take_run_at(std::size_t first, std::size_t count) {
  auto run = runs_by_start_.upper_bound(first);
  if (run == runs_by_start_.begin()) return false;
  --run;
  const auto [run_first, run_count] = *run;
  if (first - run_first > run_count || count > run_count - (first - run_first)) return false;
  erase_free_run(run);
  if (first > run_first) add_free_run(run_first, first - run_first);
  if (run_first + run_count > first + count) add_free_run(first + count, run_first + run_count - first - count);
  return true;
}

}  // namespace reprise_runtime::memory
