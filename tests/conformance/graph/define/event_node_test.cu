// Event record and event wait nodes.
#include "graph/graph_support.h"

namespace {

class GraphEventNode : public Graphs {
 protected:
  Event event;
  Event second_event;
  DeviceArray<int> cell{2};
  Stream stream{cudaStreamNonBlocking};
  Stream other{cudaStreamNonBlocking};
};

TEST_F(GraphEventNode, RecordsWhenTheLaunchReachesIt) {
  Gate gate;
  PinnedArray<int> flag(1);
  const auto first = graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  graph.record(event, {first});
  Exec exec(graph);
  EXPECT_EQ(cudaSuccess, cudaEventQuery(event)) << "a record node records nothing before a launch";
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  *static_cast<volatile int*>(flag.get()) = 1;
  ASK(cudaSuccess, cudaEventSynchronize(event));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(GraphEventNode, AnotherStreamCanWaitForTheRecord) {
  PinnedArray<int> flag(1);
  const auto wait = graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  graph.record(event, {graph.store(cell.get(), 5, {wait})});
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamWaitEvent(other, event, 0));
  MUST(cudaMemcpyAsync(cell.get() + 1, cell.get(), 4, cudaMemcpyDeviceToDevice, other));
  ASK(cudaErrorNotReady, cudaStreamQuery(other));
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaStreamSynchronize(other));
  EXPECT_EQ(5, cell.read()[1]);
}

TEST_F(GraphEventNode, WaitsForTheLatestRecordBeforeTheLaunch) {
  const auto wait = graph.wait(event);
  graph.copy(cell.get() + 1, cell.get(), 4, {wait});
  Exec exec(graph);
  Gate gate;
  gate.close(other);
  store<<<1, 1, 0, other>>>(cell.get(), 9);
  MUST(cudaEventRecord(event, other));
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ(9, cell.read()[1]);
}

TEST_F(GraphEventNode, AnEventNeverRecordedIsNoWait) {
  graph.wait(event);
  run(graph);
}

TEST_F(GraphEventNode, ARecordAfterTheLaunchDoesNotHoldIt) {
  graph.wait(event);
  Exec exec(graph);
  Gate hold;
  MUST(cudaEventRecord(event, other));
  MUST(cudaStreamSynchronize(other));
  MUST(cudaGraphLaunch(exec, stream));
  hold.close(other);
  MUST(cudaEventRecord(event, other));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  hold.open();
}

TEST_F(GraphEventNode, TimesBetweenTwoRecordNodes) {
  const auto start = graph.record(event);
  const auto work = graph.store(cell.get(), 1, {start});
  graph.record(second_event, {work});
  run(graph);
  float milliseconds = -1;
  ASK(cudaSuccess, cudaEventElapsedTime(&milliseconds, event, second_event));
  EXPECT_GE(milliseconds, 0);
}

TEST_F(GraphEventNode, TellsAndChangesItsEvent) {
  const auto record = graph.record(event), wait = graph.wait(event);
  cudaEvent_t told = nullptr;
  MUST(cudaGraphEventRecordNodeGetEvent(record, &told));
  EXPECT_EQ(static_cast<cudaEvent_t>(event), told);
  MUST(cudaGraphEventWaitNodeGetEvent(wait, &told));
  EXPECT_EQ(static_cast<cudaEvent_t>(event), told);
  MUST(cudaGraphEventRecordNodeSetEvent(record, second_event));
  MUST(cudaGraphEventWaitNodeSetEvent(wait, second_event));
  MUST(cudaGraphEventRecordNodeGetEvent(record, &told));
  EXPECT_EQ(static_cast<cudaEvent_t>(second_event), told);
  MUST(cudaGraphEventWaitNodeGetEvent(wait, &told));
  EXPECT_EQ(static_cast<cudaEvent_t>(second_event), told);
}

TEST_F(GraphEventNode, ArgumentsAreChecked) {
  const auto record = graph.record(event), wait = graph.wait(event), plain = graph.empty();
  cudaGraphNode_t node = nullptr;
  cudaEvent_t told = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(record, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(wait, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(wait, &told));
  ASK(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(record, &told));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(plain, &told));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(nullptr, &told));
  ASK(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(nullptr, &told));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeSetEvent(record, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphEventWaitNodeSetEvent(wait, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeSetEvent(wait, event));
  ASK(cudaErrorInvalidValue, cudaGraphEventWaitNodeSetEvent(record, event));
  ASK(cudaErrorInvalidValue, cudaGraphEventRecordNodeSetEvent(nullptr, event));
}

TEST_F(GraphEventNode, EveryKindOfEventIsTaken) {
  Event untimed(cudaEventDisableTiming), blocking(cudaEventBlockingSync);
  ASK(cudaSuccess, [&] {
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, untimed);
  }());
  ASK(cudaSuccess, [&] {
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, blocking);
  }());
  run(graph);
  MUST(cudaEventSynchronize(blocking));
}

TEST_F(GraphEventNode, OneGraphHandsOverToAnother) {
  Graph consumer;
  const auto wait = consumer.wait(event);
  consumer.copy(cell.get() + 1, cell.get(), 4, {wait});
  PinnedArray<int> flag(1);
  const auto hold = graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  graph.record(event, {graph.store(cell.get(), 77, {hold})});
  Exec producing(graph), consuming(consumer);
  MUST(cudaGraphLaunch(producing, stream));
  MUST(cudaGraphLaunch(consuming, other));
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaStreamSynchronize(other));
  EXPECT_EQ(77, cell.read()[1]);
}

TEST_F(GraphEventNode, RecordAndWaitOfOneEventInOneGraph) {
  const auto record = graph.record(event, {graph.store(cell.get(), 3)});
  graph.wait(event, {record});
  cudaGraphExec_t exec = nullptr;
  ASK_CASE("record before wait", cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  if (exec) {
    ASK_CASE("launch", cudaSuccess, cudaGraphLaunch(exec, stream));
    ASK_CASE("synchronize", cudaSuccess, cudaStreamSynchronize(stream));
    MUST(cudaGraphExecDestroy(exec));
  }
}

}  // namespace
