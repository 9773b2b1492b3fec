// The arguments that steps had before an update changed them, for the case that it comes to nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace reprise::graph {

class FormerArguments {
 public:
  // For so many kernels at once; without it there is room as soon as it is needed.
  void reserve(size_t kernels) {
    if (room_ - used_ < usual_words * kernels) grow(usual_words * kernels);
  }

  // Those at `place`, where there is room for whole words.
  void keep(char* place, uint32_t bytes) {
    const size_t words = words_of(bytes);
    if (room_ - used_ < words + 1) grow(words + 1);
    Word* kept = &words_[used_];
    for (size_t i = 0; i < words; ++i) std::memcpy(kept + i, place + i * sizeof(Word), sizeof(Word));
    kept[words] = {place, bytes};
    used_ += words + 1;
  }
  // The latest first: a place may have been kept twice.
  void restore() {
    while (used_ > 0) {
      const auto [place, bytes] = words_[used_ - 1];
      const size_t words = words_of(static_cast<uint32_t>(bytes));
      used_ -= words + 1;
      std::memcpy(place, &words_[used_], words * sizeof(Word));
    }
  }
  void forget() { used_ = 0; }

 private:
  // Of arguments, or after them where they belong.
  struct Word {
    char* place;
    uint64_t bytes;
  };
  static size_t words_of(uint32_t bytes) { return (bytes + sizeof(Word) - 1) / sizeof(Word); }

  void grow(size_t words) {
    room_ = std::max(2 * room_, used_ + words);
    std::unique_ptr<Word[]> larger(new Word[room_]);
    std::copy_n(words_.get(), used_, larger.get());
    words_ = std::move(larger);
  }

  static constexpr size_t usual_words = 3;
  std::unique_ptr<Word[]> words_;
  size_t used_ = 0, room_ = 0;
};

}  // namespace reprise::graph
