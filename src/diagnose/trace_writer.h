// The thread that empties the trace's buffers: into the file of REPRISE_TRACE, and into the summary of REPRISE_SUMMARY.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "diagnose/trace_buffer.h"
#include "diagnose/trace_file.h"
#include "diagnose/trace_summary.h"

namespace reprise_runtime::diagnose {

class TraceWriter {
 public:
  static TraceWriter& instance();

  // A thread's buffer, which is never freed. Starts the writer's thread if it does not run.
  void add(TraceBuffer& buffer) REPRISE_EXCLUDES(mutex_);
  void describe(uint32_t track, GraphShape shape) REPRISE_EXCLUDES(mutex_);
  // The process ends: writes what is left and the summary.
  void finish() REPRISE_EXCLUDES(mutex_);
  // The mean time of each node in nanoseconds, of what was recorded so far.
  std::map<uint64_t, double> node_times() REPRISE_EXCLUDES(mutex_);

 private:
  // The latest run of a step, for arrows from the steps that it depends on.
  struct LastRun {
    uint64_t start = 0, end = 0;
    int thread = 0;
  };
  struct GraphTrack {
    GraphShape shape;
    std::unordered_map<uint64_t, uint32_t> steps;  // by node
    std::vector<LastRun> last;
    uint64_t arrows_drawn = 0;  // steps for which they were drawn
  };
  struct Taken {
    TraceEvent event;
    int thread;
  };

  TraceWriter();
  void run();
  void empty_buffers() REPRISE_REQUIRES(mutex_);
  void write(const TraceEvent& event, int thread, bool begins) REPRISE_REQUIRES(mutex_);
  void write_arrows(const TraceEvent& event, int thread) REPRISE_REQUIRES(mutex_);
  void write_submission(const TraceEvent& event, int process, uint64_t track) REPRISE_REQUIRES(mutex_);
  void name_track(int process, uint64_t track, const char* kind) REPRISE_REQUIRES(mutex_);
  const std::string& readable(const char* name) REPRISE_REQUIRES(mutex_);
  double microseconds(uint64_t at) const;

  const uint64_t start_;
  Mutex mutex_;
  std::unique_ptr<TraceFile> file_ REPRISE_GUARDED_BY(mutex_);  // null: no REPRISE_TRACE
  TraceSummary summary_ REPRISE_GUARDED_BY(mutex_);
  const bool summarises_;
  std::vector<TraceBuffer*> buffers_ REPRISE_GUARDED_BY(mutex_);
  std::vector<Taken> taken_ REPRISE_GUARDED_BY(mutex_);
  std::map<uint32_t, GraphTrack> graphs_ REPRISE_GUARDED_BY(mutex_);
  std::unordered_map<const char*, std::string> names_ REPRISE_GUARDED_BY(mutex_);
  std::set<std::pair<int, uint64_t>> named_tracks_ REPRISE_GUARDED_BY(mutex_);
  uint64_t arrows_ REPRISE_GUARDED_BY(mutex_) = 0;
  bool started_ REPRISE_GUARDED_BY(mutex_) = false;
  bool finished_ REPRISE_GUARDED_BY(mutex_) = false;
};

}  // namespace reprise_runtime::diagnose
