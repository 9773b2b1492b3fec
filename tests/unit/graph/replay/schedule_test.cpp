// Schedules: every step once, nothing before what it depends on, and as short as the shape allows.
#include "graph/replay/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using reprise_runtime::graph::make_schedule;
using reprise_runtime::graph::Schedule;

struct Steps {
  std::vector<uint32_t> first{0}, dependencies;
  std::vector<float> ns;

  void add(const std::vector<uint32_t>& after, float takes = 1000) {
    dependencies.insert(dependencies.end(), after.begin(), after.end());
    first.push_back(static_cast<uint32_t>(dependencies.size()));
    ns.push_back(takes);
  }
  Schedule schedule(unsigned lists, double hand_over = 0) const {
    return make_schedule(first, dependencies, ns, lists, hand_over);
  }
};

// Runs the lists like threads that wait only for dependencies; returns the steps that it ran.
size_t run(const Steps& steps, const Schedule& schedule) {
  std::vector<bool> done(steps.ns.size());
  std::vector<size_t> front(schedule.lists.size());
  size_t ran = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t list = 0; list < front.size(); ++list) {
      if (front[list] == schedule.lists[list].size()) continue;
      const uint32_t step = schedule.lists[list][front[list]];
      bool ready = true;
      for (uint32_t i = steps.first[step]; i < steps.first[step + 1]; ++i) ready &= done[steps.dependencies[i]];
      if (!ready) continue;
      EXPECT_FALSE(done[step]);
      done[step] = true;
      ++front[list];
      ++ran;
      moved = true;
    }
  }
  return ran;
}

TEST(Schedule, AChainStaysInOneList) {
  Steps steps;
  for (uint32_t i = 0; i < 20; ++i) steps.add(i ? std::vector<uint32_t>{i - 1} : std::vector<uint32_t>{});
  const Schedule schedule = steps.schedule(2, 150);
  EXPECT_EQ(20u, std::max(schedule.lists[0].size(), schedule.lists[1].size()));
  EXPECT_DOUBLE_EQ(20'000, schedule.ns);
}

TEST(Schedule, TwoChainsHaveAListEach) {
  Steps steps;
  for (uint32_t i = 0; i < 40; ++i) steps.add(i > 1 ? std::vector<uint32_t>{i - 2} : std::vector<uint32_t>{});
  const Schedule schedule = steps.schedule(2, 150);
  EXPECT_EQ(20u, schedule.lists[0].size());
  EXPECT_DOUBLE_EQ(20'000, schedule.ns);
}

TEST(Schedule, AForkIsSharedEvenly) {
  Steps steps;
  steps.add({});
  std::vector<uint32_t> middle;
  for (uint32_t i = 1; i <= 8; ++i) {
    steps.add({0});
    middle.push_back(i);
  }
  steps.add(middle);
  const Schedule schedule = steps.schedule(2, 100);
  EXPECT_LE(schedule.ns, 6'000 + 2 * 100);
}

TEST(Schedule, TheLongWayComesFirst) {
  // Three short steps and a long one, all ready: the long one must not wait for the short ones.
  Steps steps;
  for (int i = 0; i < 3; ++i) steps.add({}, 1000);
  steps.add({}, 3000);
  EXPECT_DOUBLE_EQ(3000, steps.schedule(2).ns);
}

TEST(Schedule, PrioritiesComeBeforeLongWays) {
  Steps steps;
  for (uint32_t i = 0; i < 4; ++i) steps.add({}, 1000.f * static_cast<float>(i + 1));
  const Schedule schedule = make_schedule(steps.first, steps.dependencies, steps.ns, 1, 0, {-2, 0, -5, 3});
  EXPECT_EQ((std::vector<uint32_t>{2, 0, 1, 3}), schedule.lists[0]);
}

TEST(Schedule, OfNothingIsNothing) {
  Steps steps;
  EXPECT_EQ(0, steps.schedule(2).ns);
}

TEST(Schedule, RandomOnesCanBeRunAndTakeNoLongerThanOneThread) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Steps steps;
    const uint32_t count = 1 + random() % 200;
    double total = 0;
    for (uint32_t i = 0; i < count; ++i) {
      std::vector<uint32_t> after;
      for (uint32_t k = random() % 4; k > 0 && i > 0; --k) after.push_back(random() % i);
      std::sort(after.begin(), after.end());
      after.erase(std::unique(after.begin(), after.end()), after.end());
      const float takes = static_cast<float>(random() % 3000);
      steps.add(after, takes);
      total += takes;
    }
    const unsigned lists = 1 + random() % 4;
    const Schedule schedule = steps.schedule(lists, 150);
    ASSERT_EQ(lists, schedule.lists.size());
    EXPECT_EQ(count, run(steps, schedule));
    EXPECT_LE(schedule.ns, total + 150.0 * count);
    if (lists == 1) EXPECT_NEAR(total, schedule.ns, 1);
  }
}

}  // namespace
