// Streams and events, as torch.cuda.Stream and torch.cuda.Event.
#include <reprise/cuda_graph.h>
#include <reprise/event.h>
#include <reprise/stream.h>

#include <map>
#include <memory>
#include <mutex>

#include "casters.h"

namespace reprise::python {
namespace {

// Streams that Python made, so that current_stream() gives back the object that owns the stream.
class KnownStreams {
 public:
  void add(const std::shared_ptr<Stream>& stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto each = streams_.begin(); each != streams_.end();) {
      each = each->second.expired() ? streams_.erase(each) : std::next(each);
    }
    streams_[stream->get()] = stream;
  }
  std::shared_ptr<Stream> owner(cudaStream_t stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = streams_.find(stream);
    return found == streams_.end() ? nullptr : found->second.lock();
  }

 private:
  std::mutex mutex_;
  std::map<cudaStream_t, std::weak_ptr<Stream>> streams_;  // guarded by mutex_
};

KnownStreams& known_streams() {
  static KnownStreams* streams = new KnownStreams;
  return *streams;
}

// A stream with its owner, if it has one in Python.
struct PythonStream {
  std::shared_ptr<Stream> owner;
  StreamRef stream;
  int priority = 0;

  explicit PythonStream(StreamRef existing) : owner(known_streams().owner(existing)), stream(existing) {}
  explicit PythonStream(int priority) : owner(std::make_shared<Stream>(priority)), stream(*owner), priority(priority) {
    known_streams().add(owner);
  }
};

// torch.cuda.Event: created when it is first recorded, as in PyTorch.
class PythonEvent {
 public:
  explicit PythonEvent(bool timed, bool external) : timed_(timed), external_(external) {}

  void record(StreamRef stream) {
    if (!event_) event_.emplace(timed_ ? Event::timed() : Event());
    check_cuda(
        cudaEventRecordWithFlags(event_->get(), stream,
                                 external_ && is_capturing(stream) ? cudaEventRecordExternal : cudaEventRecordDefault),
        "recording an event on a stream");
  }
  void wait(StreamRef stream) const {
    if (!event_) return;
    check_cuda(cudaStreamWaitEvent(stream, event_->get(),
                                   external_ && is_capturing(stream) ? cudaEventWaitExternal : cudaEventWaitDefault),
               "making a stream wait for an event");
  }
  bool query() const { return !event_ || event_->is_done(); }
  void synchronize() const {
    if (event_) event_->synchronize();
  }
  float elapsed_time(const PythonEvent& end) const {
    check(timed_ && end.timed_, "elapsed_time: both events need enable_timing=True");
    check(event_ && end.event_, "elapsed_time: both events must be recorded before");
    return end.event_->since(*event_);
  }
  std::uintptr_t handle() const { return event_ ? reinterpret_cast<std::uintptr_t>(event_->get()) : 0; }

 private:
  bool timed_, external_;
  std::optional<Event> event_;
};

StreamRef or_current(const PythonStream* stream) { return stream ? stream->stream : StreamRef(current_stream()); }

// with torch.cuda.stream(s): keeps the stream and makes it current. An object may be entered again.
class StreamScope {
 public:
  explicit StreamScope(const PythonStream* stream) {
    if (stream) stream_ = *stream;
  }
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;
  void enter() { guards_.push_back(stream_ ? std::make_unique<StreamGuard>(stream_->stream) : nullptr); }
  void leave() {
    if (!guards_.empty()) guards_.pop_back();
  }

 private:
  std::optional<PythonStream> stream_;
  std::vector<std::unique_ptr<StreamGuard>> guards_;
};

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<PythonEvent>(m, "Event", "A point in a stream's work that others can wait for, or measure time from.")
      .def(
          "__init__",
          [](PythonEvent* self, bool enable_timing, bool, bool interprocess, bool external) {
            check(!interprocess, "Event(interprocess=True): events cannot be shared with other processes");
            new (self) PythonEvent(enable_timing, external);
          },
          "enable_timing"_a = false, "blocking"_a = false, "interprocess"_a = false, "external"_a = false)
      .def(
          "record", [](PythonEvent& self, const PythonStream* stream) { self.record(or_current(stream)); },
          "stream"_a = nb::none())
      .def(
          "wait", [](PythonEvent& self, const PythonStream* stream) { self.wait(or_current(stream)); },
          "stream"_a = nb::none())
      .def("query", &PythonEvent::query, Waits())
      .def("synchronize", &PythonEvent::synchronize, Waits())
      .def("elapsed_time", &PythonEvent::elapsed_time, "end_event"_a, "Milliseconds from this event to another.")
      .def_prop_ro("cuda_event", &PythonEvent::handle);

  nb::class_<PythonStream>(m, "Stream", nb::is_weak_referenceable(), "A queue of work on the device.")
      .def(
          "__init__",
          [](PythonStream* self, nb::object device, int priority) {
            check_device(device, "Stream");
            new (self) PythonStream(priority);
          },
          "device"_a = nb::none(), "priority"_a = 0)
      .def(
          "synchronize", [](const PythonStream& self) { self.stream.synchronize(); }, Waits())
      .def(
          "query", [](const PythonStream& self) { return self.stream.is_done(); }, Waits())
      .def(
          "wait_stream", [](const PythonStream& self, const PythonStream& other) { self.stream.wait(other.stream); },
          "stream"_a, "Work submitted from now on runs after everything submitted to `stream` so far.")
      .def(
          "wait_event", [](const PythonStream& self, const PythonEvent& event) { event.wait(self.stream); }, "event"_a)
      .def(
          "record_event",
          [](const PythonStream& self, nb::object event) {
            if (event.is_none()) event = nb::cast(PythonEvent(false, false));
            nb::cast<PythonEvent&>(event).record(self.stream);
            return event;
          },
          "event"_a = nb::none())
      .def_ro("priority", &PythonStream::priority)
      .def_prop_ro("cuda_stream",
                   [](const PythonStream& self) { return reinterpret_cast<std::uintptr_t>(self.stream.get()); })
      .def_prop_ro("device", [](const PythonStream&) { return device_object(); })
      .def("is_capturing", [](const PythonStream& self) { return is_capturing(self.stream); })
      .def(
          "__eq__",
          [](const PythonStream& self, const PythonStream& other) { return self.stream.get() == other.stream.get(); },
          nb::is_operator())
      .def("__hash__", [](const PythonStream& self) { return std::hash<void*>()(self.stream.get()); })
      .def("__repr__", [](const PythonStream& self) {
        std::ostringstream text;
        text << "<torch.cuda.Stream device=" << device_name() << " cuda_stream=0x" << std::hex
             << reinterpret_cast<std::uintptr_t>(self.stream.get()) << ">";
        return text.str();
      });

  nb::class_<StreamScope>(m, "_StreamScope")
      .def(nb::init<const PythonStream*>(), nb::arg("stream").none())
      .def("__enter__", [](StreamScope& self) { self.enter(); })
      .def("__exit__", [](StreamScope& self, nb::args) { self.leave(); });

  m.def(
      "current_stream",
      [](nb::object device) { return check_device(device, "current_stream"), PythonStream(current_stream()); },
      "device"_a = nb::none());
  m.def(
      "default_stream",
      [](nb::object device) { return check_device(device, "default_stream"), PythonStream(StreamRef()); },
      "device"_a = nb::none());
  m.def(
      "synchronize",
      [](nb::object device) {
        check_device(device, "synchronize");
        nb::gil_scoped_release waiting;
        check_cuda(cudaDeviceSynchronize(), "waiting for the device");
      },
      "device"_a = nb::none(), "Waits until everything submitted to the device is done.");
}

}  // namespace reprise::python
