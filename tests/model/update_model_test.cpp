// Random changes of executable graphs (one node, enabling, whole graphs, and changes that must be refused) between and
// during launches, also by two threads, against a naive interpreter.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

#include "changing_nodes.h"
#include "graph_model.h"
#include "long_tests.h"

namespace {

using namespace changing;

class UpdateModel {
 public:
  UpdateModel(unsigned seed, int nodes) : random_(seed) {
    int cells = 0;
    exec_blueprint_ = random_.blueprint(nodes, cells);
    nodes_ = std::make_unique<Nodes>(cells);
    left_.cells.assign(static_cast<size_t>(cells), 1);
    for (const Shape& shape : exec_blueprint_.shapes) note(shape);
    graph_ = nodes_->build(exec_blueprint_, handles_);
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
    for (cudaStream_t& stream : streams_) {
      EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
  }
  ~UpdateModel() {
    for (cudaStream_t stream : streams_) {
      EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
      EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
    }
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
  }

  void change() {
    switch (random_.below(6)) {
      case 0:
      case 1:
        return set_one();
      case 2:
        return refuse_one();
      case 3:
        return enable_one();
      default:
        return update_all();
    }
  }
  void launch(size_t stream = 0) {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, streams_[stream]));
    interpret(exec_blueprint_.shapes);
  }
  void check() {
    for (cudaStream_t stream : streams_) EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    nodes_->check(left_);
  }
  bool chance(uint32_t of) { return random_.chance(of); }

  // Counts of update results.
  std::map<cudaGraphExecUpdateResult, int> results;
  int moved = 0;  // nodes whose partner in an update has another number

 private:
  // The current effect of a node of the executable graph: after an update, its partner's.
  struct Work {
    Shape shape;
    Parameters parameters;
    bool enabled = true;
  };

  void note(const Shape& shape) {
    work_.emplace(shape.number, Work{shape, exec_blueprint_.of(shape), true});
    numbers_.push_back(shape.number);
    for (const Shape& each : shape.inside) note(each);
  }

  void interpret(const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      const Work& now = work_.at(shape.number);
      if (!now.enabled) continue;
      Nodes::interpret(now.shape, now.parameters, left_);
      if (shape.type == Type::child || (shape.type == Type::conditional && now.parameters.second))
        interpret(shape.inside);
    }
  }

  static bool can_be_disabled(Type type) { return type == Type::kernel || type == Type::copy || type == Type::set; }

  void set_one() {
    const int number = random_.one_of(numbers_);
    Work& now = work_.at(number);
    if (now.shape.type == Type::child) return set_child(number);
    const Parameters next = random_.parameters();
    const cudaError_t expected = now.shape.type == Type::conditional ? cudaErrorInvalidValue : cudaSuccess;
    EXPECT_EQ(expected, nodes_->set(exec_, handles_.at(number), now.shape, next));
    if (expected == cudaSuccess) now.parameters = next;
  }

  // Nested nodes, or one that cannot be set.
  void set_child(int number) {
    const std::vector<Shape>& inside = find(exec_blueprint_.shapes, number)->inside;
    Blueprint next = exec_blueprint_;
    std::vector<Shape> shapes;
    for (const Shape& each : inside) shapes.push_back(renewed(each, next));
    if (random_.chance(3) && !shapes.empty()) {
      Shape& spoilt = random_.one_of(shapes);
      spoilt.type = spoilt.type == Type::kernel ? Type::set : Type::kernel;
    }
    const Outcome outcome = expected_update(inside, shapes, next);
    cudaGraph_t graph = nodes_->build(shapes, next);
    EXPECT_EQ(outcome.status, cudaGraphExecChildGraphNodeSetParams(exec_, handles_.at(number), graph));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    for (auto [mine, theirs] : outcome.partners) {
      if (outcome.status == cudaSuccess) work_.at(mine).parameters = next.parameters[static_cast<size_t>(theirs)];
    }
  }

  // As it is now, including nested graphs, with other parameters.
  Shape renewed(const Shape& mine, Blueprint& next) {
    Shape made = work_.at(mine.number).shape;
    made.inside.clear();
    for (const Shape& each : mine.inside) made.inside.push_back(renewed(each, next));
    next.parameters[static_cast<size_t>(made.number)] = random_.parameters();
    return made;
  }

  static const Shape* find(const std::vector<Shape>& shapes, int number) {
    for (const Shape& each : shapes) {
      if (each.number == number) return &each;
      if (const Shape* inner = find(each.inside, number)) return inner;
    }
    return nullptr;
  }

  // Parameters of another type, or invalid ones.
  void refuse_one() {
    const int number = random_.one_of(numbers_);
    Shape shape = work_.at(number).shape;
    Parameters next = random_.parameters();
    switch (shape.type) {
      case Type::kernel:
        next.fault = Fault::function;
        break;
      case Type::copy:
        next.fault = random_.chance(2) ? Fault::kind : Fault::rows;
        break;
      case Type::set:
        next.fault = Fault::rows;
        break;
      case Type::signal:
      case Type::semaphore_wait:
        next.fault = Fault::semaphores;
        break;
      default:
        shape.type = Type::kernel;
    }
    EXPECT_EQ(cudaErrorInvalidValue, nodes_->set(exec_, handles_.at(number), shape, next));
  }

  void enable_one() {
    const int number = random_.one_of(numbers_);
    Work& now = work_.at(number);
    const bool can = can_be_disabled(now.shape.type), enabled = random_.chance(2);
    EXPECT_EQ(can ? cudaSuccess : cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec_, handles_.at(number), enabled));
    if (can) now.enabled = enabled;
    unsigned told = 7;
    EXPECT_EQ(can ? cudaSuccess : cudaErrorInvalidValue, cudaGraphNodeGetEnabled(exec_, handles_.at(number), &told));
    if (can) EXPECT_EQ(now.enabled, told != 0);
  }

  // All or nothing.
  void update_all() {
    const Blueprint next = random_.next(exec_blueprint_);
    Handles handles;
    cudaGraph_t other = nodes_->build(next, handles);
    const Outcome outcome = expected_update(exec_blueprint_, next);
    auto handle = [&](int number) { return number < 0 ? nullptr : handles.at(number); };
    cudaGraphExecUpdateResultInfo info = {};
    info.errorNode = info.errorFromNode = reinterpret_cast<cudaGraphNode_t>(uintptr_t{7});
    EXPECT_EQ(outcome.status, cudaGraphExecUpdate(exec_, other, &info));
    EXPECT_EQ(outcome.result, info.result);
    EXPECT_EQ(handle(outcome.node), info.errorNode);
    EXPECT_EQ(handle(outcome.from), info.errorFromNode);
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
    ++results[outcome.result];
    if (outcome.status != cudaSuccess) return;
    for (auto [mine, theirs] : outcome.partners) {
      Work& now = work_.at(mine);
      now.shape = *find(next.shapes, theirs);
      now.parameters = next.parameters[static_cast<size_t>(theirs)];
      moved += mine != theirs;
    }
  }

  Random random_;
  Blueprint exec_blueprint_;  // that the executable graph was made from
  std::unique_ptr<Nodes> nodes_;
  Nodes::Left left_;
  std::map<int, Work> work_;  // by number in exec_blueprint_
  std::vector<int> numbers_;
  Handles handles_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  std::array<cudaStream_t, 2> streams_ = {};
};

TEST(UpdateModel, RandomChangesBetweenLaunchesThatMayBeQueued) {
  const int graphs = repetitions(60, 1000, 4000);
  std::map<cudaGraphExecUpdateResult, int> results;
  int moved = 0;
  for (int seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    UpdateModel model(static_cast<unsigned>(seed), 1 + seed % 16);
    for (int i = 0; i < 100 && !testing::Test::HasFailure(); ++i) {
      if (model.chance(2)) {
        model.change();
      } else if (model.chance(4)) {
        model.check();
      } else {
        model.launch(model.chance(2));
      }
    }
    model.check();
    if (testing::Test::HasFailure()) return;
    for (auto [result, count] : model.results) results[result] += count;
    moved += model.moved;
  }
  // Every failure has occurred, and pairs of nodes with different numbers.
  for (auto result :
       {cudaGraphExecUpdateSuccess, cudaGraphExecUpdateErrorTopologyChanged, cudaGraphExecUpdateErrorNodeTypeChanged,
        cudaGraphExecUpdateErrorParametersChanged, cudaGraphExecUpdateErrorUnsupportedFunctionChange,
        cudaGraphExecUpdateErrorAttributesChanged, cudaGraphExecUpdateErrorNotSupported}) {
    EXPECT_GT(results[result], 0) << result;
  }
  EXPECT_GT(moved, 0);
}

// A queued launch keeps its values while another thread updates the graph for the next.
TEST(UpdateModel, AnotherThreadLaunchesMeanwhile) {
  const int graphs = repetitions(15, 200, 1000);
  for (int seed = 1; seed <= graphs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    UpdateModel model(static_cast<unsigned>(seed), 1 + seed % 12);
    std::mutex mutex;  // orders updates and launches, so that the expected effect of a launch is known
    std::thread launcher([&] {
      for (int i = 0; i < 100; ++i) {
        std::lock_guard lock(mutex);
        model.launch(static_cast<size_t>(i % 2));
      }
    });
    for (int i = 0; i < 60; ++i) {
      std::lock_guard lock(mutex);
      model.change();
    }
    launcher.join();
    model.check();
  }
}

// Two threads without synchronization: a launch sees one state or the next, never a mixture.
TEST(UpdateModel, AWholeUpdateIsNeverSeenInParts) {
  const int versions = repetitions(300, 2000, 20000);
  constexpr int width = 8;
  Blueprint first;
  for (int i = 0; i < width; ++i) {
    first.shapes.push_back({i % 3 == 2 ? Type::set : Type::kernel, i, 2 * i, {2 * i + 1}, {}});
    first.created.push_back(i);
    if (i > 0 && i % 2) first.edges.emplace_back(i - 1, i);
    first.parameters.push_back({});
  }
  Nodes nodes(2 * width);
  Handles handles;
  cudaGraph_t graph = nodes.build(first, handles);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  std::atomic<uint64_t> newest{0};
  std::atomic<bool> done{false};
  std::thread changer([&] {
    for (int version = 1; version <= versions; ++version) {
      Blueprint next = first;
      for (Parameters& each : next.parameters) each.constant = static_cast<uint64_t>(version);
      Handles other_handles;
      cudaGraph_t other = nodes.build(next, other_handles);
      newest = static_cast<uint64_t>(version);
      EXPECT_EQ(cudaSuccess, cudaGraphExecUpdate(exec, other, nullptr));
      EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
    }
    done = true;
  });
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (uint64_t last = 0; !done && !testing::Test::HasFailure();) {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    const uint64_t seen = *nodes.cell(4) & 0xffffffff;  // written by a memset: the version itself
    EXPECT_LE(last, seen);
    EXPECT_LE(seen, newest.load());
    last = seen;
    for (int i = 0; i < width; ++i) {
      const uint64_t expected = i % 3 == 2 ? seen * 0x100000001u : model::mix(seen, 1);
      EXPECT_EQ(expected, *nodes.cell(2 * i)) << "node " << i << " of version " << seen;
    }
  }
  changer.join();
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

}  // namespace
