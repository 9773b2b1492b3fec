#include "diagnose/trace.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/settings.h"
#include "base/thread_local.h"
#include "diagnose/node_times.h"
#include "diagnose/trace_buffer.h"
#include "diagnose/trace_writer.h"

namespace reprise_runtime::diagnose {
namespace {

REPRISE_THREAD_LOCAL TraceBuffer* own_buffer = nullptr;
REPRISE_THREAD_LOCAL uint64_t submission = 0;

[[gnu::cold, gnu::noinline]] TraceBuffer& make_buffer() {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  // Never freed: the writer reads it until the process ends.
  own_buffer = new TraceBuffer(gettid(), std::string_view(name) == "reprise");
  TraceWriter::instance().add(*own_buffer);
  return *own_buffer;
}

TraceBuffer& buffer() { return own_buffer ? *own_buffer : make_buffer(); }

// Ranges of NVTX that the thread has open, innermost last.
thread_local std::vector<TraceEvent> ranges;

[[gnu::constructor]] void read_settings() {
  const auto is_set = [](const char* name) {
    const char* text = std::getenv(name);
    return text && *text;
  };
  if (!is_set("REPRISE_TRACE") && !is_set("REPRISE_SUMMARY") && !is_set("REPRISE_DRAW")) return;
  if (!is_set("REPRISE_TRACE") && !is_set("REPRISE_DRAW") && !switch_setting("REPRISE_SUMMARY")) return;
  tracing = true;
  TraceWriter::instance();  // makes the file, also if nothing happens
  std::atexit([] { TraceWriter::instance().finish(); });
  pthread_atfork(nullptr, nullptr, [] { tracing = false; });
}

}  // namespace

void TraceScope::begin(const TraceEvent& event) {
  open_ = true;
  event_ = event;
  event_.start = ticks();
  depth_ = buffer().begin(event_);
}

void TraceScope::end() {
  TraceBuffer& mine = buffer();
  event_.ends_begun = mine.end(depth_);
  event_.end = ticks();
  mine.push(event_);
}

void CallScope::begin(const char* name) {
  submission = 0;
  name_ = name;
  start_ = ticks();
  depth_ = buffer().begin({.name = name, .start = start_, .kind = TraceKind::call});
}

void CallScope::end() {
  TraceBuffer& mine = buffer();
  const bool shown = mine.end(depth_);
  mine.push({.name = name_,
             .start = start_,
             .end = ticks(),
             .id = take_submission(),
             .kind = TraceKind::call,
             .ends_begun = shown});
}

void record(const TraceEvent& event) {
  TraceEvent now = event;
  if (now.start == 0) now.start = now.end = ticks();
  buffer().push(now);
}

const char* keep_text(const char* text) {
  static Mutex mutex;
  static auto* kept = new std::set<std::string, std::less<>>;
  MutexLock lock(mutex);
  const auto found = kept->find(std::string_view(text));
  return (found != kept->end() ? found : kept->emplace(text).first)->c_str();
}

uint64_t next_submission() {
  static std::atomic<uint64_t> last{0};
  return submission = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

uint64_t take_submission() {
  const uint64_t taken = submission;
  submission = 0;
  return taken;
}

uint32_t add_graph(GraphShape shape) {
  static std::atomic<uint32_t> last{0};
  const uint32_t track = last.fetch_add(1, std::memory_order_relaxed) + 1;
  TraceWriter::instance().describe(track, std::move(shape));
  return track;
}

std::map<uint64_t, double> node_times() { return TraceWriter::instance().node_times(); }

int push_range(const char* text) {
  TraceEvent range;
  range.kind = TraceKind::range;
  range.name = keep_text(text);
  range.start = ticks();
  ranges.push_back(range);
  return static_cast<int>(ranges.size()) - 1;
}

int pop_range() {
  if (ranges.empty()) return -2;
  TraceEvent range = ranges.back();
  ranges.pop_back();
  range.end = ticks();
  record(range);
  return static_cast<int>(ranges.size());
}

}  // namespace reprise_runtime::diagnose
