// Which way a plan is replayed: alone, on the thread that has it, or together with other threads. Decided from what
// earlier replays took; every replay is a chance to learn, and none may cost much.
//
//   measured three times, timed twice -> decided: alone, or a trial of together -> together | a pause, then a trial ...
#pragma once

#include <cstdint>

namespace reprise_runtime::graph {

class Pace {
 public:
  enum class Way {
    alone,     // on one thread
    timed,     // the same, and what it took is told
    measured,  // the same, each step by itself
    together,  // with others, and what it took is told
  };

  // How the replay that now begins is run.
  Way next();

  // What it took. After the steps were measured, and one thread was timed, `undecided` asks for decide().
  void ran_measured();
  void ran_alone(double ns);
  void ran_together(double ns);
  // Whether what is measured next adds to what was measured last: any time may be too long, none is too short.
  bool measures_again() const { return measured_left_ < times_measured; }
  bool undecided() const { return undecided_ && timed_left_ == 0; }
  double alone_ns() const { return alone_ns_; }

  // So little work is done before a second thread has its first step.
  bool too_short() const { return alone_ns_ < worth_sharing_ns; }
  // What a schedule made from the measurement promises.
  void decide(double together_ns);

 private:
  void begin_trial();

  static constexpr double worth_sharing_ns = 3'000;
  // The first replay meets cold caches, and any may be interrupted.
  static constexpr int times_measured = 3, timed_to_decide = 2;
  // Now and then a look at whether things are still as they were.
  static constexpr uint64_t look_again = 1024;
  // Together is tried for so long, and so many replays at least, before it is judged: others have to wake up first...
  static constexpr int trial_replays = 32;
  static constexpr double trial_ns = 1'000'000;
  // ... unless it loses as much as this, or twice the time of one thread.
  static constexpr double most_trial_loss_ns = 200'000;
  // After time was lost by it (the other cores are busy, say), so many times that time passes alone: little more than
  // its inverse is lost. It doubles each time, and halves for every time that so much was gained in a row.
  static constexpr double least_caution = 4, most_caution = 64;
  static constexpr double trust_ns = 10'000'000;
  // Gains count against losses up to this much: an interruption of a time slice changes nothing where there was a gain
  // for long enough before.
  static constexpr double most_credit_ns = 5'000'000;

  uint64_t replays_ = 0;
  int measured_left_ = times_measured;
  int timed_left_ = 0;
  int trial_left_ = 0;
  bool undecided_ = true;
  bool pays_ = false;      // together is expected to be faster
  double alone_ns_ = 0;    // what one thread takes lately
  double decided_ns_ = 0;  // and what it took when that was decided
  double credit_ns_ = 0;   // gained by being together
  double gained_ns_ = 0;   // without a break
  double caution_ = least_caution;
  double pause_ns_ = 0;  // to be run alone before together is tried again
};

}  // namespace reprise_runtime::graph
