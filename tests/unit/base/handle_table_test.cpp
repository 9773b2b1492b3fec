#include "base/handle_table.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace reprise_runtime {
namespace {

struct Thing : Handled<Thing> {
  static constexpr HandleType handle_type = HandleType::test;
  static inline std::atomic<int> alive{0};

  explicit Thing(int number) : number(number) { ++alive; }
  ~Thing() { --alive; }
  int number;
};

struct Other : Handled<Other> {
  static constexpr HandleType handle_type = HandleType::user_object;
};

HandleTable<Thing>& things() { return HandleTable<Thing>::instance(); }

TEST(HandleTable, FindsWhatWasCreatedAndNothingAfterItIsErased) {
  Handle handle = things().create(7)->handle();
  EXPECT_EQ(things().find(handle)->number, 7);
  EXPECT_TRUE(things().erase(handle));
  EXPECT_FALSE(things().find(handle));
  EXPECT_FALSE(things().erase(handle));
  EXPECT_EQ(Thing::alive, 0);
}

TEST(HandleTable, AnErasedObjectLivesAsLongAsAReference) {
  Ref<Thing> held = things().create(3);
  things().erase(held->handle());
  EXPECT_EQ(Thing::alive, 1);
  EXPECT_EQ(held->number, 3);
  Handle next{held->handle().bits + (uint64_t{1} << Handle::index_bits)};
  EXPECT_FALSE(things().find(next)) << "the handle that the slot will have next must not name the erased object";
  held = nullptr;
  EXPECT_EQ(Thing::alive, 0);
}

TEST(HandleTable, ARecycledSlotDoesNotAnswerToItsOldHandle) {
  Handle first = things().create(1)->handle();
  things().erase(first);
  Handle second = things().create(2)->handle();
  EXPECT_EQ(first.index(), second.index());
  EXPECT_NE(first, second);
  EXPECT_FALSE(things().find(first));
  EXPECT_EQ(things().find(second)->number, 2);
  things().erase(second);
}

TEST(HandleTable, AnyBitPatternMayBeLookedUp) {
  Handle live = things().create(1)->handle();
  int on_stack = 0;
  EXPECT_FALSE(things().find(Handle::from(&on_stack)));
  EXPECT_FALSE(things().find(HandleTable<Other>::instance().create()->handle()));
  for (uint64_t small = 0; small < 1000; ++small) EXPECT_FALSE(things().find(Handle{small}));
  std::mt19937_64 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    Handle handle{random()};
    if (i % 2) handle.bits = (handle.bits & 0x00ffffffffffffff) | (live.bits & 0xff00000000000000);
    if (handle != live) {
      EXPECT_FALSE(things().find(handle));
    }
  }
  things().erase(live);
}

TEST(HandleTable, GrowsOverManyChunksAndVisitsEachObjectOnce) {
  std::vector<Handle> handles;
  for (int i = 0; i < 100'000; ++i) handles.push_back(things().create(i)->handle());
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(things().find(handles[i])->number, i);
  for (int i = 0; i < 100'000; i += 2) things().erase(handles[i]);
  long sum = 0, count = 0;
  things().for_each([&](Ref<Thing> thing) { sum += thing->number, ++count; });
  EXPECT_EQ(count, 50'000);
  EXPECT_EQ(sum, 50'000L * 50'000L);
  for (int i = 1; i < 100'000; i += 2) things().erase(handles[i]);
  EXPECT_EQ(things().live(), 0u);
}

TEST(HandleTable, LookupsBesideDestructionSeeWholeObjectsOrNone) {
  constexpr int rounds = 20'000;
  std::atomic<uint64_t> published{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  std::atomic<long> found{0}, erased_by_readers{0};
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      while (!stop.load(std::memory_order_relaxed)) {
        Handle handle{published.load(std::memory_order_acquire)};
        if (Ref<Thing> thing = things().find(handle)) {
          EXPECT_EQ(thing->number, 42);
          found.fetch_add(1, std::memory_order_relaxed);
        }
        if (r == 0 && things().erase(handle)) erased_by_readers.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  long erased_here = 0;
  for (int i = 0; i < rounds; ++i) {
    Handle handle = things().create(42)->handle();
    published.store(handle.bits, std::memory_order_release);
    if (i % 64 == 0) std::this_thread::yield();
    if (things().erase(handle)) ++erased_here;
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(erased_here + erased_by_readers, rounds) << "each object is erased exactly once";
  EXPECT_EQ(Thing::alive, 0);
}

}  // namespace
}  // namespace reprise_runtime
