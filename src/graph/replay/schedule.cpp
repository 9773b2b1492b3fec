#include "graph/replay/schedule.h"

#include <algorithm>
#include <queue>

namespace reprise_runtime::graph {
namespace {

class Scheduler {
 public:
  Scheduler(const std::vector<uint32_t>& first, const std::vector<uint32_t>& dependencies, const std::vector<float>& ns,
            unsigned lists, double hand_over_ns, const std::vector<int8_t>& priorities)
      : first_(first),
        dependencies_(dependencies),
        ns_(ns),
        priorities_(priorities),
        hand_over_ns_(hand_over_ns),
        steps_(static_cast<uint32_t>(ns.size())),
        free_at_(lists, 0.0) {
    schedule_.lists.resize(lists);
  }

  // Places the steps with the longest critical path first, each in the list where it can start first.
  Schedule run() {
    find_dependents();
    find_critical_paths();
    auto later = [&](uint32_t a, uint32_t b) {
      if (!priorities_.empty() && priorities_[a] != priorities_[b]) return priorities_[a] > priorities_[b];
      return to_end_[a] != to_end_[b] ? to_end_[a] < to_end_[b] : a > b;
    };
    std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(later)> ready(later);
    std::vector<uint32_t> missing(steps_);
    for (uint32_t i = 0; i < steps_; ++i) {
      missing[i] = first_[i + 1] - first_[i];
      if (missing[i] == 0) ready.push(i);
    }
    ends_.resize(steps_);
    list_of_.resize(steps_);
    while (!ready.empty()) {
      const uint32_t step = ready.top();
      ready.pop();
      place(step);
      for (uint32_t i = first_dependent_[step]; i < first_dependent_[step + 1]; ++i) {
        if (--missing[dependents_[i]] == 0) ready.push(dependents_[i]);
      }
    }
    return std::move(schedule_);
  }

 private:
  uint32_t dependency(uint32_t i) const { return dependencies_[i]; }

  void find_dependents() {
    first_dependent_.assign(steps_ + 2, 0);
    for (uint32_t i = 0; i < dependencies_.size(); ++i) ++first_dependent_[dependency(i) + 2];
    for (uint32_t i = 2; i < first_dependent_.size(); ++i) first_dependent_[i] += first_dependent_[i - 1];
    dependents_.resize(dependencies_.size());
    for (uint32_t step = 0; step < steps_; ++step) {
      for (uint32_t i = first_[step]; i < first_[step + 1]; ++i)
        dependents_[first_dependent_[dependency(i) + 1]++] = step;
    }
  }

  void find_critical_paths() {
    to_end_.assign(steps_, 0);
    for (uint32_t step = steps_; step-- > 0;) {
      double longest = 0;
      for (uint32_t i = first_dependent_[step]; i < first_dependent_[step + 1]; ++i) {
        longest = std::max(longest, to_end_[dependents_[i]]);
      }
      to_end_[step] = longest + ns_[step];
    }
  }

  double start_in(uint32_t step, uint32_t list) const {
    double start = free_at_[list];
    for (uint32_t i = first_[step]; i < first_[step + 1]; ++i) {
      const uint32_t before = dependency(i);
      start = std::max(start, ends_[before] + (list_of_[before] == list ? 0 : hand_over_ns_));
    }
    return start;
  }

  // The first list belongs to the leader, which needs no hand-over to start and has to see the end of the replay. So it
  // is preferred even if it starts the step a little later.
  void place(uint32_t step) {
    const bool last = first_dependent_[step] == first_dependent_[step + 1];
    uint32_t best = 0;
    double start = start_in(step, 0), to_beat = start - (last ? 1.5 : 0.5) * hand_over_ns_;
    for (uint32_t list = 1; list < free_at_.size(); ++list) {
      const double here = start_in(step, list);
      if (here < to_beat) best = list, start = to_beat = here;
    }
    schedule_.lists[best].push_back(step);
    list_of_[step] = best;
    ends_[step] = free_at_[best] = start + ns_[step];
    schedule_.ns = std::max(schedule_.ns, ends_[step]);
  }

  const std::vector<uint32_t>& first_;
  const std::vector<uint32_t>& dependencies_;
  const std::vector<float>& ns_;
  const std::vector<int8_t>& priorities_;
  const double hand_over_ns_;
  const uint32_t steps_;

  std::vector<uint32_t> first_dependent_, dependents_;
  std::vector<double> to_end_;  // length of the critical path from the start of each step
  std::vector<double> ends_;
  std::vector<uint32_t> list_of_;
  std::vector<double> free_at_;
  Schedule schedule_;
};

}  // namespace

Schedule make_schedule(const std::vector<uint32_t>& first, const std::vector<uint32_t>& dependencies,
                       const std::vector<float>& ns, unsigned lists, double hand_over_ns,
                       const std::vector<int8_t>& priorities) {
  return Scheduler(first, dependencies, ns, lists, hand_over_ns, priorities).run();
}

}  // namespace reprise_runtime::graph
