// Which way a plan is replayed: alone, on the thread that has it, or together with other threads. Decided from what
// earlier replays took; every replay is a chance to learn, and none may cost much.
#pragma once

#include <cstdint>

namespace reprise::graph {

class Pace {
 public:
  enum class Way {
    alone,     // on one thread
    timed,     // the same, and what it took is told
    measured,  // the same, each step by itself
    together,  // with others, and what it took is told, unless that is the only way
  };

  // `wide`: some steps could run beside others. `only_together`: one thread alone might wait for ever.
  Pace(bool wide, bool only_together)
      : fixed_(!wide || only_together), fixed_way_(only_together ? Way::together : Way::alone) {}

  // How the replay that now begins is run.
  Way next();
  bool only_one_way() const { return fixed_; }

  // What it took. `together_ns` is what the schedule made from the measurement promises.
  void ran_alone(double ns);
  void ran_measured(double alone_ns, double together_ns);
  void ran_together(double ns);

  double alone_ns() const { return alone_ns_; }

 private:
  // Less work than this is done before a second thread has its first step.
  static constexpr double worth_sharing_ns = 3'000;
  // Replays that are only measured, until the caches are warm.
  static constexpr uint64_t first_measured = 2;
  // Now and then a look at whether things are still as they were.
  static constexpr uint64_t look_again = 1024;
  // After time was lost by sharing (the other cores are busy, say), so many times that time passes alone: whatever
  // happens, little more than its inverse is lost.
  static constexpr double caution = 50;
  // Gains count against losses up to this much: a single interruption changes nothing.
  static constexpr double most_credit_ns = 500'000;

  const bool fixed_;
  const Way fixed_way_;
  uint64_t replays_ = 0;
  bool pays_ = false;      // sharing is expected to be faster
  bool stale_ = false;     // the steps take other times than they took when they were measured
  double measured_ns_ = 0;  // what one thread took when the steps were measured
  double alone_ns_ = 0;    // what one thread takes lately
  double credit_ns_ = 0;   // gained by sharing
  double pause_ns_ = 0;    // to be run alone before sharing is tried again
};

}  // namespace reprise::graph
