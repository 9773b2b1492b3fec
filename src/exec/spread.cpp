#include "exec/spread.h"

#include <algorithm>

#include "base/clock.h"
#include "base/cores.h"
#include "base/devices.h"
#include "base/tuning.h"
#include "exec/contention.h"
#include "exec/shares.h"
#include "exec/team.h"

namespace reprise_runtime::exec {
namespace {

double worth_sharing_ns() { return Contention::high() ? tuning::contended_sharing_ns : tuning::worth_sharing_ns; }

struct Range {
  void (*const body)(void*, uint64_t, uint64_t);
  void* const context;
  Shares shares;
  const int leader_core;

  // Cores are numbered from the leader's, which begins with the first share, so each core gets the share that it had.
  static void work(void* self) {
    Range& range = *static_cast<Range*>(self);
    auto place = range.shares.place(current_core() - range.leader_core);
    uint64_t begin, end;
    while (range.shares.take(place, begin, end)) range.body(range.context, begin, end);
  }
};

uint64_t items_in(double ns, double ns_per_item) {
  return static_cast<uint64_t>(std::max(1.0, ns / std::max(ns_per_item, 0.01)));
}

}  // namespace

double spread(uint64_t count, double ns_per_item, uint64_t smallest_part, Order order,
              void (*body)(void* context, uint64_t begin, uint64_t end), void* context) {
  const unsigned cores = stay_alone ? 1 : static_cast<unsigned>(core_count());
  if (count <= smallest_part) {
    body(context, 0, count);
    return 0;
  }
  // Alone at first, in parts of doubling length, until the rest is known to be worth sharing.
  uint64_t begin = 0;
  uint64_t part = ns_per_item > 0 ? items_in(tuning::part_ns, ns_per_item) : 1;
  const double enough_ns = worth_sharing_ns();
  bool share = static_cast<double>(count) * ns_per_item > enough_ns;
  uint64_t start = ticks();
  while (begin < count && !(share && cores > 1)) {
    uint64_t end = std::min(count, begin + std::max(part, smallest_part));
    body(context, begin, end);
    begin = end;
    part *= 2;
    ns_per_item = ticks_to_ns(ticks() - start) / static_cast<double>(begin);
    share = static_cast<double>(count - begin) * ns_per_item > enough_ns;
  }
  if (begin == count) return ns_per_item;

  double left_ns = static_cast<double>(count - begin) * ns_per_item;
  const uint64_t grain = std::max(smallest_part, items_in(tuning::part_ns, ns_per_item));
  Range range{body, context, {begin, count, grain, order == Order::rising ? 1 : cores, cores}, current_core()};
  Team team(&Range::work, &range, cores);
  if (left_ns > 2 * tuning::wake_up_ns) {
    team.invite(static_cast<unsigned>(std::min<double>(cores - 1, left_ns / tuning::wake_up_ns)));
  }
  // The leader's own parts give the time of an item, whatever the number of members.
  uint64_t mine = 0;
  start = ticks();
  auto place = range.shares.place(0);
  uint64_t part_begin, part_end;
  while (range.shares.take(place, part_begin, part_end)) {
    body(context, part_begin, part_end);
    mine += part_end - part_begin;
  }
  uint64_t done = ticks();
  team.close();
  double work_ns = ticks_to_ns(done - start);
  Contention::note_wait(ticks_to_ns(ticks() - done), work_ns);
  return mine ? work_ns / static_cast<double>(mine) : ns_per_item;
}

}  // namespace reprise_runtime::exec
