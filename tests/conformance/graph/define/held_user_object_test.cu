// User objects held by graphs: ownership and destruction.
#include "graph/graph_support.h"

namespace {

// Destructors run on a thread of the runtime. Tests wait for expected calls, and check for unexpected ones after all
// other work is done.
class GraphUserObject : public Graphs {
 protected:
  static void CUDART_CB destroyed(void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }

  void SetUp() override {
    Graphs::SetUp();
    // The count outlives the test, because a destructor may still run.
    count = new std::atomic<int>(0);
  }
  cudaUserObject_t make(unsigned references = 1) {
    cudaUserObject_t object = nullptr;
    EXPECT_EQ(cudaSuccess, cudaUserObjectCreate(&object, count, destroyed, references, cudaUserObjectNoDestructorSync));
    return object;
  }
  bool goes() {
    return eventually([&] { return count->load() > 0; });
  }
  bool stays() {
    (void)cudaDeviceSynchronize();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return count->load() == 0;
  }
  std::atomic<int>* count = nullptr;
};

TEST_F(GraphUserObject, GoesWithItsGraph) {
  Graph holder;
  MUST(cudaGraphRetainUserObject(holder, make(), 1, cudaGraphUserObjectMove));
  EXPECT_TRUE(stays());
  MUST(cudaGraphDestroy(holder.release()));
  EXPECT_TRUE(goes());
  EXPECT_EQ(1, count->load());
}

TEST_F(GraphUserObject, WithoutMoveTheCallerKeepsItsReference) {
  Graph holder;
  const auto object = make();
  MUST(cudaGraphRetainUserObject(holder, object, 1, 0));
  MUST(cudaGraphDestroy(holder.release()));
  EXPECT_TRUE(stays());
  MUST(cudaUserObjectRelease(object, 1));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, ExecutableGraphKeepsIt) {
  Graph holder;
  MUST(cudaGraphRetainUserObject(holder, make(), 1, cudaGraphUserObjectMove));
  holder.empty();
  Exec exec(holder);
  MUST(cudaGraphDestroy(holder.release()));
  EXPECT_TRUE(stays());
  MUST(cudaGraphExecDestroy(exec.release()));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, ALaunchInFlightKeepsIt) {
  PinnedArray<int> flag(1);
  Stream stream(cudaStreamNonBlocking);
  Graph holder;
  MUST(cudaGraphRetainUserObject(holder, make(), 1, cudaGraphUserObjectMove));
  holder.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  Exec exec(holder);
  MUST(cudaGraphDestroy(holder.release()));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaGraphExecDestroy(exec.release()));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(0, count->load());
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaStreamSynchronize(stream));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, CloneAndChildKeepIt) {
  Graph holder, parent;
  MUST(cudaGraphRetainUserObject(holder, make(), 1, cudaGraphUserObjectMove));
  cudaGraph_t clone = nullptr;
  MUST(cudaGraphClone(&clone, holder));
  const auto child = parent.child(holder);
  MUST(cudaGraphDestroy(holder.release()));
  EXPECT_TRUE(stays());
  MUST(cudaGraphDestroy(clone));
  EXPECT_TRUE(stays());
  MUST(cudaGraphDestroyNode(child));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, ExecutableGraphKeepsItsChildrensToo) {
  Graph holder, parent;
  MUST(cudaGraphRetainUserObject(holder, make(), 1, cudaGraphUserObjectMove));
  parent.child(holder);
  Exec exec(parent);
  MUST(cudaGraphDestroy(holder.release()));
  MUST(cudaGraphDestroy(parent.release()));
  EXPECT_TRUE(stays());
  MUST(cudaGraphExecDestroy(exec.release()));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, ReleasedByTheGraphBeforeInstantiationIsGone) {
  const auto object = make();
  MUST(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  MUST(cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, ReleasedByTheGraphAfterInstantiationStaysWithTheExec) {
  const auto object = make();
  MUST(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  Exec exec(graph);
  MUST(cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_TRUE(stays());
  MUST(cudaGraphExecDestroy(exec.release()));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, SeveralReferencesAreCounted) {
  const auto object = make(3);
  MUST(cudaGraphRetainUserObject(graph, object, 2, cudaGraphUserObjectMove));
  MUST(cudaUserObjectRelease(object, 1));
  EXPECT_TRUE(stays());
  MUST(cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_TRUE(stays());
  MUST(cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, RetainAndReleaseByTheCaller) {
  const auto object = make();
  MUST(cudaUserObjectRetain(object, 2));
  MUST(cudaUserObjectRelease(object, 1));
  MUST(cudaUserObjectRelease(object, 1));
  EXPECT_TRUE(stays());
  MUST(cudaUserObjectRelease(object, 1));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, ArgumentsAreChecked) {
  const auto object = make(4);
  cudaUserObject_t made = nullptr;
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(nullptr, count, destroyed, 1, cudaUserObjectNoDestructorSync));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&made, count, nullptr, 1, cudaUserObjectNoDestructorSync));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&made, count, destroyed, 0, cudaUserObjectNoDestructorSync));
  ASK(cudaSuccess, cudaUserObjectCreate(&made, count, destroyed, 1u << 31, cudaUserObjectNoDestructorSync));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&made, count, destroyed, 1, 0));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&made, count, destroyed, 1, 3));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(nullptr, 1));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(object, 0));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(object, 1u << 31));
  ASK(cudaErrorInvalidValue, cudaUserObjectRelease(nullptr, 1));
  ASK(cudaErrorInvalidValue, cudaUserObjectRelease(object, 0));
  ASK(cudaErrorInvalidValue, cudaUserObjectRelease(object, 1u << 31));
  ASK(cudaErrorInvalidValue, cudaGraphRetainUserObject(nullptr, object, 1, 0));
  ASK(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, nullptr, 1, 0));
  ASK(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 0, 0));
  ASK(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 1u << 31, 0));
  ASK(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 1, 2));
  ASK(cudaErrorInvalidValue, cudaGraphReleaseUserObject(nullptr, object, 1));
  ASK(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, nullptr, 1));
  MUST(cudaGraphRetainUserObject(graph, object, 2, 0));
  ASK(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, object, 0));
  ASK(cudaSuccess, cudaGraphReleaseUserObject(graph, object, 2));
  EXPECT_TRUE(stays());
  MUST(cudaUserObjectRelease(object, 4));
  EXPECT_TRUE(goes());
}

TEST_F(GraphUserObject, MoreReferencesThanExistCanBeMoved) {
  const auto object = make();
  ASK(cudaSuccess, cudaGraphRetainUserObject(graph, object, 3, cudaGraphUserObjectMove));
  EXPECT_TRUE(stays());
  // The object had one reference, and with that it goes.
  ASK(cudaSuccess, cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_TRUE(goes());
  MUST(cudaGraphDestroy(graph.release()));
  EXPECT_EQ(1, count->load());
}

TEST_F(GraphUserObject, AGraphReleasesReferencesThatItDoesNotHold) {
  const auto object = make(2);
  ASK(cudaSuccess, cudaGraphReleaseUserObject(graph, object, 1));
  EXPECT_TRUE(stays());
  ASK(cudaSuccess, cudaGraphRetainUserObject(graph, object, 1, 0));
  ASK(cudaSuccess, cudaGraphReleaseUserObject(graph, object, 2));
  EXPECT_TRUE(goes());
  EXPECT_EQ(1, count->load());
}

TEST_F(GraphUserObject, ReleasedByTheGraphMoreOftenThanItExistsNeverGoes) {
  CRASHES_ON_NVIDIA("an object released too often, later");
  const auto object = make();
  MUST(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  ASK(cudaSuccess, cudaGraphReleaseUserObject(graph, object, 5));
  ASK_CASE("release after the last", cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, object, 1));
  ASK_CASE("retain after the last", cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 1, 0));
  MUST(cudaGraphDestroy(graph.release()));
  EXPECT_TRUE(stays());
}

}  // namespace
