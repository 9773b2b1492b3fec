// A memory file that other processes can open: of a pool, or of one allocation without addresses.
// Thread safety: the descriptor is constant; the owner's mutex guards the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/ref.h"
#include "memory/address/span.h"

namespace reprise_runtime::memory {

enum class FileUse : std::uint8_t { pool, allocation };

class PoolFile : public Counted<PoolFile> {
 public:
  // Null if the system provides none.
  static Ref<PoolFile> create(int device, FileUse use = FileUse::pool);
  // The file of another process, from a copy of its descriptor; null if the descriptor is no such file.
  static Ref<PoolFile> open(int descriptor, FileUse use = FileUse::pool);

  // A second descriptor, for the user to pass on; -1 if there are no more.
  int share() const;
  std::uint64_t identity() const { return identity_; }
  int device() const { return device_; }

  // Maps part of the file. `offset` comes from `take`; parts that are returned hold no memory.
  bool take(std::size_t bytes, std::size_t& offset);
  void give_back(std::size_t offset, std::size_t bytes);
  void drop(std::size_t offset, std::size_t bytes) const;  // the memory alone
  bool map(void* address, std::size_t offset, std::size_t bytes) const;
  // Maps memory of another process at addresses of the window; null if there are none. `holds` returns false for ranges
  // beyond the end of the file.
  Span* map(std::size_t offset, std::size_t bytes) const;
  bool holds(std::size_t offset, std::size_t bytes) const;
  // All memory of the file, as far as it was ever taken, is one part from `first_offset` on.
  static const std::size_t first_offset;
  std::size_t size() const;

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
