// The tools that every wait is built from.
#include "base/waiting.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/spin_lock.h"

namespace reprise_runtime {
namespace {

TEST(Spinning, TriesTheGivenNumberOfTimes) {
  int looks = 0;
  EXPECT_FALSE(spin_times(7, [&] { return ++looks < 0; }));
  EXPECT_EQ(7, looks);
  EXPECT_TRUE(spin_times(7, [&] { return ++looks == 10; }));
  EXPECT_EQ(10, looks);
}

TEST(Spinning, EndsAtTheDeadline) {
  EXPECT_FALSE(spin_until(deadline_after(10'000), [] { return false; }));
  EXPECT_TRUE(spin_until(0, [] { return true; }));
}

TEST(Spinning, YieldsToTheHolderOfASpinLock) {
  SpinLock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        SpinLockGuard guard(lock);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(80'000, count);
}

TEST(EventCount, LosesNoWakeUpBetweenTwoThreads) {
  constexpr int rounds = 10'000;
  std::atomic<int> turn{0};
  EventCount changed;
  const auto play = [&](int me) {
    for (int i = 0; i < rounds; ++i) {
      changed.sleep_until([&] {
        const bool mine = turn.load() % 2 == me;
        pause_times(i % 512);  // Gives the other thread time to wake and notify between this look and the sleep.
        return mine;
      });
      turn.fetch_add(1);
      // Both ways of notifying are exact after a read-modify-write.
      i % 2 ? changed.notify_all() : changed.notify_sleepers();
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  EXPECT_EQ(2 * rounds, turn.load());
}

TEST(EventCount, NotifyOneLetsEverySleeperConsumeOneItem) {
  constexpr int threads = 4, items = 4'000;
  std::atomic<int> available{0}, consumed{0};
  EventCount added;
  const auto take = [&] {
    int seen = available.load();
    while (seen > 0 && !available.compare_exchange_weak(seen, seen - 1)) {
    }
    return seen > 0;
  };
  std::vector<std::thread> consumers;
  for (int t = 0; t < threads; ++t) {
    consumers.emplace_back([&] {
      for (int i = 0; i < items / threads; ++i) {
        added.sleep_until(take);
        consumed.fetch_add(1);
      }
    });
  }
  for (int i = 0; i < items; ++i) {
    available.fetch_add(1);
    added.notify_one();
  }
  for (std::thread& consumer : consumers) consumer.join();
  EXPECT_EQ(items, consumed.load());
  EXPECT_EQ(0, available.load());
}

TEST(EventCount, ReturnsFalseAfterTheTimeout) {
  EventCount never;
  const uint64_t start = now_ns();
  EXPECT_FALSE(never.sleep_until([] { return false; }, 2'000'000));
  EXPECT_GE(now_ns() - start, 2'000'000u);
}

TEST(EventCount, SleepsOnWhenItIsNotifiedAndTheConditionDoesNotHold) {
  EventCount changed;
  std::atomic<bool> holds{false}, back{false};
  std::thread sleeper([&] {
    changed.sleep_until([&] { return holds.load(); });
    back = true;
  });
  for (int i = 0; i < 100; ++i) changed.notify_all();
  EXPECT_FALSE(back.load());
  holds = true;
  changed.notify_all();
  sleeper.join();
}

TEST(EventCount, CountsNotifications) {
  EventCount changed;
  const uint32_t before = changed.epoch();
  changed.notify_sleepers();  // There are none.
  EXPECT_EQ(before, changed.epoch());
  changed.notify_all();
  EXPECT_EQ(before + 1, changed.epoch());
}

TEST(SharedEventCount, WakesAnotherProcess) {
  struct Shared {
    SharedEventCount changed;
    std::atomic<int> value;
  };
  // Memory of zeros is a valid object.
  auto* shared =
      static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(MAP_FAILED, static_cast<void*>(shared));
  const pid_t child = fork();
  if (child == 0) {
    shared->changed.sleep_until([&] { return shared->value.load() == 1; });
    shared->value = 2;
    shared->changed.notify_all();
    _exit(0);
  }
  shared->value = 1;
  shared->changed.notify_all();
  EXPECT_TRUE(shared->changed.sleep_until([&] { return shared->value.load() == 2; }, 60'000'000'000));
  EXPECT_EQ(child, waitpid(child, nullptr, 0));
  munmap(shared, sizeof(Shared));
}

TEST(WakeFlag, TheWaiterMayDestroyItAsSoonAsItIsSet) {
  for (int i = 0; i < 2'000; ++i) {
    auto flag = std::make_unique<WakeFlag>();
    std::thread setter([there = flag.get()] { there->set(); });
    while (!flag->is_set()) flag->sleep(1'000'000);
    flag.reset();
    setter.join();
  }
}

TEST(Polling, EndsWithTheConditionOrTheLimit) {
  int looks = 0;
  EXPECT_TRUE(poll_until([&] { return ++looks > 3; }, 1'000, 60'000'000'000));
  EXPECT_FALSE(poll_until([] { return false; }, 1'000, 100'000));
}

}  // namespace
}  // namespace reprise_runtime
