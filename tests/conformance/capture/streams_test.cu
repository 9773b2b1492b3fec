// Captures of several streams: forks, joins and merges.
#include "capture/capture_support.h"

TEST_F(CapturedStreams, ForkAndJoin) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("active"), status_of(other));
  ASK_VALUE(std::string("1"), next_after(other));
  ASK_VALUE(true, info_of(stream).id == info_of(other).id);
  ASK_VALUE(true, info_of(stream).graph == info_of(other).graph);
  MUST(launch_mark(2, stream));
  MUST(launch_mark(3, other));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("2 3"), next_after(stream));
  MUST(launch_mark(4, stream));
  ASK_VALUE(std::string("Success 1 2 3 4: 1>2 1>3 2>4 3>4"), end_drawn(stream));
  ASK_VALUE(std::string("none"), status_of(other));
  ASK_VALUE(std::string("Success"), usable(other));
}

TEST_F(CapturedStreams, JoinIsTheLastItem) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(CapturedStreams, WaitForWhatComesBeforeAnyway) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(launch_mark(2, stream));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  MUST(launch_mark(3, stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, OrderOfDependencies) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(cudaStreamWaitEvent(third, event, 0));
  MUST(launch_mark(2, other));
  MUST(launch_mark(3, third));
  MUST(fork(stream, third, join));
  MUST(fork(stream, other, more));
  std::string order;
  for (auto node : info_of(stream).dependencies) order += node_name(node) + " ";
  ASK_FACT("order", std::string("1 3 2 "), order);
  (void)end_capture(stream);
}

TEST_F(CapturedStreams, ForkBeforeTheFirstNode) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaSuccess, fork(other, stream, event));
  ASK_VALUE(std::string("active"), status_of(other));
  ASK_VALUE(std::string(""), next_after(other));
  MUST(launch_mark(1, stream));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2:"), end_drawn(stream));
}

TEST_F(CapturedStreams, Unjoined) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK_VALUE(std::string("none"), status_of(other));
  ASK_VALUE(std::string("Success"), usable(stream));
  ASK_VALUE(std::string("Success"), usable(other));
}

// A stream that entered the capture and captured nothing need not be joined.
TEST_F(CapturedStreams, UnjoinedWithoutWork) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
  ASK_VALUE(std::string("none"), status_of(other));
}

TEST_F(CapturedStreams, UnjoinedBeforeTheFirstNode) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("Success :"), end_drawn(stream));
}

TEST_F(CapturedStreams, UnjoinedAfterTheJoin) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  MUST(launch_mark(3, other));
  MUST(launch_mark(4, stream));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_drawn(stream));
}

TEST_F(CapturedStreams, JoinedByAnotherStream) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(third, other, more));
  MUST(launch_mark(3, third));
  MUST(fork(stream, third, join));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, JoinedByAnEarlierNode) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  MUST(launch_mark(3, stream));
  MUST(launch_mark(4, stream));
  ASK_VALUE(std::string("Success 1 2 3 4: 1>2 1>3 2>3 3>4"), end_drawn(stream));
}

TEST_F(CapturedStreams, DroppedNodesAreNoUnjoinedStream) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(other, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(CapturedStreams, AddedByHandAndUnreachable) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  cudaGraphNode_t added = nullptr;
  MUST(cudaGraphAddEmptyNode(&added, info_of(stream).graph, nullptr, 0));
  ASK_VALUE(std::string("Success 1 empty:"), end_drawn(stream));
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(fork(other, stream, event));
  MUST(cudaGraphAddEmptyNode(&added, info_of(stream).graph, nullptr, 0));
  MUST(cudaStreamUpdateCaptureDependencies(other, &added, nullptr, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("Success empty:"), end_drawn(stream));
}

TEST_F(CapturedStreams, EdgesRemovedByHand) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  cudaGraphNode_t two = info_of(other).dependencies[0];
  MUST(fork(stream, other, join));
  MUST(launch_mark(3, stream));
  cudaGraphNode_t three = info_of(stream).dependencies[0];
  ASK(cudaSuccess, cudaGraphRemoveDependencies(info_of(stream).graph, &two, &three, nullptr, 1));
  // Changes made to the graph directly do not count as an unjoined stream.
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, EndOnAStreamThatJoined) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("StreamCaptureUnmatched null"), end_capture(other));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("Success"), usable(stream));
  ASK_VALUE(std::string("Success"), usable(other));
}

TEST_F(CapturedStreams, MergeByWaiting) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(cudaStreamBeginCapture(other, global));
  MUST(launch_mark(1, stream));
  MUST(launch_mark(2, other));
  MUST(cudaEventRecord(event, other));
  ASK(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(other));
}
