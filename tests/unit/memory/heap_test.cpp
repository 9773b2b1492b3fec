#include "memory/allocate/heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "memory/address/address_map.h"

namespace reprise_runtime::memory {
namespace {

class HeapTest : public testing::Test {
 protected:
  static constexpr std::size_t window_bytes = std::size_t{1} << 30;
  AddressWindow window{window_bytes};
  Capacity capacity{std::size_t{256} << 20};
  Heap heap{window, capacity, MemoryKind::device, 3};

  bool free(void* address) {
    Span* span = window.find(address);
    return span && heap.free(span, address);
  }
};

TEST(SizeClass, HoldsTheRequestAndLosesAtMostAFifthAbove2048) {
  std::uint32_t previous = 0;
  for (std::size_t bytes = 1; bytes <= largest_block; ++bytes) {
    const SizeClass c = size_class_of(bytes);
    ASSERT_GE(c.block_bytes, bytes);
    ASSERT_EQ(c.block_bytes % smallest_block, 0u);
    ASSERT_LT(c.index, size_class_count);
    ASSERT_GE(c.index, previous);
    ASSERT_LE(c.index, previous + 1) << "a class that no size falls into, at " << bytes;
    if (bytes > 2048) {
      ASSERT_LE((c.block_bytes - bytes) * 5, c.block_bytes) << bytes;
    }
    previous = c.index;
  }
}

TEST_F(HeapTest, AllocationsAreAlignedSeparateAndWritable) {
  std::vector<std::pair<char*, std::size_t>> live;
  for (std::size_t bytes : {1u, 255u, 256u, 257u, 1024u, 5000u, 65536u, 262144u, 262145u, 3000000u}) {
    for (int i = 0; i < 5; ++i) {
      auto* p = static_cast<char*>(heap.allocate(bytes));
      ASSERT_NE(p, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 512, 0u);
      std::memset(p, static_cast<int>(live.size()), bytes);
      live.emplace_back(p, bytes);
    }
  }
  for (std::size_t i = 0; i < live.size(); ++i) {
    EXPECT_EQ(live[i].first[0], static_cast<char>(i));
    EXPECT_EQ(live[i].first[live[i].second - 1], static_cast<char>(i));
    EXPECT_TRUE(free(live[i].first));
  }
  EXPECT_EQ(capacity.used(), 0u);
}

TEST_F(HeapTest, LargeAllocationsStartOnAHugePage) {
  void* p = heap.allocate(AddressWindow::huge_page + 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % AddressWindow::huge_page, 0u);
  EXPECT_TRUE(free(p));
}

TEST_F(HeapTest, OnlyTheStartOfALiveAllocationCanBeFreedAndOnlyOnce) {
  for (std::size_t bytes : {std::size_t{600}, largest_block + 1}) {
    auto* p = static_cast<char*>(heap.allocate(bytes));
    EXPECT_FALSE(free(p + 1));
    EXPECT_FALSE(free(p + 256));
    EXPECT_TRUE(free(p));
    EXPECT_FALSE(free(p));
  }
  EXPECT_EQ(capacity.used(), 0u);
}

TEST_F(HeapTest, AnAllocationThatDoesNotFitIsRefusedAndLeaksNothing) {
  EXPECT_EQ(heap.allocate(capacity.total() + 1), nullptr);
  EXPECT_EQ(heap.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(capacity.used(), 0u);
  void* most = heap.allocate(capacity.total() - 4096);
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(heap.allocate(8192), nullptr);
  EXPECT_TRUE(free(most));
  void* again = heap.allocate(capacity.total());
  EXPECT_NE(again, nullptr);
  EXPECT_TRUE(free(again));
}

TEST_F(HeapTest, FreeAllGivesEverythingBack) {
  for (std::size_t bytes = 1; bytes < 2000000; bytes = bytes * 3 + 1) ASSERT_NE(heap.allocate(bytes), nullptr);
  heap.free_all();
  EXPECT_EQ(capacity.used(), 0u);
  EXPECT_NE(heap.allocate(100), nullptr);
}

TEST_F(HeapTest, AddressesAreUsedAgain) {
  // In total, many times the size of the window.
  for (int i = 0; i < 100; ++i) {
    void* p = heap.allocate(std::size_t{100} << 20);
    ASSERT_NE(p, nullptr) << i;
    ASSERT_TRUE(free(p));
  }
}

TEST_F(HeapTest, RandomAllocationsNeverOverlap) {
  std::mt19937_64 random(7);
  std::map<std::uintptr_t, std::pair<std::size_t, unsigned char>> live;
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < 200 && random() % 2) {
      const std::size_t bytes = 1 + random() % (std::size_t{1} << (random() % 19));
      void* p = heap.allocate(bytes);
      ASSERT_NE(p, nullptr);
      const auto address = reinterpret_cast<std::uintptr_t>(p);
      auto next = live.lower_bound(address);
      if (next != live.end()) {
        ASSERT_LE(address + bytes, next->first);
      }
      if (next != live.begin()) {
        auto previous = std::prev(next);
        ASSERT_LE(previous->first + previous->second.first, address);
      }
      const auto mark = static_cast<unsigned char>(random());
      std::memset(p, mark, bytes);
      live.emplace(address, std::pair{bytes, mark});
    } else if (!live.empty()) {
      auto victim = std::next(live.begin(), static_cast<long>(random() % live.size()));
      const auto* bytes = reinterpret_cast<unsigned char*>(victim->first);
      ASSERT_TRUE(std::all_of(bytes, bytes + victim->second.first,
                              [&](unsigned char b) { return b == victim->second.second; }));
      ASSERT_TRUE(free(reinterpret_cast<void*>(victim->first)));
      live.erase(victim);
    }
  }
}

TEST_F(HeapTest, ManyThreadsAllocateAndFree) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      std::mt19937 random(t);
      std::vector<std::pair<char*, std::size_t>> mine;
      for (int i = 0; i < 3000; ++i) {
        const std::size_t bytes = 1 + random() % 5000;
        auto* p = static_cast<char*>(heap.allocate(bytes));
        ASSERT_NE(p, nullptr);
        p[0] = p[bytes - 1] = static_cast<char>(t);
        mine.emplace_back(p, bytes);
        if (mine.size() > 20) {
          const auto [old, size] = mine[random() % mine.size()];
          ASSERT_EQ(old[0], static_cast<char>(t));
          ASSERT_EQ(old[size - 1], static_cast<char>(t));
          ASSERT_TRUE(free(old));
          std::erase(mine, std::pair{old, size});
        }
      }
      for (auto [p, size] : mine) ASSERT_TRUE(free(p));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(capacity.used(), 0u);
}

}  // namespace
}  // namespace reprise_runtime::memory
