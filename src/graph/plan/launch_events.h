// The events that a plan records and waits for. A launch captures their state: the events count as recorded from the
// call on, and waits are for what was recorded before it.
//
// Thread safety: one thread at a time calls begin(), change_record() and change_wait(). record() and wait() are called
// by the launch that runs, in the order of the launches.
#pragma once

#include <cstdint>
#include <vector>

#include "event/event.h"
#include "exec/progress.h"

namespace reprise_runtime::graph {

// The events of one launch.
struct LaunchEvents {
  struct Record {
    Ref<event::Event> event;  // an update may give the node another one meanwhile
    event::Event::Record record;
    uint64_t value;  // that the progress has when the event is reached
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

  // Return the number by which a step refers to the event.
  uint32_t add_record(Ref<event::Event> event);
  uint32_t add_wait(Ref<event::Event> event);
  // For later launches.
  void change_record(uint32_t number, Ref<event::Event> event) { records_[number].event = std::move(event); }
  void change_wait(uint32_t number, Ref<event::Event> event) { waits_[number] = std::move(event); }
  bool empty() const { return records_.empty() && waits_.empty(); }
  bool records() const { return !records_.empty(); }

  // Called at the launch. From then on the events count as recorded, and not reached.
  void begin(LaunchEvents& launch);
  // Called by the steps.
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
