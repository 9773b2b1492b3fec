// The arguments that steps had before an update changed them, for the case that it comes to nothing.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace reprise::graph {

class FormerArguments {
 public:
  void reserve(size_t kernels) { words_.reserve(words_.size() + usual_words * kernels); }

  // Those at `place`, where there is room for whole words.
  void keep(char* place, uint32_t bytes) {
    for (uint32_t at = 0; at < bytes; at += sizeof(Word)) {
      words_.emplace_back();
      std::memcpy(&words_.back(), place + at, sizeof(Word));
    }
    words_.push_back({place, bytes});
  }
  // The latest first: a place may have been kept twice.
  void restore() {
    while (!words_.empty()) {
      const auto [place, bytes] = words_.back();
      const size_t words = (bytes + sizeof(Word) - 1) / sizeof(Word);
      words_.resize(words_.size() - words - 1);
      std::memcpy(place, words_.data() + words_.size(), words * sizeof(Word));
    }
  }
  void forget() { words_.clear(); }

 private:
  // Of arguments, or after them where they belong.
  struct Word {
    char* place;
    uint64_t bytes;
  };
  static constexpr size_t usual_words = 3;
  std::vector<Word> words_;
};

}  // namespace reprise::graph
