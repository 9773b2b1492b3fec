// Measures the cost of waiting on this machine. The constants in src/base/tuning.h are derived from these figures.
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

namespace {

using Word = std::atomic<unsigned>;

double now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

inline void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield");
#endif
}

inline unsigned long long counter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<unsigned long long>(now_ns());
#endif
}

void print(const char* what, std::vector<double> ns) {
  std::sort(ns.begin(), ns.end());
  std::printf("%-58s best %9.1f ns, median %9.1f ns, 90%% %9.1f ns\n", what, ns.front(), ns[ns.size() / 2],
              ns[ns.size() * 9 / 10]);
}

// Prints the time of body() in 40 samples of `count` calls.
template <class Body>
void measure(const char* what, int count, Body&& body) {
  std::vector<double> ns;
  for (int sample = 0; sample < 40; ++sample) {
    const double start = now_ns();
    for (int i = 0; i < count; ++i) body();
    ns.push_back((now_ns() - start) / count);
  }
  print(what, std::move(ns));
}

// Latency of a store from one core to another: half of a round trip.
void measure_hand_over() {
  alignas(128) Word there{0};
  alignas(128) Word back{0};
  constexpr unsigned rounds = 2000, samples = 40;
  std::thread other([&] {
    for (unsigned i = 1; i <= rounds * samples; ++i) {
      while (there.load(std::memory_order_acquire) < i) {
      }
      back.store(i, std::memory_order_release);
    }
  });
  std::vector<double> ns;
  unsigned number = 0;
  for (unsigned sample = 0; sample < samples; ++sample) {
    const double start = now_ns();
    for (unsigned i = 0; i < rounds; ++i) {
      there.store(++number, std::memory_order_release);
      while (back.load(std::memory_order_acquire) < number) {
      }
    }
    ns.push_back((now_ns() - start) / rounds / 2);
  }
  other.join();
  print("a store on one core until another core has read it", std::move(ns));
}

// Time from a futex wake-up until the woken thread runs.
void measure_wake_up() {
  Word word{0};
  Word woken{0};
  std::atomic<double> at{0};
  constexpr unsigned rounds = 400;
  std::thread sleeper([&] {
    for (unsigned i = 0; i < rounds; ++i) {
      while (word.load(std::memory_order_acquire) == i) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, i, nullptr, nullptr, 0);
      }
      at.store(now_ns(), std::memory_order_relaxed);
      woken.store(i + 1, std::memory_order_release);
    }
  });
  std::vector<double> until_awake, call;
  for (unsigned i = 0; i < rounds; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const double start = now_ns();
    word.store(i + 1, std::memory_order_release);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    call.push_back(now_ns() - start);
    while (woken.load(std::memory_order_acquire) != i + 1) sched_yield();
    until_awake.push_back(at.load(std::memory_order_relaxed) - start);
  }
  sleeper.join();
  print("a wake-up: the call of the thread that wakes another", std::move(call));
  print("a wake-up: until the woken thread runs", std::move(until_awake));
}

void measure_thread_start() {
  std::vector<double> ns;
  for (int i = 0; i < 100; ++i) {
    std::atomic<double> began{0};
    const double start = now_ns();
    std::thread thread([&] { began.store(now_ns()); });
    thread.join();
    ns.push_back(began.load() - start);
  }
  print("a new thread: until it runs", std::move(ns));
}

void measure_copy() {
  constexpr size_t bytes = 64 * 1024;
  std::vector<char> from(bytes, 1), to(bytes);
  measure("a copy of 64 KiB within the second-level cache", 100, [&] {
    std::memcpy(to.data(), from.data(), bytes);
    __asm__ volatile("" ::"r"(to.data()) : "memory");
  });
}

}  // namespace

int main() {
  Word word{0};
  unsigned long long sum = 0;
  measure("pause", 10000, [] { pause_core(); });
  measure("a read of the time stamp counter", 10000, [&] { sum += counter(); });
  measure("a read of the monotonic clock", 10000, [&] { sum += static_cast<unsigned long long>(now_ns()); });
  measure("a locked instruction on a line that the core owns", 10000, [&] { word.fetch_add(1); });
  measure("sched_yield", 1000, [] { sched_yield(); });
  measure("a futex wake-up without a sleeper", 1000,
          [&] { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); });
  measure_copy();
  if (std::thread::hardware_concurrency() > 1) measure_hand_over();
  measure_wake_up();
  measure_thread_start();
  return sum == 0;
}
