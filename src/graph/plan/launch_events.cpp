#include "graph/plan/launch_events.h"

#include "base/mutex.h"
#include "exec/blocking.h"
#include "exec/wait.h"

namespace reprise_runtime::graph {
namespace {

// Markers may be read for ever, so the objects that they point to are reused and never freed.
struct ProgressPool {
  Mutex mutex;
  std::vector<exec::Progress*> unused REPRISE_GUARDED_BY(mutex);

  exec::Progress* take() REPRISE_EXCLUDES(mutex) {
    {
      MutexLock lock(mutex);
      if (!unused.empty()) {
        exec::Progress* progress = unused.back();
        unused.pop_back();
        return progress;
      }
    }
    return new exec::Progress;
  }
  void give_back(exec::Progress* progress) REPRISE_EXCLUDES(mutex) {
    MutexLock lock(mutex);
    unused.push_back(progress);
  }
};

ProgressPool& pool() {
  static ProgressPool* pool = new ProgressPool;
  return *pool;
}

}  // namespace

PlanEvents::~PlanEvents() {
  for (Recorded& recorded : records_) pool().give_back(recorded.progress);
}

uint32_t PlanEvents::add_record(Ref<event::Event> event) {
  exec::Progress* progress = pool().take();
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
