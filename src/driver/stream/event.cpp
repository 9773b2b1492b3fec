// Events.
#include "driver/entry/entry.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::Context;

namespace {

cudaError_t record(CUevent event, CUstream stream, unsigned flags) {
  Context* const of_stream = Context::of_stream(stream);
  Context* const of_event = Context::owner_of(event);
  const auto other = [](Context* context) { return context && !context->primary() ? context : nullptr; };
  if (other(of_stream) != other(of_event)) {
    return refuse(cudaErrorInvalidResourceHandle, "the event belongs to another context than the stream");
  }
  return cudaEventRecordWithFlags(event, stream, flags);
}

}  // namespace

extern "C" {

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  return driver::entry([&] { return cudaEventCreateWithFlags(phEvent, Flags); }, ARGUMENTS(phEvent, Flags));
}

CUresult cuEventDestroy(CUevent hEvent) {
  return driver::entry([&] { return cudaEventDestroy(hEvent); }, ARGUMENTS(hEvent));
}

CALL_PTSZ(cuEventRecord, (CUevent hEvent, CUstream hStream), (hEvent, hStream), record(hEvent, hStream, 0))
CALL_PTSZ(cuEventRecordWithFlags, (CUevent hEvent, CUstream hStream, unsigned int flags), (hEvent, hStream, flags),
          record(hEvent, hStream, flags))
CUresult cuEventQuery(CUevent hEvent) {
  return driver::entry([&] { return cudaEventQuery(hEvent); }, ARGUMENTS(hEvent));
}

CUresult cuEventSynchronize(CUevent hEvent) {
  return driver::entry([&] { return cudaEventSynchronize(hEvent); }, ARGUMENTS(hEvent));
}

CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return driver::entry([&] { return cudaEventElapsedTime(pMilliseconds, hStart, hEnd); },
                       ARGUMENTS(pMilliseconds, hStart, hEnd));
}
}
