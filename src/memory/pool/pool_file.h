// The file in memory behind a pool whose memory other processes can open.
// Thread safety: the descriptor is constant; the rest belongs to whoever holds the pool's mutex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/ref.h"
#include "memory/address/span.h"

namespace reprise_runtime::memory {

class PoolFile : public Counted<PoolFile> {
 public:
  // Null when the system has none to give.
  static Ref<PoolFile> create(int device);
  // Of another process, by a copy of the descriptor; null for what is no such file.
  static Ref<PoolFile> open(int descriptor);

  // A second descriptor, for the user to pass on; -1 when there are no more.
  int share() const;
  std::uint64_t identity() const { return identity_; }
  int device() const { return device_; }

  // Puts part of the file behind addresses. `offset` comes from `take`; what is given back holds no memory.
  bool take(std::size_t bytes, std::size_t& offset);
  void give_back(std::size_t offset, std::size_t bytes);
  void drop(std::size_t offset, std::size_t bytes) const;  // the memory alone
  bool map(void* address, std::size_t offset, std::size_t bytes) const;
  // At addresses of the window, for memory of another process; null when there are none. False from `holds` for what is
  // past the file's end.
  Span* map(std::size_t offset, std::size_t bytes) const;
  bool holds(std::size_t offset, std::size_t bytes) const;

 private:
  friend Counted<PoolFile>;
  PoolFile(int descriptor, std::uint64_t identity, int device)
      : descriptor_(descriptor), identity_(identity), device_(device) {}
  ~PoolFile();

  const int descriptor_;
  const std::uint64_t identity_;  // the file's number
  const int device_;
  std::size_t end_ = 0;
  std::multimap<std::size_t, std::size_t> holes_;  // bytes -> offset
};

}  // namespace reprise_runtime::memory
