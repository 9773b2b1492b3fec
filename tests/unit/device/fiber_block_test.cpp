// Blocks whose threads run as fibers: barriers, warp operations, exits, yields and deadlocks.
#include "device/fiber_block.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace reprise_runtime::device {
namespace {

struct Body {
  FiberBlock* block;
  std::function<void(FiberBlock&, uint32_t)> thread;
  uint32_t dim_x, dim_y;
};

void call_body(const void* params, const reprise_launch*, const uint32_t*, const uint32_t* index) {
  const Body& body = *static_cast<const Body*>(params);
  body.thread(*body.block, (index[2] * body.dim_y + index[1]) * body.dim_x + index[0]);
}

class FiberBlockTest : public testing::Test {
 protected:
  bool run(uint32_t threads, std::function<void(FiberBlock&, uint32_t)> thread) {
    return run(threads, 1, 1, std::move(thread));
  }
  bool run(uint32_t x, uint32_t y, uint32_t z, std::function<void(FiberBlock&, uint32_t)> thread) {
    reprise_launch launch{};
    launch.block[0] = x, launch.block[1] = y, launch.block[2] = z;
    launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
    launch.block_end = 1;
    const Body body{&block_, std::move(thread), x, y};
    const uint32_t index[3] = {0, 0, 0};
    return block_.run(&body, launch, call_body, index);
  }

  FiberStacks stacks_;
  FiberBlock block_{stacks_};
};

TEST_F(FiberBlockTest, EveryThreadOfAThreeDimensionalBlockRunsOnce) {
  std::vector<int> runs(5 * 3 * 2);
  ASSERT_TRUE(run(5, 3, 2, [&](FiberBlock&, uint32_t t) { ++runs[t]; }));
  EXPECT_EQ(runs, std::vector<int>(30, 1));
}

TEST_F(FiberBlockTest, NoThreadPassesABarrierBeforeTheLastArrives) {
  for (uint32_t threads : {1u, 31u, 32u, 33u, 256u, 1024u}) {
    uint32_t arrived = 0, early = 0;
    ASSERT_TRUE(run(threads, [&](FiberBlock& b, uint32_t) {
      for (uint32_t round = 1; round <= 5; ++round) {
        ++arrived;
        b.barrier(0, 0);
        early += arrived < round * threads;
        b.barrier(0, 0);
      }
    }));
    EXPECT_EQ(arrived, 5 * threads);
    EXPECT_EQ(early, 0u) << threads;
  }
}

TEST_F(FiberBlockTest, AThreadThatHasExitedCountsAsArrived) {
  uint32_t passed = 0;
  ASSERT_TRUE(run(100, [&](FiberBlock& b, uint32_t t) {
    if (t % 3 == 0) return;
    b.barrier(0, 0);
    if (t % 3 == 1) return;
    b.barrier(0, 0);
    ++passed;
  }));
  EXPECT_EQ(passed, 33u);
}

TEST_F(FiberBlockTest, ABarrierReducesPredicates) {
  std::vector<int> counts(70), alls(70), anys(70), nones(70);
  ASSERT_TRUE(run(70, [&](FiberBlock& b, uint32_t t) {
    counts[t] = b.barrier_reduce(0, t % 7 == 0 ? 5 : 0);
    alls[t] = b.barrier_reduce(1, t < 70);
    anys[t] = b.barrier_reduce(2, t == 69);
    nones[t] = b.barrier_reduce(1, t != 3);
  }));
  EXPECT_EQ(counts, std::vector<int>(70, 10));
  EXPECT_EQ(alls, std::vector<int>(70, 1));
  EXPECT_EQ(anys, std::vector<int>(70, 1));
  EXPECT_EQ(nones, std::vector<int>(70, 0));
}

TEST_F(FiberBlockTest, NamedBarriersKeepProducersAndConsumersApart) {
  int produced = 0, seen = 0;
  ASSERT_TRUE(run(64, [&](FiberBlock& b, uint32_t t) {
    if (t < 32) {
      ++produced;
      b.barrier(3, 64);
    } else {
      b.barrier(3, 64);
      seen += produced;
      b.barrier(4, 32);  // only the consumers
    }
  }));
  EXPECT_EQ(seen, 32 * 32);
}

TEST_F(FiberBlockTest, DisjointMasksOfAWarpSynchroniseSeparately) {
  std::vector<int> order;
  ASSERT_TRUE(run(32, [&](FiberBlock& b, uint32_t t) {
    const uint32_t mask = t % 2 ? 0xaaaaaaaau : 0x55555555u;
    for (uint32_t i = 0; i < 3 + t % 2; ++i) b.warp_sync(mask);
    order.push_back(static_cast<int>(t));
  }));
  EXPECT_EQ(order.size(), 32u);
}

TEST_F(FiberBlockTest, AWarpExchangesValuesThroughItsSlots) {
  std::vector<uint64_t> got(48);
  ASSERT_TRUE(run(48, [&](FiberBlock& b, uint32_t t) {
    b.warp_slots()[t % 32] = t * 10;
    b.warp_sync(~0u);
    got[t] = b.warp_slots()[(t % 32) ^ 1];
  }));
  for (uint32_t t = 0; t < 48; ++t) EXPECT_EQ(got[t], (t ^ 1) * 10);
}

TEST_F(FiberBlockTest, ALaneThatHasExitedDoesNotHoldUpItsWarp) {
  int passed = 0;
  ASSERT_TRUE(run(32, [&](FiberBlock& b, uint32_t t) {
    if (t >= 8) return;
    b.warp_sync(~0u);
    ++passed;
  }));
  EXPECT_EQ(passed, 8);
}

constexpr char one_place = 0, other_place = 0;

TEST_F(FiberBlockTest, ActiveMaskNamesTheLanesThatCameTogether) {
  std::vector<uint32_t> masks(40);
  ASSERT_TRUE(run(40, [&](FiberBlock& b, uint32_t t) {
    if (t % 4 == 0) {
      b.barrier(0, 0);
      masks[t] = 1;
    } else if (t % 2) {
      masks[t] = b.active_mask(&one_place);
      b.warp_sync(masks[t]);
      b.barrier(0, 0);
    } else {
      masks[t] = b.active_mask(&other_place);
      b.barrier(0, 0);
    }
  }));
  EXPECT_EQ(masks[1], 0xaaaaaaaau);
  EXPECT_EQ(masks[2], 0x44444444u);
  EXPECT_EQ(masks[33], 0xaau);
}

TEST_F(FiberBlockTest, AThreadThatSpinsLetsTheOneItWaitsForRun) {
  bool flag = false;
  ASSERT_TRUE(run(64, [&](FiberBlock& b, uint32_t t) {
    if (t == 63) flag = true;
    while (!flag) b.yield();
  }));
  EXPECT_TRUE(flag);
}

TEST_F(FiberBlockTest, AnActiveMaskIsAnsweredWhileOthersSpin) {
  bool flag = false;
  uint32_t mask = 0;
  ASSERT_TRUE(run(2, [&](FiberBlock& b, uint32_t t) {
    if (t == 0) {
      while (!flag) b.yield();
    } else {
      mask = b.active_mask(&one_place);
      flag = true;
    }
  }));
  EXPECT_EQ(mask, 2u);
}

TEST_F(FiberBlockTest, ThreadsThatNeverMeetAreReportedAndTheBlockCanBeUsedAgain) {
  EXPECT_FALSE(run(64, [&](FiberBlock& b, uint32_t t) {
    if (t == 5) b.warp_sync(~0u);  // the others are at the barrier
    b.barrier(0, 0);
  }));
  EXPECT_NE(std::string(block_.deadlock_report()).find("63 wait at a barrier"), std::string::npos);
  int ran = 0;
  EXPECT_TRUE(run(64, [&](FiberBlock& b, uint32_t) {
    b.barrier(0, 0);
    ++ran;
  }));
  EXPECT_EQ(ran, 64);
}

[[gnu::noinline]] uint64_t recurse(uint32_t depth) {
  volatile char room[64] = {};
  return depth == 0 ? room[0] : 1 + recurse(depth - 1) + room[1];
}

TEST_F(FiberBlockTest, AThreadHasRoomForDeepRecursion) {
  uint64_t sum = 0;
  ASSERT_TRUE(run(8, [&](FiberBlock& b, uint32_t) {
    b.barrier(0, 0);
    sum += recurse(1000);
  }));
  EXPECT_EQ(sum, 8000u);
}

}  // namespace
}  // namespace reprise_runtime::device
