#include "exec/spread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/devices.h"
#include "exec/lane.h"
#include "exec/shares.h"
#include "exec/team.h"
#include "exec/wait.h"

namespace reprise_runtime::exec {
namespace {

TEST(Spread, EveryItemOnceWhateverIsKnownOfItsCost) {
  for (double ns : {0.0, 0.1, 50.0, 100'000.0}) {
    for (uint64_t count : {1u, 2u, 3u, 100u, 10'000u}) {
      std::vector<std::atomic<int>> hits(count);
      spread(count, ns, 1, [&](uint64_t begin, uint64_t end) {
        ASSERT_LT(begin, end);
        for (uint64_t i = begin; i < end; ++i) ++hits[i];
      });
      for (auto& hit : hits) ASSERT_EQ(hit, 1);
    }
  }
}

TEST(Spread, AnItemMayWaitForAllEarlierOnes) {
  // Like a scan that looks back: item i spins until item i - 1 is done.
  constexpr uint64_t count = 2000;
  for (Order order : {Order::shared, Order::rising}) {
    std::vector<std::atomic<bool>> done(count);
    spread(
        count, 100'000, 1,
        [&](uint64_t begin, uint64_t end) {
          for (uint64_t i = begin; i < end; ++i) {
            while (i > 0 && !done[i - 1]) std::this_thread::yield();
            done[i] = true;
          }
        },
        order);
    EXPECT_TRUE(done[count - 1]);
  }
}

TEST(Spread, PartsAreAtLeastAsLargeAsAsked) {
  spread(10'000, 10'000, 64, [&](uint64_t begin, uint64_t end) {
    if (end != 10'000) EXPECT_GE(end - begin, 64u);
  });
}

TEST(Spread, LargeWorkIsSharedByWorkers) {
  if (core_count() < 2) GTEST_SKIP() << "one core";
  // Ends only if a second thread joins.
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
  spread(1000, 1'000'000, 1, [&](uint64_t, uint64_t) {
    if (++inside >= 2) met = true;
    while (!met) std::this_thread::yield();
    --inside;
  });
  EXPECT_TRUE(met);
}

struct Part {
  uint64_t begin, end;
  bool operator==(const Part&) const = default;
};
Part next_of(Shares& shares, Shares::Place& place) {
  Part part{0, 0};
  return shares.take(place, part.begin, part.end) ? part : Part{0, 0};
}

TEST(Shares, EachBeginsWithItsOwnAndPartsGetSmaller) {
  Shares shares(100, 500, 10, 4, 4);
  auto leader = shares.place(0), third = shares.place(2), before = shares.place(-1);
  EXPECT_EQ(next_of(shares, leader), (Part{100, 150}));
  EXPECT_EQ(next_of(shares, third), (Part{300, 350}));
  EXPECT_EQ(next_of(shares, before), (Part{400, 450}));
  EXPECT_EQ(next_of(shares, leader), (Part{150, 170}));
  EXPECT_EQ(next_of(shares, leader), (Part{170, 180}));
}

TEST(Shares, AnIdleThreadTakesUnownedItemsFirstAndThenStealsFromTheEndsOfOthers) {
  Shares shares(0, 30, 10, 3, 3);
  auto leader = shares.place(0), last = shares.place(2);
  EXPECT_EQ(next_of(shares, leader), (Part{0, 10}));
  EXPECT_EQ(next_of(shares, leader), (Part{10, 20}));  // not the last, which may wait for it
  EXPECT_EQ(next_of(shares, last), (Part{20, 30}));
  EXPECT_EQ(next_of(shares, leader), (Part{0, 0}));

  Shares two(0, 80, 10, 2, 2);
  auto owner = two.place(1), thief = two.place(0);
  EXPECT_EQ(next_of(two, owner), (Part{40, 60}));
  for (uint64_t begin : {0, 20, 30}) EXPECT_EQ(next_of(two, thief).begin, begin);
  EXPECT_EQ(next_of(two, thief), (Part{70, 80}));
  EXPECT_EQ(next_of(two, owner), (Part{60, 70}));
  EXPECT_EQ(next_of(two, owner), (Part{0, 0}));
}

TEST(Shares, ASingleOneIsTakenFromTheFrontByAll) {
  Shares shares(0, 160, 1, 1, 4);
  auto first = shares.place(0), second = shares.place(1);
  EXPECT_EQ(next_of(shares, first), (Part{0, 20}));
  EXPECT_EQ(next_of(shares, second), (Part{20, 37}));
  EXPECT_EQ(next_of(shares, first), (Part{37, 52}));
}

TEST(Shares, MoreItemsThanFit32BitsAndFewerThanCores) {
  constexpr uint64_t many = uint64_t{1} << 60;
  Shares shares(0, many, 1, 64, 64);
  auto place = shares.place(0);
  uint64_t expected = 0;
  for (Part part; (part = next_of(shares, place)).end != 0; expected = part.end) ASSERT_EQ(part.begin, expected);
  EXPECT_EQ(expected, many);

  Shares few(0, 2, 1, 64, 64);
  auto far = few.place(63);
  EXPECT_EQ(next_of(few, far), (Part{1, 2}));
  EXPECT_EQ(next_of(few, far), (Part{0, 1}));
}

TEST(Team, AWaitingThreadJoinsTheWorkThatItWaitsFor) {
  Lane& lane = Lane::acquire(0);
  std::atomic<int> inside{0};
  std::thread::id waiting = std::this_thread::get_id();
  std::atomic<bool> joined{false}, running{false};
  lane.submit([&](Lane&) {
    auto body = [&] {
      ++inside;
      if (std::this_thread::get_id() == waiting) joined = true;
      running = true;
      while (!joined) std::this_thread::yield();
    };
    Team team([](void* context) { (*static_cast<decltype(body)*>(context))(); }, &body, 1000);
    team.run();
  });
  while (!running) std::this_thread::yield();  // A worker has it.
  wait(lane.last());
  EXPECT_TRUE(joined);
  lane.retire();
}

TEST(Team, MoreTeamsThanTheBoardHasPlacesStillWork) {
  std::vector<std::unique_ptr<Team>> teams;
  std::atomic<int> runs{0};
  for (int i = 0; i < 100; ++i) {
    teams.push_back(std::make_unique<Team>([](void* runs) { ++*static_cast<std::atomic<int>*>(runs); }, &runs, 1));
  }
  for (auto& team : teams) team->run();
  EXPECT_EQ(runs, 100);
}

}  // namespace
}  // namespace reprise_runtime::exec
