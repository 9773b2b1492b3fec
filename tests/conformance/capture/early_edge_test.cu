// Captured edges that do not wait for the end of the node before.
#include "capture/capture_support.h"

namespace {

cudaError_t launch_attributed(cudaStream_t stream, int id, cudaLaunchAttribute attribute) {
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, mark, id);
}

cudaLaunchAttribute serialization(int allowed = 1) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = allowed;
  return attribute;
}

cudaLaunchAttribute programmatic_event(cudaEvent_t event, int at_block_start, int flags = 0) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  attribute.val.programmaticEvent.event = event;
  attribute.val.programmaticEvent.triggerAtBlockStart = at_block_start;
  attribute.val.programmaticEvent.flags = flags;
  return attribute;
}

cudaLaunchAttribute completion_event(cudaEvent_t event, int flags = 0) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
  attribute.val.launchCompletionEvent.event = event;
  attribute.val.launchCompletionEvent.flags = flags;
  return attribute;
}

}  // namespace

TEST_F(CapturedStreams, ProgrammaticSerialization) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaSuccess, launch_attributed(stream, 1, serialization()));
  ASK(cudaSuccess, launch_attributed(stream, 2, serialization()));
  ASK(cudaSuccess, launch_attributed(stream, 3, serialization(0)));
  ASK_VALUE(std::string("3"), next_after(stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2[1,0,1] 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticSerializationAfterOtherNodes) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(cudaMemsetAsync(memory.get(), 0, 64, stream));
  ASK(cudaSuccess, launch_attributed(stream, 1, serialization()));
  MUST(launch_mark(2, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(3, stream));
  MUST(launch_mark(4, other));
  MUST(fork(stream, other, join));
  ASK(cudaSuccess, launch_attributed(stream, 5, serialization()));
  ASK_VALUE(std::string("Success 1 2 3 4 5 memset: 1>2 2>3 2>4 3>5[1,0,1] 4>5[1,0,1] memset>1"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticSerializationAfterAKernelAndAMemset) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, stream));
  MUST(cudaMemsetAsync(memory.get(), 0, 64, other));
  MUST(fork(stream, other, join));
  ASK(cudaSuccess, launch_attributed(stream, 3, serialization()));
  ASK_VALUE(std::string("Success 1 2 3 memset: 1>2 1>memset 2>3[1,0,1] memset>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticSerializationFirstInAStream) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK(cudaSuccess, launch_attributed(other, 2, serialization()));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2: 1>2[1,0,1]"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticEvents) {
  for (int at_start : {0, 1}) {
    MUST(cudaStreamBeginCapture(stream, relaxed));
    const std::string edge = at_start ? "[2,0,1]" : "[1,0,1]";
    ASK(cudaSuccess, launch_attributed(stream, 1, programmatic_event(event, at_start)));
    ASK_VALUE(std::string("1"), next_after(stream));
    ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
    ASK_VALUE("1" + edge, next_after(other));
    ASK(cudaSuccess, launch_mark(2, other));
    ASK(cudaSuccess, fork(stream, other, join));
    ASK_VALUE("Success 1 2: 1>2" + edge, end_drawn(stream));
  }
}

TEST_F(CapturedStreams, LaunchCompletionEvents) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaSuccess, launch_attributed(stream, 1, completion_event(event)));
  ASK_VALUE(std::string("1"), next_after(stream));
  ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("1[2,0,0]"), next_after(other));
  ASK(cudaSuccess, launch_mark(2, other));
  ASK(cudaSuccess, fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2: 1>2[2,0,0]"), end_drawn(stream));
}

TEST_F(CapturedStreams, ExternalEventsOfLaunches) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaErrorNotSupported, launch_attributed(stream, 1, programmatic_event(event, 0, cudaEventRecordExternal)));
  ASK(cudaErrorNotSupported, launch_attributed(stream, 2, completion_event(more, cudaEventRecordExternal)));
  ASK_VALUE(std::string("Success :"), end_drawn(stream));
}

// A stream that waited only for the start of a node, and then captured nothing.
TEST_F(CapturedStreams, EarlyEdgeAlone) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_attributed(stream, 1, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
}

// The last operation in the origin stream is a wait for the start of another stream's kernel.
TEST_F(CapturedStreams, JoinedByNoMoreThanAnEarlyWait) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, more));
  MUST(launch_attributed(other, 2, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1 2[1,0,1]"), next_after(stream));
  // The documentation says that this does not count as a join.
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

// Waits for the start of a node, then for its end.
TEST_F(CapturedStreams, FullEdgeAfterAnEarlyOne) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, more));
  MUST(launch_attributed(other, 2, programmatic_event(event, 0)));
  MUST(cudaEventRecord(join, other));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  MUST(cudaStreamWaitEvent(stream, join, 0));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  MUST(launch_mark(3, stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, JoinedByAnEarlyEdgeAlone) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, more));
  MUST(launch_attributed(other, 2, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1 2[1,0,1]"), next_after(stream));
  ASK(cudaSuccess, launch_mark(3, stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3 2>3[1,0,1]"), end_drawn(stream));
}

TEST_F(CapturedStreams, EarlyEdgeAndFullEdgeToTheSameNode) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_attributed(stream, 1, programmatic_event(event, 0)));
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1"), next_after(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(CapturedStreams, NonKernelAfterAnEarlyEdge) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_attributed(stream, 1, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(other, event, 0));
  ASK(cudaSuccess, cudaMemsetAsync(memory.get(), 0, 64, other));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_drawn(stream));
}
