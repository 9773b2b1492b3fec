// The choice between sequential and parallel replays, with invented run times.
#include <gtest/gtest.h>

#include "graph/replay/replay_policy.h"

namespace {

using reprise_runtime::graph::ReplayPolicy;
using Choice = ReplayPolicy::Choice;

// Replays that take `sequential_ns` on one thread and `parallel_ns` on several; the schedule predicts `predicted_ns`.
struct Replays {
  double sequential_ns, parallel_ns, predicted_ns;
  ReplayPolicy policy;
  double spent_ns = 0;

  Choice replay() {
    const Choice choice = policy.next();
    spent_ns += choice == Choice::parallel ? parallel_ns : sequential_ns;
    switch (choice) {
      case Choice::measured:
        policy.ran_measured();
        break;
      case Choice::timed:
        policy.ran_sequential(sequential_ns);
        break;
      case Choice::parallel:
        policy.ran_parallel(parallel_ns);
        break;
      case Choice::sequential:
        break;
    }
    if (policy.undecided()) policy.decide(predicted_ns);
    return choice;
  }
  // How many of the next `replays` are run in that way.
  int count(Choice choice, int replays) {
    int found = 0;
    for (int i = 0; i < replays; ++i) found += replay() == choice;
    return found;
  }
};

TEST(ReplayPolicy, MeasuresThenTimesThenDecides) {
  Replays replays{100'000, 50'000, 51'000, {}};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Choice::measured, replays.replay());
  EXPECT_EQ(Choice::timed, replays.replay());
  EXPECT_EQ(Choice::timed, replays.replay());
  EXPECT_EQ(Choice::parallel, replays.replay());
}

TEST(ReplayPolicy, StaysParallelWhereThatIsFaster) {
  Replays replays{100'000, 50'000, 51'000, {}};
  replays.count(Choice::measured, 5);
  EXPECT_GE(replays.count(Choice::parallel, 1000), 998);
}

TEST(ReplayPolicy, IsSequentialWhereThereIsLittleWork) {
  Replays replays{1'000, 100, 100, {}};
  replays.count(Choice::measured, 5);
  EXPECT_EQ(0, replays.count(Choice::parallel, 5000));
}

TEST(ReplayPolicy, IsSequentialWhereThePredictedGainIsSmall) {
  Replays replays{100'000, 50'000, 95'000, {}};
  replays.count(Choice::measured, 5);
  EXPECT_EQ(0, replays.count(Choice::parallel, 5000));
}

TEST(ReplayPolicy, TimesSequentialReplaysOnlyNowAndThen) {
  Replays replays{1'000, 100, 100, {}};
  replays.count(Choice::measured, 5);
  EXPECT_GE(replays.count(Choice::sequential, 10'000), 9'900);
}

// The other cores are busy: several threads take longer than one.
TEST(ReplayPolicy, LosesLittleWhereParallelReplaysAreAlwaysSlower) {
  for (double factor : {1.05, 2.0, 40.0}) {
    Replays replays{100'000, factor * 100'000, 51'000, {}};
    const int count = 200'000;
    replays.count(Choice::parallel, count);
    EXPECT_LT(replays.spent_ns, 1.05 * count * replays.sequential_ns) << factor;
  }
}

TEST(ReplayPolicy, TriesAgainAfterAPause) {
  Replays replays{100'000, 200'000, 51'000, {}};
  replays.count(Choice::measured, 5);
  EXPECT_GT(replays.count(Choice::parallel, 10'000), 0);
  replays.parallel_ns = 50'000;  // the other cores are free again
  replays.count(Choice::parallel, 10'000);
  EXPECT_GE(replays.count(Choice::parallel, 1000), 998);
}

TEST(ReplayPolicy, OneInterruptionChangesNothing) {
  Replays replays{100'000, 50'000, 51'000, {}};
  replays.count(Choice::measured, 100);
  replays.parallel_ns = 400'000;
  EXPECT_EQ(Choice::parallel, replays.replay());
  replays.parallel_ns = 50'000;
  EXPECT_GE(replays.count(Choice::parallel, 100), 99);
}

TEST(ReplayPolicy, DoubtsADecisionFromDisturbedMeasurements) {
  Replays replays{100'000, 50'000, 95'000, {}};
  replays.count(Choice::measured, 5);
  replays.predicted_ns = 51'000;
  replays.count(Choice::parallel, 2000);
  EXPECT_GE(replays.count(Choice::parallel, 1000), 990);
}

TEST(ReplayPolicy, MeasuresAgainWhenRunTimesChange) {
  Replays replays{100'000, 200'000, 51'000, {}};
  replays.count(Choice::measured, 1000);
  replays.sequential_ns = 400'000;
  EXPECT_GE(replays.count(Choice::measured, 10'000), 1);
}

}  // namespace
