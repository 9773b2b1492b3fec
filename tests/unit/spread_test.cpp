#include "exec/spread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/devices.h"
#include "exec/lane.h"
#include "exec/team.h"
#include "exec/wait.h"

namespace reprise::exec {
namespace {

TEST(Spread, every_item_once_whatever_is_known_of_its_cost) {
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

TEST(Spread, an_item_may_wait_for_all_earlier_ones) {
  // Like a scan that looks back: item i spins until item i - 1 is done.
  constexpr uint64_t count = 2000;
  std::vector<std::atomic<bool>> done(count);
  spread(count, 100'000, 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      while (i > 0 && !done[i - 1]) std::this_thread::yield();
      done[i] = true;
    }
  });
  EXPECT_TRUE(done[count - 1]);
}

TEST(Spread, parts_are_at_least_as_large_as_asked) {
  spread(10'000, 10'000, 64, [&](uint64_t begin, uint64_t end) {
    if (end != 10'000) EXPECT_GE(end - begin, 64u);
  });
}

TEST(Spread, large_work_is_shared_by_workers) {
  if (core_count() < 2) GTEST_SKIP() << "one core";
  // Ends only if a second thread comes.
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
  spread(1000, 1'000'000, 1, [&](uint64_t, uint64_t) {
    if (++inside >= 2) met = true;
    while (!met) std::this_thread::yield();
    --inside;
  });
  EXPECT_TRUE(met);
}

TEST(Team, a_waiting_thread_joins_the_work_that_it_waits_for) {
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

TEST(Team, more_teams_than_the_board_has_places_still_work) {
  std::vector<std::unique_ptr<Team>> teams;
  std::atomic<int> runs{0};
  for (int i = 0; i < 100; ++i) {
    teams.push_back(std::make_unique<Team>([](void* runs) { ++*static_cast<std::atomic<int>*>(runs); }, &runs, 1));
  }
  for (auto& team : teams) team->run();
  EXPECT_EQ(runs, 100);
}

}  // namespace
}  // namespace reprise::exec
