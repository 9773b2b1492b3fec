#include "graph/plan/launch_events.h"

#include "exec/blocking.h"
#include "exec/wait.h"
#include "graph/plan/progress_pool.h"

namespace reprise_runtime::graph {

PlanEvents::~PlanEvents() {
  for (Recorded& recorded : records_) give_back_progress(recorded.progress);
}

uint32_t PlanEvents::add_record(Ref<event::Event> event) {
  exec::Progress* progress = take_progress();
  records_.push_back({std::move(event), progress, progress->completed()});
  return static_cast<uint32_t>(records_.size() - 1);
}

uint32_t PlanEvents::add_wait(Ref<event::Event> event) {
  waits_.push_back(std::move(event));
  return static_cast<uint32_t>(waits_.size() - 1);
}

void PlanEvents::begin(LaunchEvents& launch) {
  launch.waits.reserve(waits_.size());
  launch.records.reserve(records_.size());  // nothing after this can fail
  // Waits first: a graph does not wait for what the same launch records.
  for (Ref<event::Event>& event : waits_) launch.waits.push_back(event->point());
  for (Recorded& recorded : records_) {
    event::Event::Record record = recorded.event->begin_record();
    launch.records.push_back({recorded.event, record, ++recorded.launched});
    recorded.event->place_record(record, {recorded.progress, recorded.launched});
  }
}

void PlanEvents::record(uint32_t number, const LaunchEvents& launch) {
  const LaunchEvents::Record& here = launch.records[number];
  here.event->finish_record(here.record);
  records_[number].progress->complete(here.value);
}

void PlanEvents::wait(uint32_t number, const LaunchEvents& launch) const {
  const event::Event::Point& point = launch.waits[number];
  if (point.reached()) return;
  exec::BlockingScope may_block;
  point.wait(exec::WaitPolicy::spin);
}

}  // namespace reprise_runtime::graph
