#include "memory/address/address_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "memory/address/foreign_ranges.h"
#include "memory/allocate/heap.h"

namespace reprise_runtime::memory {
namespace {

class AddressMapTest : public testing::Test {
 protected:
  AddressWindow& window = AddressWindow::instance();
  Capacity capacity{std::size_t{256} << 20};
  Heap device{window, capacity, MemoryKind::device, 1};
  Heap pinned{window, capacity, MemoryKind::pinned, 0};
};

TEST_F(AddressMapTest, KnowsEveryByteOfAnAllocationAndNoneBeyond) {
  for (std::size_t bytes : {std::size_t{1}, std::size_t{300}, std::size_t{100000}, std::size_t{5000000}}) {
    auto* p = static_cast<char*>(device.allocate(bytes));
    for (std::size_t offset : {std::size_t{0}, bytes / 2, bytes - 1}) {
      const Range range = lookup(p + offset);
      EXPECT_EQ(range.base, reinterpret_cast<std::uintptr_t>(p));
      EXPECT_EQ(range.size, bytes);
      EXPECT_EQ(range.kind, MemoryKind::device);
      EXPECT_EQ(range.device, 1);
      EXPECT_TRUE(range.holds(p + offset, bytes - offset));
      EXPECT_FALSE(range.holds(p + offset, bytes - offset + 1));
      EXPECT_FALSE(range.holds(p + offset, SIZE_MAX));
    }
    EXPECT_EQ(lookup(p + bytes).kind, MemoryKind::dead);
    device.free(window.find(p), p);
    EXPECT_EQ(lookup(p).kind, MemoryKind::dead);
  }
}

TEST_F(AddressMapTest, KeepsFlagsPerAllocation) {
  void* a = pinned.allocate(100, 5);
  void* b = pinned.allocate(100, 0x80);
  void* c = pinned.allocate(1000000, 7);
  EXPECT_EQ(lookup(a).flags, 5);
  EXPECT_EQ(lookup(b).flags, 0x80);
  EXPECT_EQ(lookup(c).flags, 7);
  EXPECT_EQ(lookup(c).kind, MemoryKind::pinned);
}

TEST_F(AddressMapTest, AnyBitPatternIsAnswered) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const auto* p = reinterpret_cast<const void*>(random() >> (random() % 64));
    if (!window.contains(p)) {
      EXPECT_EQ(lookup(p).kind, MemoryKind::pageable);
    }
  }
  int local = 0;
  EXPECT_EQ(lookup(&local).kind, MemoryKind::pageable);
  EXPECT_EQ(lookup(nullptr).kind, MemoryKind::pageable);
}

ForeignRange registered(std::uintptr_t base, std::size_t size) { return {base, size, MemoryKind::registered, 2, 0}; }

TEST(ForeignRanges, AreFoundByAnyByteAndNeverOverlap) {
  ForeignRanges ranges;
  EXPECT_EQ(ranges.find(nullptr).size, 0u);
  EXPECT_TRUE(ranges.add(registered(1000, 100)));
  EXPECT_TRUE(ranges.add(registered(500, 500)));
  EXPECT_TRUE(ranges.add(registered(1100, 1)));
  EXPECT_FALSE(ranges.add(registered(1000, 100)));
  EXPECT_FALSE(ranges.add(registered(1099, 1)));
  EXPECT_FALSE(ranges.add(registered(400, 101)));
  EXPECT_FALSE(ranges.add(registered(1, 5000)));
  auto base_at = [&](std::uintptr_t a) { return ranges.find(reinterpret_cast<void*>(a)).base; };
  EXPECT_EQ(base_at(499), 0u);
  EXPECT_EQ(base_at(500), 500u);
  EXPECT_EQ(base_at(999), 500u);
  EXPECT_EQ(base_at(1000), 1000u);
  EXPECT_EQ(base_at(1100), 1100u);
  EXPECT_EQ(base_at(1101), 0u);
  EXPECT_EQ(ranges.remove(reinterpret_cast<void*>(1001), MemoryKind::registered).size, 0u);
  EXPECT_EQ(ranges.remove(reinterpret_cast<void*>(1000), MemoryKind::imported).size, 0u);
  EXPECT_EQ(ranges.remove(reinterpret_cast<void*>(1000), MemoryKind::registered).size, 100u);
  EXPECT_EQ(base_at(1000), 0u);
  EXPECT_EQ(base_at(999), 500u);
}

TEST(ForeignRanges, KeepKindFlagsAndDevice) {
  ForeignRanges ranges;
  ASSERT_TRUE(ranges.add({4096, 10, MemoryKind::variable, 0xab, -3}));
  const ForeignRange found = ranges.find(reinterpret_cast<void*>(4100));
  EXPECT_EQ(found.kind, MemoryKind::variable);
  EXPECT_EQ(found.flags, 0xab);
  EXPECT_EQ(found.device, -3);
}

TEST(ForeignRanges, StayWholeForReadersWhileTheyChange) {
  ForeignRanges ranges;
  ASSERT_TRUE(ranges.add(registered(1 << 20, 64)));
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([&] {
      while (!done.load()) {
        ASSERT_EQ(ranges.find(reinterpret_cast<void*>((1 << 20) + 63)).size, 64u);
        const ForeignRange other = ranges.find(reinterpret_cast<void*>(5000));
        ASSERT_TRUE(other.size == 0 || (other.base == 5000 && other.size == 10)) << other.base << ' ' << other.size;
      }
    });
  }
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::uintptr_t base = 5000 + random() % 40 * 10;
    if (!ranges.add(registered(base, 10))) {
      EXPECT_EQ(ranges.remove(reinterpret_cast<void*>(base), MemoryKind::registered).size, 10u);
    }
  }
  done = true;
  for (auto& reader : readers) reader.join();
}

}  // namespace
}  // namespace reprise_runtime::memory
