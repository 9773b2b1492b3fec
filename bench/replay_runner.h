// Runs the same graph by Reprise, by an array of function pointers, by oneTBB's flow graph, and by Taskflow if its
// headers are given.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <vector>

#include "../tests/hand_made_kernels.h"
#include "replay_shape.h"

#ifdef BENCH_TBB
#include <oneapi/tbb/flow_graph.h>
#endif
#ifdef BENCH_TASKFLOW
#include <taskflow/taskflow.hpp>
#endif

namespace bench {

using Clock = std::chrono::steady_clock;
inline double since_ns(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorName(status));
  std::exit(1);
}

// The work of a node: spins for `ticks`, or does nothing.
inline void work(uint64_t ticks) {
  if (!ticks) return;
  for (const uint64_t start = __builtin_ia32_rdtsc(); __builtin_ia32_rdtsc() - start < ticks;) __builtin_ia32_pause();
}

inline uint64_t ticks_in(double ns) {
  static const double per_ns = [] {
    const auto start = Clock::now();
    const uint64_t first = __builtin_ia32_rdtsc();
    while (since_ns(start) < 20'000'000) {
    }
    return static_cast<double>(__builtin_ia32_rdtsc() - first) / since_ns(start);
  }();
  return static_cast<uint64_t>(ns * per_ns);
}

class Runner {
 public:
  virtual ~Runner() = default;
  virtual const char* name() const = 0;
  virtual void replay(int times) = 0;
  // Time of `times` replays. A runner that replays on a thread of its own leaves out the hand-over to that thread.
  virtual double timed_ns(int times) {
    const auto start = Clock::now();
    replay(times);
    return since_ns(start);
  }
};

class ArrayRunner : public Runner {
 public:
  ArrayRunner(const Shape& shape, uint64_t ticks) : calls_(shape.after.size(), {&work, ticks}) {}
  const char* name() const override { return "array"; }
  void replay(int times) override {
    for (int i = 0; i < times; ++i) {
      for (const Call& call : calls_) call.function(call.ticks);
    }
  }

 private:
  struct Call {
    void (*volatile function)(uint64_t);
    uint64_t ticks;
  };
  std::vector<Call> calls_;
};

inline void empty_thunk(const void*, const reprise_launch*) {}
inline void busy_thunk(const void* params, const reprise_launch*) {
  work(reprise_runtime::test::parameter<uint64_t>(params, 0));
}
inline constexpr reprise_param one_parameter[] = {{0, 8}};
inline constexpr reprise_kernel kernels[] = {{"empty", empty_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                             {"busy", busy_thunk, one_parameter, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
inline char stubs[2];
inline const void* const addresses[] = {&stubs[0], &stubs[1]};
inline reprise_runtime::test::Registered registered("graph_bench", kernels, 2, addresses);

inline cudaGraph_t make_graph(const Shape& shape, uint64_t ticks) {
  cudaGraph_t graph;
  check(cudaGraphCreate(&graph, 0));
  std::vector<cudaGraphNode_t> nodes(shape.after.size());
  void* arguments[] = {&ticks};
  cudaKernelNodeParams params = {};
  params.func = ticks ? &stubs[1] : &stubs[0];
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = ticks ? arguments : nullptr;
  std::vector<cudaGraphNode_t> before;
  for (size_t i = 0; i < nodes.size(); ++i) {
    before.clear();
    for (int other : shape.after[i]) before.push_back(nodes[static_cast<size_t>(other)]);
    check(cudaGraphAddKernelNode(&nodes[i], graph, before.data(), before.size(), &params));
  }
  return graph;
}

class GraphRunner : public Runner {
 public:
  GraphRunner(const Shape& shape, uint64_t ticks) : graph_(make_graph(shape, ticks)) {
    check(cudaGraphInstantiate(&exec_, graph_, 0));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~GraphRunner() override {
    check(cudaStreamDestroy(stream_));
    check(cudaGraphExecDestroy(exec_));
    check(cudaGraphDestroy(graph_));
  }
  const char* name() const override { return "reprise"; }
  void replay(int times) override {
    for (int i = 0; i < times; ++i) {
      (void)cudaGraphLaunch(exec_, stream_);
      (void)cudaStreamSynchronize(stream_);
    }
  }

 private:
  cudaGraph_t graph_;
  cudaGraphExec_t exec_;
  cudaStream_t stream_;
};

#ifdef BENCH_TBB
class TbbRunner : public Runner {
 public:
  TbbRunner(const Shape& shape, uint64_t ticks) : start_(graph_) {
    using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
    for (const std::vector<int>& after : shape.after) {
      nodes_.push_back(std::make_unique<Node>(graph_, [ticks](const tbb::flow::continue_msg&) { work(ticks); }));
      if (after.empty()) tbb::flow::make_edge(start_, *nodes_.back());
      for (int other : after) tbb::flow::make_edge(*nodes_[static_cast<size_t>(other)], *nodes_.back());
    }
  }
  const char* name() const override { return "oneTBB"; }
  void replay(int times) override {
    for (int i = 0; i < times; ++i) {
      start_.try_put(tbb::flow::continue_msg());
      graph_.wait_for_all();
    }
  }

 private:
  tbb::flow::graph graph_;
  tbb::flow::broadcast_node<tbb::flow::continue_msg> start_;
  std::vector<std::unique_ptr<tbb::flow::continue_node<tbb::flow::continue_msg>>> nodes_;
};
#endif

#ifdef BENCH_TASKFLOW
class TaskflowRunner : public Runner {
 public:
  TaskflowRunner(const Shape& shape, uint64_t ticks) {
    std::vector<tf::Task> tasks;
    for (const std::vector<int>& after : shape.after) {
      tasks.push_back(flow_.emplace([ticks] { work(ticks); }));
      for (int other : after) tasks.back().succeed(tasks[static_cast<size_t>(other)]);
    }
  }
  const char* name() const override { return "Taskflow"; }
  void replay(int times) override {
    for (int i = 0; i < times; ++i) executor().run(flow_).wait();
  }

 protected:
  static tf::Executor& executor() {
    static tf::Executor executor;
    return executor;
  }
  tf::Taskflow flow_;
};

// Replays on a thread of Taskflow's executor, the only place where `corun`, its fastest call, is allowed.
class CorunRunner : public TaskflowRunner {
 public:
  using TaskflowRunner::TaskflowRunner;
  const char* name() const override { return "Taskflow corun"; }
  void replay(int times) override { (void)timed_ns(times); }
  double timed_ns(int times) override {
    return executor()
        .async([&] {
          const auto start = Clock::now();
          for (int i = 0; i < times; ++i) executor().corun(flow_);
          return since_ns(start);
        })
        .get();
  }
};
#endif

inline std::vector<std::unique_ptr<Runner>> runners(const Shape& shape, double node_ns) {
  const uint64_t ticks = node_ns > 0 ? ticks_in(node_ns) : 0;
  std::vector<std::unique_ptr<Runner>> all;
  all.push_back(std::make_unique<ArrayRunner>(shape, ticks));
  all.push_back(std::make_unique<GraphRunner>(shape, ticks));
#ifdef BENCH_TBB
  all.push_back(std::make_unique<TbbRunner>(shape, ticks));
#endif
#ifdef BENCH_TASKFLOW
  all.push_back(std::make_unique<TaskflowRunner>(shape, ticks));
  all.push_back(std::make_unique<CorunRunner>(shape, ticks));
#endif
  return all;
}

}  // namespace bench
