// Arguments of kernels, with the places in a plan where they belong: those that an update has replaced, for the case
// that it comes to nothing, or those that a launch will write in its turn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace reprise_runtime::graph {

class ArgumentLog {
 public:
  // For so many kernels at once; without it there is room as soon as it is needed.
  void reserve(size_t kernels) { reserve_words(usual_words * kernels); }
  // For what took so much; see size().
  void reserve_words(size_t words) {
    if (room_ - used_ < words) grow(words);
  }
  // Where to put `bytes` that belong where `place` points when they are written; there is room for whole words at both.
  char* add(char* const& place, uint32_t bytes) {
    const size_t words = words_of(bytes);
    if (room_ - used_ < words + 1) [[unlikely]]
      grow(words + 1);
    words_[used_] = {&place, bytes};
    char* values = reinterpret_cast<char*>(&words_[used_ + 1]);
    used_ += words + 1;
    return values;
  }
  // The same, for arguments that may be there already: then `at` says where, as it does afterwards.
  char* add(char* const& place, uint32_t bytes, size_t& at) {
    if (at != none) return reinterpret_cast<char*>(&words_[at + 1]);
    at = used_;
    return add(place, bytes);
  }
  static constexpr size_t none = ~size_t{0};
  // Those that are at the place now.
  void keep(char* const& place, uint32_t bytes) { copy(add(place, bytes), place, words_of(bytes)); }

  // Where they belong. Of several for one place the last stays.
  void write() const noexcept {
    for (size_t at = 0; at < used_; at += size_at(at)) {
      copy(*words_[at].place, reinterpret_cast<const char*>(&words_[at + 1]), words_of(words_[at].bytes));
    }
  }

  bool empty() const { return used_ == 0; }
  // For truncate(): those that were added since then go.
  size_t size() const { return used_; }
  void truncate(size_t size) noexcept { used_ = size; }
  // Those that were added before it was so large go.
  void drop_first(size_t size) noexcept {
    std::copy(words_.get() + size, words_.get() + used_, words_.get());
    used_ -= size;
  }
  // For who puts those that were added last among the others: how much one takes, and one put over another place, of
  // the same kernel or before it.
  size_t size_at(size_t at) const { return words_of(words_[at].bytes) + 1; }
  void move(size_t from, size_t to) noexcept { std::copy_n(&words_[from], size_at(from), &words_[to]); }

 private:
  // Of arguments, or before them where they belong.
  struct Word {
    char* const* place;
    uint64_t bytes;
  };
  static constexpr size_t usual_words = 3;

  static size_t words_of(uint64_t bytes) { return (bytes + sizeof(Word) - 1) / sizeof(Word); }
  static void copy(char* to, const char* from, size_t words) {
    for (size_t i = 0; i < words; ++i) std::memcpy(to + i * sizeof(Word), from + i * sizeof(Word), sizeof(Word));
  }
  void grow(size_t words) {
    const size_t room = std::max(2 * room_, used_ + words);
    std::unique_ptr<Word[]> larger(new Word[room]);
    std::copy_n(words_.get(), used_, larger.get());
    words_ = std::move(larger);
    room_ = room;
  }

  std::unique_ptr<Word[]> words_;
  size_t used_ = 0, room_ = 0;
};

}  // namespace reprise_runtime::graph
