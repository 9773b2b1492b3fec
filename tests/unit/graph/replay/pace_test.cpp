// How a plan's way of replaying is chosen, with times that the test makes up.
#include "graph/replay/pace.h"

#include <gtest/gtest.h>

namespace {

using reprise_runtime::graph::Pace;
using Way = Pace::Way;

// Replays with one thread taking `alone_ns` and several `together_ns`; `promised_ns` is what the schedule says.
struct Replays {
  double alone_ns, together_ns, promised_ns;
  Pace pace;
  double spent_ns = 0;

  Way replay() {
    const Way way = pace.next();
    spent_ns += way == Way::together ? together_ns : alone_ns;
    switch (way) {
      case Way::measured:
        pace.ran_measured();
        break;
      case Way::timed:
        pace.ran_alone(alone_ns);
        break;
      case Way::together:
        pace.ran_together(together_ns);
        break;
      case Way::alone:
        break;
    }
    if (pace.undecided()) pace.decide(promised_ns);
    return way;
  }
  // How many of the next `count` are of that way.
  int count(Way way, int count) {
    int found = 0;
    for (int i = 0; i < count; ++i) found += replay() == way;
    return found;
  }
};

TEST(Pace, MeasuresThenTimesThenDecides) {
  Replays replays{100'000, 50'000, 51'000, {}};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Way::measured, replays.replay());
  EXPECT_EQ(Way::timed, replays.replay());
  EXPECT_EQ(Way::timed, replays.replay());
  EXPECT_EQ(Way::together, replays.replay());
}

TEST(Pace, StaysTogetherWhereThatPays) {
  Replays replays{100'000, 50'000, 51'000, {}};
  replays.count(Way::measured, 5);
  EXPECT_GE(replays.count(Way::together, 1000), 998);
}

TEST(Pace, LittleWorkIsNotShared) {
  Replays replays{1'000, 100, 100, {}};
  replays.count(Way::measured, 5);
  EXPECT_EQ(0, replays.count(Way::together, 5000));
}

TEST(Pace, WhatPromisesLittleIsNotShared) {
  Replays replays{100'000, 50'000, 95'000, {}};
  replays.count(Way::measured, 5);
  EXPECT_EQ(0, replays.count(Way::together, 5000));
}

TEST(Pace, AloneTimesAreReadOnlyNowAndThen) {
  Replays replays{1'000, 100, 100, {}};
  replays.count(Way::measured, 5);
  EXPECT_GE(replays.count(Way::alone, 10'000), 9'900);
}

// The other cores are busy: several threads take ever so much longer than one.
TEST(Pace, LosesLittleWhereSharingAlwaysLoses) {
  for (double factor : {1.05, 2.0, 40.0}) {
    Replays replays{100'000, factor * 100'000, 51'000, {}};
    const int count = 200'000;
    replays.count(Way::together, count);
    EXPECT_LT(replays.spent_ns, 1.05 * count * replays.alone_ns) << factor;
  }
}

TEST(Pace, TriesAgainAfterAPause) {
  Replays replays{100'000, 200'000, 51'000, {}};
  replays.count(Way::measured, 5);
  EXPECT_GT(replays.count(Way::together, 10'000), 0);
  replays.together_ns = 50'000;  // the others have gone
  replays.count(Way::together, 10'000);
  EXPECT_GE(replays.count(Way::together, 1000), 998);
}

TEST(Pace, OneInterruptionChangesNothing) {
  Replays replays{100'000, 50'000, 51'000, {}};
  replays.count(Way::measured, 100);
  replays.together_ns = 400'000;
  EXPECT_EQ(Way::together, replays.replay());
  replays.together_ns = 50'000;
  EXPECT_GE(replays.count(Way::together, 100), 99);
}

TEST(Pace, DoubtsADecisionThatABadMomentMayHaveMade) {
  Replays replays{100'000, 50'000, 95'000, {}};
  replays.count(Way::measured, 5);
  replays.promised_ns = 51'000;
  replays.count(Way::together, 2000);
  EXPECT_GE(replays.count(Way::together, 1000), 990);
}

TEST(Pace, MeasuresAgainWhenTheStepsTakeOtherTimes) {
  Replays replays{100'000, 200'000, 51'000, {}};
  replays.count(Way::measured, 1000);
  replays.alone_ns = 400'000;
  EXPECT_GE(replays.count(Way::measured, 10'000), 1);
}

}  // namespace
