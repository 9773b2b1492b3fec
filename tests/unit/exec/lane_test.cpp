#include "exec/lane.h"

#include <gtest/gtest.h>

#include <thread>

#include "exec/blocking.h"
#include "exec/wait.h"
#include "exec/workers.h"

namespace reprise_runtime::exec {
namespace {

void spin_until(const std::atomic<bool>& flag) {
  while (!flag.load(std::memory_order_acquire)) std::this_thread::yield();
}

TEST(Lane, RunsTasksInOrder) {
  Lane& lane = Lane::acquire(0);
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) lane.submit([&order, i](Lane&) { order.push_back(i); });
  wait(lane.last());
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);
  lane.retire();
}

TEST(Lane, WorkIsDoneWithoutAWaitingThread) {
  Lane& lane = Lane::acquire(0);
  std::atomic<bool> done{false};
  lane.submit([&](Lane&) { done.store(true, std::memory_order_release); });
  spin_until(done);
  lane.retire();
}

TEST(Lane, WorkIsDoneAfterTheWaitingThreadLeft) {
  Lane& lane = Lane::acquire(0);
  for (int i = 0; i < 1000; ++i) {
    lane.submit([](Lane&) {});
    wait(lane.last());
  }
  std::atomic<bool> done{false};
  lane.submit([&](Lane&) { done.store(true, std::memory_order_release); });
  spin_until(done);
  lane.retire();
}

// The thread that ran the last task may hold the lane a moment longer.
template <class Task>
void run_when_idle(Lane& lane, Task&& task) {
  while (!lane.run_if_idle(task)) std::this_thread::yield();
}

TEST(Lane, AnIdleLaneRunsATaskAtOnceAndABusyOneDoesNot) {
  Lane& lane = Lane::acquire(0);
  std::thread::id runner;
  run_when_idle(lane, [&] { runner = std::this_thread::get_id(); });
  EXPECT_EQ(runner, std::this_thread::get_id());
  std::atomic<bool> open{false};
  lane.submit([&](Lane&) { spin_until(open); });
  EXPECT_FALSE(lane.run_if_idle([] { ADD_FAILURE(); }));
  open = true;
  wait(lane.last());
  run_when_idle(lane, [] {});
  lane.retire();
}

TEST(Lane, TasksSubmittedBesideOneThatRunsAtOnceFollowIt) {
  Lane& lane = Lane::acquire(0);
  bool first_done = false;
  std::atomic<bool> second_saw_first{false}, begun{false};
  std::thread other([&] {
    spin_until(begun);
    lane.submit([&](Lane&) { second_saw_first = first_done; });
  });
  run_when_idle(lane, [&] {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // time for the other to try
    first_done = true;
  });
  other.join();
  wait(lane.last());
  EXPECT_TRUE(second_saw_first);
  lane.retire();
}

TEST(Lane, TasksRunAtOnceNeverOverlapWithOthers) {
  Lane& lane = Lane::acquire(0);
  std::atomic<int> inside{0};
  int count = 0, at_once = 0;
  auto task = [&] {
    EXPECT_EQ(inside.fetch_add(1), 0);
    ++count;
    inside.fetch_sub(1);
  };
  std::thread other([&] {
    for (int i = 0; i < 20000; ++i) lane.submit([&](Lane&) { task(); });
  });
  for (int i = 0; i < 20000; ++i) at_once += lane.run_if_idle(task);
  other.join();
  wait(lane.last());
  EXPECT_EQ(count, 20000 + at_once);
  lane.retire();
}

TEST(Lane, AWaitOrdersTwoLanes) {
  Lane& first = Lane::acquire(0);
  Lane& second = Lane::acquire(0);
  std::atomic<bool> open{false};
  int value = 0, seen = -1;
  first.submit([&](Lane&) {
    spin_until(open);
    value = 42;
  });
  second.submit_wait(first.last());
  second.submit([&](Lane&) { seen = value; });
  EXPECT_FALSE(second.last().reached());
  open = true;
  wait(second.last());
  EXPECT_EQ(seen, 42);
  first.retire();
  second.retire();
}

TEST(Lane, ALaneThatSpinsDoesNotStopTheOthers) {
  std::vector<Lane*> lanes;
  std::atomic<int> arrived{0};
  // More tasks than cores, all of which must be alive at once to end.
  const int count = 2 * std::max(2u, std::thread::hardware_concurrency());
  for (int i = 0; i < count; ++i) {
    lanes.push_back(&Lane::acquire(0));
    lanes.back()->submit([&](Lane&) {
      arrived.fetch_add(1);
      while (arrived.load() < count) std::this_thread::yield();
    });
  }
  for (Lane* lane : lanes) {
    wait(lane->last());
    lane->retire();
  }
  EXPECT_EQ(arrived, count);
}

TEST(Lane, AWaitingThreadRunsOnlyWhatItWaitsFor) {
  Lane& spinning = Lane::acquire(0);
  Lane& wanted = Lane::acquire(0);
  std::atomic<bool> release{false};
  spinning.submit([&](Lane&) { spin_until(release); });
  wanted.submit([](Lane&) {});
  Marker point = wanted.last();
  wanted.submit([&](Lane&) { spin_until(release); });
  wait(point);
  release = true;
  wait(wanted.last());
  wait(spinning.last());
  spinning.retire();
  wanted.retire();
}

TEST(Lane, TasksThatARunnerLeavesAreOfferedToOthers) {
  Lane& lane = Lane::acquire(0);
  while (!lane.claim()) std::this_thread::yield();  // One used before may still be in the hands of its last runner.
  std::atomic<bool> done{false};
  for (int i = 0; i < 9; ++i) lane.submit([](Lane&) {});
  lane.submit([&](Lane&) { done = true; });
  uint64_t last = lane.last().value;
  lane.run(last - 5);
  EXPECT_GE(lane.last().progress->completed(), last - 5);
  spin_until(done);
  lane.retire();
}

TEST(Lane, ARecycledLaneCountsOnAndOldMarkersStayReached) {
  Lane& lane = Lane::acquire(0);
  lane.submit([](Lane&) {});
  Marker old = lane.last();
  wait(old);
  lane.retire();
  wait(lane.last());
  for (int i = 0; i < 10; ++i) {
    Lane& again = Lane::acquire(0);
    again.submit([](Lane&) {});
    EXPECT_TRUE(old.reached());
    wait(again.last());
    again.retire();
  }
}

TEST(Lane, QueuedTasksFarBeyondAChunkAllRun) {
  Lane& lane = Lane::acquire(0);
  std::atomic<bool> open{false};
  lane.submit([&](Lane&) { spin_until(open); });
  struct Payload {
    long values[16];
  };
  long sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    lane.submit([&sum, payload = Payload{{i}}](Lane&) { sum += payload.values[0]; });
  }
  EXPECT_GE(lane.waiting_tasks(), 100'000u);
  open = true;
  wait(lane.last());
  EXPECT_EQ(sum, 100'000L * 99'999 / 2);
  lane.retire();
}

TEST(Lane, TasksAreDestroyedOnceRun) {
  Lane& lane = Lane::acquire(0);
  auto shared = std::make_shared<int>(0);
  lane.submit([shared](Lane&) { ++*shared; });
  wait(lane.last());
  EXPECT_EQ(*shared, 1);
  EXPECT_EQ(shared.use_count(), 1);
  lane.retire();
}

TEST(Lane, ThreadsThatSubmitToOneLaneDoNotLoseTasks) {
  Lane& lane = Lane::acquire(0);
  long count = 0;  // Tasks of a lane never run at once, so it needs no lock.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        lane.submit([&](Lane&) { ++count; });
        if (i % 97 == 0) wait(lane.last());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  wait(lane.last());
  EXPECT_EQ(count, 20'000);
  lane.retire();
}

TEST(Lane, BlockingTasksLeaveTheCoresToOthers) {
  std::vector<Lane*> blocked;
  std::atomic<bool> open{false};
  for (int i = 0; i < 20; ++i) {
    blocked.push_back(&Lane::acquire(0));
    blocked.back()->submit([&](Lane&) {
      BlockingScope scope;
      spin_until(open);
    });
  }
  Lane& free = Lane::acquire(0);
  std::atomic<bool> ran{false};
  free.submit([&](Lane&) { ran = true; });
  spin_until(ran);
  open = true;
  for (Lane* lane : blocked) {
    wait(lane->last());
    lane->retire();
  }
  free.retire();
}

TEST(ReadyList, GivesTheMostUrgentFirstAndEqualsInOrder) {
  ReadyList list;
  Lane& low = Lane::acquire(5);
  Lane& high = Lane::acquire(1);
  Lane& also_high = Lane::acquire(1);
  Lane& higher = Lane::acquire(0);
  for (Lane* lane : {&low, &high, &also_high, &higher}) list.push(*lane, lane->level());
  EXPECT_TRUE(list.more_urgent_than(1));
  EXPECT_EQ(list.pop(), &higher);
  EXPECT_FALSE(list.more_urgent_than(1));
  EXPECT_EQ(list.pop(), &high);
  EXPECT_EQ(list.pop(), &also_high);
  EXPECT_EQ(list.pop(), &low);
  EXPECT_EQ(list.pop(), nullptr);
  for (Lane* lane : {&low, &high, &also_high, &higher}) lane->retire();
}

TEST(Workers, IdleWorkersSleep) {
  Lane& lane = Lane::acquire(0);
  for (int i = 0; i < 100; ++i) lane.submit([](Lane&) {});
  wait(lane.last());
  lane.retire();
  Workers& workers = Workers::instance();
  while (workers.asleep() < workers.total()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(workers.running(), 0);
}

// A lane that a waiting thread has run itself stays in the list for a while without work. The worker that would check
// it takes other work, which waits for this lane's.
TEST(Workers, ALaneLeftInTheListIsSeenWhenAllWhoWereAwakeAreBusy) {
  Workers& workers = Workers::instance();
  Lane& served = Lane::acquire(0);
  for (int round = 0; round < 20; ++round) {
    while (workers.asleep() < workers.total()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Lane& busy = Lane::acquire(0);
    std::atomic<bool> begun{false}, done{false};
    served.set_self_served(true);
    served.submit([](Lane&) {});  // wakes a worker ...
    wait(served.last());
    busy.submit([&](Lane&) {  // ... which finds this
      begun.store(true, std::memory_order_release);
      spin_until(done);
    });
    spin_until(begun);
    served.submit([&](Lane&) { done.store(true, std::memory_order_release); });
    // Counts iterations instead of time, because the workers may not run while this process is descheduled.
    int turns = 0;
    for (; turns < 50'000 && !done; ++turns) std::this_thread::sleep_for(std::chrono::microseconds(100));
    EXPECT_TRUE(done) << "round " << round;
    wait(served.last());  // runs the task if no worker has
    wait(busy.last());
    busy.retire();
    if (turns == 50'000) break;
  }
  served.retire();
}

}  // namespace
}  // namespace reprise_runtime::exec
