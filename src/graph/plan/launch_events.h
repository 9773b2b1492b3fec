// The events of a plan: recorded by its launches from the moment of the launch on, and waited for as they were then.
//
// Thread safety: begin() and the changes are called by one thread at a time, and a launch's run for one at a time, in
// the order of the launches.
#pragma once

#include <cstdint>
#include <vector>

#include "event/event.h"
#include "exec/progress.h"

namespace reprise_runtime::graph {

// What one launch found and promised.
struct LaunchEvents {
  struct Record {
    Ref<event::Event> event;  // the node may get another one meanwhile
    event::Event::Record record;
    uint64_t value;  // of the progress that says when it is reached
  };
  std::vector<event::Event::Point> waits;
  std::vector<Record> records;
};

class PlanEvents {
 public:
  PlanEvents() = default;
  PlanEvents(const PlanEvents&) = delete;
  PlanEvents& operator=(const PlanEvents&) = delete;
  ~PlanEvents();

  // Numbers for the steps.
  uint32_t add_record(Ref<event::Event> event);
  uint32_t add_wait(Ref<event::Event> event);
  // For launches from now on.
  void change_record(uint32_t number, Ref<event::Event> event) { records_[number].event = std::move(event); }
  void change_wait(uint32_t number, Ref<event::Event> event) { waits_[number] = std::move(event); }
  bool empty() const { return records_.empty() && waits_.empty(); }
  bool records() const { return !records_.empty(); }

  // At the launch: from now on the events count as recorded, and not yet reached.
  void begin(LaunchEvents& launch);
  // When its turn has come.
  void record(uint32_t number, const LaunchEvents& launch);
  void wait(uint32_t number, const LaunchEvents& launch) const;
  bool must_wait(uint32_t number, const LaunchEvents& launch) const { return !launch.waits[number].reached(); }

 private:
  struct Recorded {
    Ref<event::Event> event;
    exec::Progress* progress;
    uint64_t launched;
  };
  std::vector<Recorded> records_;
  std::vector<Ref<event::Event>> waits_;
};

}  // namespace reprise_runtime::graph
