// The events as JSON. Tracks, in Chrome's words processes and threads: 1 is the host with its threads, 2 the streams,
// 1000 + n the executable graph n with the threads that run its nodes.
#include "diagnose/trace_writer.h"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/settings.h"
#include "diagnose/demangle.h"

namespace reprise_runtime::diagnose {
namespace {

constexpr int host = 1, streams = 2, first_graph = 1000;
constexpr int64_t period_ns = 20'000'000;
constexpr double long_ns = 100e6;          // an event that is open for longer is shown while it is open
constexpr uint64_t runs_with_arrows = 16;  // of each graph

const char* setting(const char* name) {
  const char* text = std::getenv(name);
  return text && *text ? text : nullptr;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return safe.substr(0, 1000);
}

const char* category(TraceKind kind) {
  constexpr const char* names[] = {"call",  "kernel", "copy", "set",        "host function", "stream", "node",
                                   "round", "range",  "mark", "allocation", "free",          "note"};
  return names[static_cast<size_t>(kind)];
}

bool is_moment(TraceKind kind) { return kind >= TraceKind::mark; }
bool is_in_stream(TraceKind kind) { return kind >= TraceKind::kernel && kind <= TraceKind::stream_work; }

uint64_t limit_bytes() {
  constexpr long most_megabytes = 1'000'000'000;
  return static_cast<uint64_t>(number_setting("REPRISE_TRACE_MB", 1, most_megabytes).value_or(1024)) * 1'000'000;
}

}  // namespace

TraceWriter& TraceWriter::instance() {
  static auto* writer = new TraceWriter;  // never destroyed: threads record until the process ends
  return *writer;
}

TraceWriter::TraceWriter() : start_(ticks()), summarises_(switch_setting("REPRISE_SUMMARY")) {
  ns_per_tick();
  const char* path = setting("REPRISE_TRACE");
  if (!path) return;
  file_ = std::make_unique<TraceFile>(path, limit_bytes());
  if (!file_->is_open()) file_ = nullptr;
  if (!file_) return;
  file_->add("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"host\"}}");
  file_->add("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":2,\"tid\":0,\"args\":{\"name\":\"streams\"}}");
}

void TraceWriter::add(TraceBuffer& buffer) {
  MutexLock lock(mutex_);
  buffers_.push_back(&buffer);
  if (started_ || finished_) return;
  started_ = true;
  // The program's signals are not for this thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] { run(); }).detach();
  } catch (const std::system_error&) {
    // Events are then written at the end.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void TraceWriter::describe(uint32_t track, GraphShape shape) {
  MutexLock lock(mutex_);
  summary_.describe(track, shape);
  GraphTrack& graph = graphs_[track];
  graph.last.assign(shape.steps(), {});
  for (uint32_t step = 0; step < shape.steps(); ++step) graph.steps.emplace(shape.nodes[step], step);
  graph.shape = std::move(shape);
}

std::map<uint64_t, double> TraceWriter::node_times() {
  MutexLock lock(mutex_);
  empty_buffers();
  return summary_.node_times();
}

void TraceWriter::run() {
  for (;;) {
    const timespec period{0, period_ns};
    nanosleep(&period, nullptr);
    MutexLock lock(mutex_);
    if (finished_) return;
    empty_buffers();
  }
}

void TraceWriter::finish() {
  MutexLock lock(mutex_);
  if (std::exchange(finished_, true)) return;
  empty_buffers();
  if (file_) file_->close();
  file_ = nullptr;
  if (summarises_) summary_.print(stderr, ticks() - start_);
}

void TraceWriter::empty_buffers() {
  const uint64_t now = ticks();
  const auto long_ago = now - static_cast<uint64_t>(long_ns / ns_per_tick());
  taken_.clear();
  uint64_t dropped = 0;
  for (TraceBuffer* buffer : buffers_) {
    if (file_) {
      buffer->begun_long_ago(long_ago, [&](const TraceEvent& event)
                                           REPRISE_NO_THREAD_SAFETY_ANALYSIS { write(event, buffer->thread(), true); });
      if (named_tracks_.emplace(host, buffer->thread()).second && !buffer->worker())
        name_track(host, static_cast<uint64_t>(buffer->thread()), "host thread");
    }
    buffer->take([&](const TraceEvent& event)
                     REPRISE_NO_THREAD_SAFETY_ANALYSIS { taken_.push_back({event, buffer->thread()}); });
    dropped += buffer->take_dropped();
  }
  std::sort(taken_.begin(), taken_.end(), [](const Taken& a, const Taken& b) { return a.event.start < b.event.start; });
  for (const Taken& each : taken_) {
    summary_.add(each.event, readable(each.event.name));
    if (file_) write(each.event, each.thread, false);
  }
  if (!file_) return;
  if (dropped) {
    TraceEvent note;
    const std::string text = std::to_string(dropped) + " events were lost: they come faster than they can be written";
    note.name = keep_text(text.c_str());
    note.start = note.end = now;
    write(note, 0, false);
  }
  file_->flush();
}

double TraceWriter::microseconds(uint64_t at) const { return ticks_to_ns(at - std::min(at, start_)) / 1000; }

const std::string& TraceWriter::readable(const char* name) {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  return names_.emplace(name, demangled(name)).first->second;
}

void TraceWriter::name_track(int process, uint64_t track, const char* kind) {
  char text[200];
  std::snprintf(text, sizeof text,
                "{\"ph\":\"M\",\"name\":\"%s_name\",\"pid\":%d,\"tid\":%llu,\"args\":{\"name\":\"%s %llu\"}}",
                process >= first_graph ? "process" : "thread", process, static_cast<unsigned long long>(track), kind,
                static_cast<unsigned long long>(track));
  file_->add(text);
}

void TraceWriter::write(const TraceEvent& event, int thread, bool begins) {
  int process = host;
  auto track = static_cast<uint64_t>(thread);
  if (is_in_stream(event.kind)) {
    process = streams;
    track = event.track;
    if (named_tracks_.emplace(process, track).second) name_track(process, track, "stream");
  } else if (event.kind == TraceKind::node || event.kind == TraceKind::round) {
    process = first_graph + static_cast<int>(event.track);
    if (named_tracks_.emplace(process, ~uint64_t{0}).second) name_track(process, event.track, "executable graph");
  }
  const char phase = begins ? 'B' : event.ends_begun ? 'E' : is_moment(event.kind) ? 'i' : 'X';
  char head[200];
  std::snprintf(head, sizeof head, "{\"ph\":\"%c\",\"pid\":%d,\"tid\":%llu,\"ts\":%.3f,", phase, process,
                static_cast<unsigned long long>(track),
                microseconds(event.ends_begun && !begins ? event.end : event.start));
  std::string text = head;
  if (phase == 'X') {
    std::snprintf(head, sizeof head, "\"dur\":%.3f,", ticks_to_ns(event.end - event.start) / 1000);
    text += head;
  }
  if (phase == 'i') text += "\"s\":\"t\",";
  text += std::string("\"cat\":\"") + category(event.kind) + "\",\"name\":\"" + escaped(readable(event.name)) + "\"";
  std::string arguments;
  const auto add = [&](const char* key, const char* format, auto value) {
    std::snprintf(head, sizeof head, format, value);
    arguments += (arguments.empty() ? "\"" : ",\"") + std::string(key) + "\":" + head;
  };
  const bool has_address = event.kind == TraceKind::allocation || event.kind == TraceKind::free;
  if (event.kind == TraceKind::node || event.kind == TraceKind::round || event.kind == TraceKind::note)
    add("node", "\"0x%llx\"", static_cast<unsigned long long>(event.id));
  if (has_address) add("address", "\"0x%llx\"", static_cast<unsigned long long>(event.id));
  if (event.grid) {
    add("blocks", "%u", event.grid);
    add("threads", "%llu", static_cast<unsigned long long>(event.bytes));
  } else if (event.bytes) {
    add("bytes", "%llu", static_cast<unsigned long long>(event.bytes));
  }
  if (process == streams) add("thread", "%d", thread);
  if (!arguments.empty()) text += ",\"args\":{" + arguments + "}";
  file_->add(text + "}");
  if (begins) return;
  if (event.kind == TraceKind::node) write_arrows(event, thread);
  if (event.id && (event.kind == TraceKind::call || process == streams)) write_submission(event, process, track);
}

// An arrow from the call to the work that it has submitted.
void TraceWriter::write_submission(const TraceEvent& event, int process, uint64_t track) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "{\"ph\":\"%s,\"cat\":\"submission\",\"name\":\"submits\",\"id\":%llu,\"pid\":%d,\"tid\":%llu,\"ts\":%.3f}",
      process == host ? "s\"" : "f\",\"bp\":\"e\"", static_cast<unsigned long long>(event.id), process,
      static_cast<unsigned long long>(track), microseconds(event.start));
  file_->add(text);
}

// Arrows from the nodes that it depends on, in the first runs of a graph.
void TraceWriter::write_arrows(const TraceEvent& event, int thread) {
  const auto found = graphs_.find(event.track);
  if (found == graphs_.end()) return;
  GraphTrack& graph = found->second;
  const auto known = graph.steps.find(event.id);
  if (known == graph.steps.end()) return;
  const uint32_t step = known->second;
  LastRun& own = graph.last[step];
  const uint64_t earlier = own.start;
  own = {event.start, event.end, thread};
  if (++graph.arrows_drawn > runs_with_arrows * graph.last.size()) return;
  const int process = first_graph + static_cast<int>(event.track);
  for (uint32_t i = graph.shape.first_dependency[step]; i < graph.shape.first_dependency[step + 1]; ++i) {
    const LastRun& other = graph.last[graph.shape.dependencies[i]];
    // Of the same run: it began after this step's last run.
    if (other.end == 0 || other.start < earlier || other.end > event.start) continue;
    char text[200];
    const unsigned long long id = ++arrows_;
    const char* form =
        "{\"ph\":\"%s,\"cat\":\"dependency\",\"name\":\"before\",\"id\":%llu,\"pid\":%d,\"tid\":%d,\"ts\":%.3f}";
    std::snprintf(text, sizeof text, form, "s\"", id, process, other.thread, microseconds(other.start));
    file_->add(text);
    std::snprintf(text, sizeof text, form, "f\",\"bp\":\"e\"", id, process, thread, microseconds(event.start));
    file_->add(text);
  }
}

}  // namespace reprise_runtime::diagnose
