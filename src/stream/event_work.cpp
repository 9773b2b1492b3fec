#include "stream/event_work.h"

#include "diagnose/refuse.h"
#include "stream/capture.h"
#include "stream/capture_explanation.h"
#include "stream/capture_work.h"

namespace reprise_runtime::stream {
namespace {

// The event stands for the dependencies of the stream's next node.
cudaError_t record_in_capture(CapturePart& part, event::Event& event) {
  if (!part.capture->active()) return explain::invalidated(part);
  if (event.shared()) return explain::shared_event(part);
  auto record = std::make_shared<CapturedRecord>();
  record->capture = Ref<Capture>(part.capture);
  record->nodes = part.next;
  event.record_captured(std::move(record));
  return cudaSuccess;
}

// A stream outside captures joins the capture of the event.
cudaError_t join_capture(Stream& stream, event::Event& event, const CapturedRecord& record) {
  Capture& capture = *record.capture;
  if (!capture.active()) return explain::stale_event(event, capture);
  if (stream.kind() == Kind::legacy) return explain::legacy_waits(capture);
  capture.enter(stream, record.nodes);
  return cudaSuccess;
}

cudaError_t wait_in_capture(CapturePart& part, event::Event& event, const CapturedRecord* record) {
  Capture& capture = *part.capture;
  if (!capture.active()) return explain::invalidated(part);
  if (!record) {
    // There is nothing to wait for.
    if (!event.ever_recorded()) return cudaSuccess;
    return explain::outside_event(part);
  }
  if (record->capture.get() != &capture) {
    return record->capture->active() ? explain::merge(part, *record->capture)
                                     : explain::stale_event(event, *record->capture, &capture);
  }
  part.next.add(record->nodes);
  return cudaSuccess;
}

cudaError_t external_outside(const char* verb) {
  return diagnose::refuse(cudaErrorIllegalState,
                          "an event is %s externally only in a capturing stream; leave the "
                          "flag out",
                          verb);
}

}  // namespace

cudaError_t record_event(Stream& stream, const Ref<event::Event>& event, bool external) {
  if (stream.may_capture()) [[unlikely]] {
    MutexLock lock(capture_mutex());
    if (CapturePart* part = stream.capture()) {
      if (!part->capture) return explain::legacy_used(stream);
      return external ? capture_op(stream, *part, op::EventRecord{event}) : record_in_capture(*part, *event);
    }
  }
  return external ? external_outside("recorded") : stream.submit(op::EventRecord{event});
}

cudaError_t wait_event(Stream& stream, const Ref<event::Event>& event, bool external) {
  if (stream.may_capture() || (event->is_captured() && !external)) [[unlikely]] {
    std::shared_ptr<event::CapturedRecord> captured = event->captured();
    const auto* record = static_cast<const CapturedRecord*>(captured.get());
    MutexLock lock(capture_mutex());
    if (CapturePart* part = stream.capture()) {
      if (!part->capture) return explain::legacy_used(stream);
      return external ? capture_op(stream, *part, op::EventWait{event}) : wait_in_capture(*part, *event, record);
    }
    if (record && !external) return join_capture(stream, *event, *record);
  }
  return external ? external_outside("waited for") : stream.submit(op::EventWait{event});
}

}  // namespace reprise_runtime::stream
