#include "memory/pool/pool_segment.h"

#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

namespace reprise_runtime::memory {
namespace {

constexpr std::size_t word_bits = 64;

template <class T>
T* zeros(std::size_t count) {
  void* memory = std::calloc(count, sizeof(T));
  if (!memory) throw std::bad_alloc();
  return static_cast<T*>(memory);
}

std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }

}  // namespace

void PoolSegment::Free::operator()(void* memory) const { std::free(memory); }

PoolSegment::PoolSegment(Span& span, std::size_t bytes)
    : span_(span),
      base_(span.base.load(std::memory_order_relaxed)),
      bytes_(bytes),
      first_(new PoolBlock),
      starts_(zeros<PoolBlock*>(bytes / unit)),
      bits_(zeros<std::uint64_t>(words_for(bytes / unit))),
      summary_(zeros<std::uint64_t>(words_for(words_for(bytes / unit)))) {
  first_->base = base_;
  first_->bytes = bytes;
  first_->segment = this;
  first_->state = PoolBlock::State::hole;
  enter(*first_);
}

PoolSegment::~PoolSegment() {
  for (PoolBlock* block = first_; block;) delete std::exchange(block, block->after);
}

void PoolSegment::enter(PoolBlock& block) {
  const std::size_t at = unit_of(block.base), word = at / word_bits;
  starts_[at] = &block;
  bits_[word] |= std::uint64_t{1} << at % word_bits;
  summary_[word / word_bits] |= std::uint64_t{1} << word % word_bits;
}

void PoolSegment::leave(const PoolBlock& block) {
  const std::size_t at = unit_of(block.base), word = at / word_bits;
  starts_[at] = nullptr;
  bits_[word] &= ~(std::uint64_t{1} << at % word_bits);
  if (bits_[word] == 0) summary_[word / word_bits] &= ~(std::uint64_t{1} << word % word_bits);
}

PoolBlock* PoolSegment::starting_at(std::uintptr_t address) const {
  const std::size_t offset = address - base_;
  return offset < bytes_ && offset % unit == 0 ? starts_[offset / unit] : nullptr;
}

PoolBlock* PoolSegment::around(std::uintptr_t address) const {
  if (address - base_ >= bytes_) return nullptr;
  const auto last_bit = [](std::uint64_t word) {
    return word_bits - 1 - static_cast<std::size_t>(std::countl_zero(word));
  };
  const auto up_to = [](std::size_t bit) { return ~std::uint64_t{0} >> (word_bits - 1 - bit); };
  const std::size_t at = unit_of(address);
  std::size_t word = at / word_bits;
  if (const std::uint64_t here = bits_[word] & up_to(at % word_bits)) return starts_[word * word_bits + last_bit(here)];
  // The last word before this one with a start. There is one: the segment's first unit is a start.
  std::size_t summary = word / word_bits;
  std::uint64_t words = word % word_bits == 0 ? 0 : summary_[summary] & up_to(word % word_bits - 1);
  while (words == 0) words = summary_[--summary];
  word = summary * word_bits + last_bit(words);
  return starts_[word * word_bits + last_bit(bits_[word])];
}

bool PoolSegment::commit(PoolBlock& hole, const PoolFile* file) {
  void* address = reinterpret_cast<void*>(hole.base);
  if (file) {
    if (!file->map(address, file_offset + (hole.base - base_), hole.bytes)) return false;
  } else {
    if (mprotect(address, hole.bytes, PROT_READ | PROT_WRITE) != 0) return false;
    madvise(address, hole.bytes, MADV_HUGEPAGE);
  }
  hole.state = PoolBlock::State::listed;
  hole.in_use_until = {};
  return true;
}

void PoolSegment::decommit(PoolBlock& block, const PoolFile* file) {
  if (file) file->drop(file_offset + (block.base - base_), block.bytes);
  void* address = reinterpret_cast<void*>(block.base);
  // A fresh mapping drops the pages and the access rights in one call.
  if (mmap(address, block.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    madvise(address, block.bytes, MADV_DONTNEED);
  }
  block.state = PoolBlock::State::hole;
}

PoolBlock& PoolSegment::split(PoolBlock& block, std::size_t bytes) {
  auto* rest = new PoolBlock(block);
  rest->base = block.base + bytes;
  rest->bytes = block.bytes - bytes;
  rest->before = &block;
  if (rest->after) rest->after->before = rest;
  block.bytes = bytes;
  block.after = rest;
  enter(*rest);
  return *rest;
}

void PoolSegment::join_with_next(PoolBlock& block) {
  PoolBlock* next = block.after;
  leave(*next);
  block.bytes += next->bytes;
  block.after = next->after;
  if (block.after) block.after->before = &block;
  delete next;
}

}  // namespace reprise_runtime::memory
