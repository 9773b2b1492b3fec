#include "stream/capture_explanation.h"

#include <unistd.h>

#include <string>

#include "diagnose/refuse.h"
#include "diagnose/stack.h"
#include "graph/define/access.h"
#include "graph/define/node.h"
#include "stream/capture_rules.h"

namespace reprise_runtime::stream::explain {
namespace {

std::string number(uint64_t value) { return std::to_string(value); }

const char* name_of(cudaStreamCaptureMode mode) {
  switch (mode) {
    case cudaStreamCaptureModeGlobal:
      return "global";
    case cudaStreamCaptureModeThreadLocal:
      return "thread-local";
    default:
      return "relaxed";
  }
}

std::string streams_of(const Capture& capture) {
  std::string text = capture.parts().size() > 1 ? "streams" : "stream";
  for (const auto& part : capture.parts()) {
    text += &part == &capture.parts().front() ? " " : ", ";
    text += number(part->stream_id) + (part->blocking ? " (blocking)" : "");
    if (!part->stream) text += " (destroyed)";
  }
  return text;
}

// "capture 3: global mode, begun in thread 77 by f(int)+0x12 on stream 2; streams 2, 5; 7 nodes".
std::string described(const Capture& capture) {
  std::string text = "capture " + number(capture.id()) + ": " + name_of(capture.mode()) + " mode, begun in thread " +
                     number(static_cast<uint64_t>(capture.system_thread())) + " by " +
                     diagnose::describe_address(capture.begun_at());
  if (!capture.graph()) return text + "; it has ended";
  text += " on stream " + number(capture.origin().stream_id) + "; " + streams_of(capture) + "; " +
          number(capture.graph()->node_count()) + " nodes";
  return text;
}

// Captures that this call has just invalidated; they record the call.
std::vector<Ref<Capture>> just_invalidated(const std::vector<const Capture*>& captures) {
  std::vector<Ref<Capture>> found;
  for (const Capture* capture : captures) {
    const bool ended = !capture->graph();
    if (ended || capture->active() || !capture->invalidated_by().empty()) continue;
    found.emplace_back(const_cast<Capture*>(capture));
  }
  return found;
}

// Explains a refusal: `what` was refused, then a line for each capture concerned, for the cause, and for the way out.
cudaError_t refuse(cudaError_t code, const std::string& what, const std::vector<const Capture*>& captures,
                   const std::string& why, const std::string& instead) {
  std::string details;
  for (const Capture* capture : captures) details += "\n  " + described(*capture);
  const std::string place =
      "called in thread " + number(static_cast<uint64_t>(gettid())) + " by " + diagnose::describe_stack();
  details += "\n  why: " + why + "\n  instead: " + instead + "\n  " + place;
  std::vector<Ref<Capture>> invalidated = just_invalidated(captures);
  if (invalidated.empty()) return diagnose::refuse_in_detail(code, what, details);
  return diagnose::refuse_in_detail(code, what, details, [invalidated, place](const std::string& call) {
    MutexLock lock(capture_mutex());
    for (const Ref<Capture>& capture : invalidated) capture->set_invalidated_by(call + ", " + place);
  });
}

// "the capture was invalidated by cudaMalloc(devPtr=0x7ffe, size=64), called in thread 77 by f < main"
std::string describe_invalidation(const Capture& capture) {
  if (capture.invalidated_by().empty()) return "an earlier call could not be captured";
  return "it was invalidated by " + capture.invalidated_by();
}

// "a kernel node of scale"
std::string described(cudaGraphNode_t handle) {
  std::string text = "a node";
  static_cast<void>(graph::with_node(handle, [&](graph::Graph&, graph::Node& node) {
    text = graph::describe(node.type());
    if (const auto* kernel = std::get_if<graph::KernelWork>(&node.work)) {
      text += " of " + kernel->op.function->readable_name();
    }
    return cudaSuccess;
  }));
  return text;
}

std::string stream_name(const CapturePart& part) { return "stream " + number(part.stream_id); }
std::string event_name(const event::Event& event) {
  char text[40];
  std::snprintf(text, sizeof text, "event %p", event.handle().as<void*>());
  return text;
}

std::string while_capturing(const CapturePart& part) {
  return stream_name(part) + " is capturing in " + name_of(part.capture->mode()) + " mode";
}

std::string arguments(const RefusedCall& call) {
  std::string text;
  char address[32];
  if (call.bytes) text += number(call.bytes) + " bytes ";
  if (call.address) {
    std::snprintf(address, sizeof address, "%p", call.address);
    text += std::string("at ") + address + " ";
  }
  return text;
}

std::vector<const Capture*> constant(const std::vector<Capture*>& captures) {
  return {captures.begin(), captures.end()};
}

}  // namespace

// ---- beginning and ending ---------------------------------------------------------------------------------------

cudaError_t legacy_begin() {
  return refuse(cudaErrorStreamCaptureUnsupported, "the legacy stream cannot capture", {},
                "it waits for all blocking streams and they wait for it, which a graph cannot express",
                "capture a stream made by cudaStreamCreate, or cudaStreamPerThread; compile with --default-stream "
                "per-thread to make stream 0 the thread's own");
}

cudaError_t already_capturing(const CapturePart& part) {
  return refuse(cudaErrorIllegalState, stream_name(part) + " is capturing already", {part.capture},
                "a stream belongs to at most one capture", "end that capture first, or capture another stream");
}

cudaError_t graph_in_use(const graph::Graph& graph) {
  return refuse(cudaErrorIllegalState, "graph " + number(graph.id()) + " is the target of another capture", {},
                "at most one capture adds nodes to a graph",
                "end the other capture first, or let this stream join it by waiting for an event");
}

cudaError_t end_without_begin(const Stream& stream) {
  return refuse(cudaErrorIllegalState, "stream " + number(stream.id()) + " is not capturing", {},
                "no capture was begun on it, or the capture has ended",
                "call cudaStreamBeginCapture on this stream first; cudaStreamIsCapturing tells whether it captures");
}

cudaError_t not_capturing(const Stream& stream) {
  return refuse(cudaErrorIllegalState, "stream " + number(stream.id()) + " is not capturing", {},
                "only a capturing stream has dependencies to change",
                "call it between cudaStreamBeginCapture and "
                "cudaStreamEndCapture, on a stream of the capture");
}

cudaError_t ended_on_joined_stream(const CapturePart& part) {
  part.capture->invalidate();
  return refuse(cudaErrorStreamCaptureUnmatched, stream_name(part) + " joined the capture by waiting for an event",
                {part.capture}, "a capture ends on the stream on which it was begun",
                "call cudaStreamEndCapture on stream " + number(part.capture->origin().stream_id));
}

cudaError_t ended_by_wrong_thread(const Capture& capture) {
  return refuse(
      cudaErrorStreamCaptureWrongThread,
      "the capture was begun by thread " + number(static_cast<uint64_t>(capture.system_thread())), {&capture},
      "a capture in global or thread-local mode restricts the calls of its thread, so that thread must end it",
      "end it in that thread, or begin it with cudaStreamCaptureModeRelaxed");
}

cudaError_t ended_invalidated(const Capture& capture) {
  return refuse(cudaErrorStreamCaptureInvalidated, "the capture was invalidated", {&capture},
                describe_invalidation(capture) + "; the log entry of that call explains why",
                "correct that call, then capture again; the streams are usable again");
}

cudaError_t unjoined(const Capture& capture, const Capture::Open& open) {
  const std::string last = described(open.node);
  const std::string stream = number(open.stream_id), origin = number(capture.origin().stream_id);
  return refuse(
      cudaErrorStreamCaptureUnjoined,
      "stream " + stream + " has captured work that stream " + origin + " does not wait for; its last node is " + last,
      {&capture}, "all work of a capture must be joined to the stream on which it was begun",
      "before cudaStreamEndCapture call cudaEventRecord(event, stream " + stream + ") and cudaStreamWaitEvent(stream " +
          origin + ", event)");
}

// ---- streams ----------------------------------------------------------------------------------------------------

cudaError_t invalidated(const CapturePart& part) {
  return refuse(cudaErrorStreamCaptureInvalidated, stream_name(part) + " belongs to an invalidated capture",
                {part.capture}, describe_invalidation(*part.capture) + "; the log entry of that call explains why",
                "end the capture with cudaStreamEndCapture on stream " + number(part.capture->origin().stream_id) +
                    ", which makes its streams usable again");
}

cudaError_t no_node_type(const CapturePart& part, const RefusedCall& call) {
  return refuse(cudaErrorStreamCaptureUnsupported, arguments(call) + "while " + while_capturing(part), {part.capture},
                "the stream records its work instead of running it, and no type of node can represent this call",
                call.instead);
}

cudaError_t launch_failed(const CapturePart& part, cudaError_t status) {
  const std::string reason = diagnose::reason_of(status);
  return refuse(status,
                reason + (reason.empty() ? "" : "; ") + "the launch is not captured while " + while_capturing(part),
                {part.capture}, "the graph would lack the kernel, so the capture is invalidated",
                "check the launch's dimensions, shared memory and attributes against the kernel's and device's limits");
}

cudaError_t legacy_used(const Stream& legacy) {
  return refuse(cudaErrorStreamCaptureImplicit, "the legacy stream (stream 0) is used while a blocking stream captures",
                constant(invalidate_blocking(legacy.device())),
                "it would have to wait for the captured work, which does not run",
                "use another stream for this work, create the captured streams with cudaStreamNonBlocking, or compile "
                "with --default-stream per-thread; copies without Async in their names use the legacy stream as well");
}

cudaError_t legacy_queried(const Stream& legacy) {
  std::vector<const Capture*> concerned;
  for (const Capture* capture : Capture::all()) {
    for (const auto& part : capture->parts()) {
      if (part->blocking && part->device == legacy.device()) {
        concerned.push_back(capture);
        break;
      }
    }
  }
  return refuse(cudaErrorStreamCaptureImplicit, "the legacy stream cannot be used while a blocking stream captures",
                concerned, "it would have to wait for the captured work", "call it with the capturing stream");
}

// ---- events -----------------------------------------------------------------------------------------------------

cudaError_t legacy_waits(Capture& capture) {
  capture.invalidate();
  return refuse(cudaErrorStreamCaptureImplicit, "the legacy stream waits for an event of a capture", {&capture},
                "it would join the capture, which it cannot", "wait in a stream created by cudaStreamCreate");
}

cudaError_t outside_event(const CapturePart& part) {
  part.capture->invalidate();
  return refuse(cudaErrorStreamCaptureIsolation,
                while_capturing(part) + ", and the event was recorded outside the capture", {part.capture},
                "the graph may be launched many times; it cannot depend on work that was queued once",
                "record the event in a stream of the same capture, use cudaEventWaitExternal for a node that "
                "waits at every launch, or wait before the capture begins");
}

cudaError_t merge(const CapturePart& part, Capture& other) {
  part.capture->invalidate();
  other.invalidate();
  return refuse(cudaErrorStreamCaptureMerge, stream_name(part) + " waits for an event of capture " + number(other.id()),
                {part.capture, &other}, "two captures cannot be merged",
                "begin one capture, and let the other stream join it by waiting for an event of the first");
}

cudaError_t shared_event(const CapturePart& part) {
  return refuse(cudaErrorStreamCaptureUnsupported, "an interprocess event, while " + while_capturing(part),
                {part.capture}, "other processes cannot see a capture",
                "use an event without cudaEventInterprocess, or record it with cudaEventRecordExternal");
}

cudaError_t captured_event_queried(const event::Event& event, const Capture& capture) {
  return refuse(cudaErrorCapturedEvent, event_name(event) + " was recorded in a capture", {&capture},
                "it stands for nodes of a graph: no work was queued that could be waited for or timed",
                "use an event that is recorded after the launch of the graph, or record this one with "
                "cudaEventRecordExternal, which records it at every launch");
}

cudaError_t stale_event(const event::Event& event, const Capture& gone, Capture* waiter) {
  if (waiter) waiter->invalidate();
  std::vector<const Capture*> captures = {&gone};
  if (waiter) captures.push_back(waiter);
  return refuse(cudaErrorInvalidValue, event_name(event) + " was last recorded in a capture that has ended", captures,
                "it stands for nodes of a graph, not for work", "record the event again before using it");
}

// ---- calls that use no stream -----------------------------------------------------------------------------------

cudaError_t unsafe(const std::vector<Capture*>& captures, const RefusedCall& call) {
  const Capture& first = *captures.front();
  const bool own = first.thread() == this_thread();
  return refuse(cudaErrorStreamCaptureUnsupported,
                arguments(call) + "while stream " + number(first.origin().stream_id) + " is capturing in " +
                    name_of(first.mode()) + " mode" + (own ? "" : " in another thread"),
                constant(captures), "the call belongs to no stream, so the graph of this work would lack it",
                std::string(call.instead) +
                    "; or exchange this thread's mode to relaxed around the call "
                    "(cudaThreadExchangeStreamCaptureMode)" +
                    (own ? "" : ", or begin the capture with cudaStreamCaptureModeThreadLocal"));
}

cudaError_t device_waited_for(const std::vector<Capture*>& captures) {
  return refuse(cudaErrorStreamCaptureUnsupported,
                "the call waits for all work of the device while a stream is capturing", constant(captures),
                "captured work does not run, so the call cannot wait for it",
                "wait for single streams outside the capture, or wait after cudaStreamEndCapture");
}

}  // namespace reprise_runtime::stream::explain
