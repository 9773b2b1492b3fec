// Shared by the tests of conditional nodes, in addition to update_support.h.
#pragma once

#include "graph/update/update_support.h"

namespace conformance {

using Condition = cudaGraphConditionalHandle;

[[maybe_unused]] static __global__ void set_condition(Condition condition, unsigned value) {
  cudaGraphSetConditional(condition, value);
}

[[maybe_unused]] static __global__ void set_condition_from(Condition condition, const int* value) {
  cudaGraphSetConditional(condition, static_cast<unsigned>(*value));
}

// Counts down and continues the loop until the count is zero.
[[maybe_unused]] static __global__ void count_down(Condition condition, int* left) {
  *left -= 1;
  cudaGraphSetConditional(condition, *left > 0);
}

inline Condition condition_of(cudaGraph_t graph, unsigned value = 0, unsigned flags = 0) {
  Condition condition = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&condition, graph, value, flags));
  return condition;
}

inline cudaGraphNodeParams conditional_params(Condition condition, cudaGraphConditionalNodeType type,
                                              unsigned size = 1) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}

// A conditional node and its bodies, which belong to the node.
struct Conditional {
  cudaGraphNode_t node = nullptr;
  cudaError_t error = cudaErrorUnknown;
  std::vector<cudaGraph_t> bodies;

  Conditional(cudaGraph_t graph, Condition condition, cudaGraphConditionalNodeType type, unsigned size = 1,
              const Nodes& after = {}) {
    auto params = conditional_params(condition, type, size);
    error = cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params);
    EXPECT_EQ(cudaSuccess, error);
    if (error == cudaSuccess) bodies.assign(params.conditional.phGraph_out, params.conditional.phGraph_out + size);
  }
};

// Adds nodes to a graph that it does not own.
class Body {
 public:
  explicit Body(cudaGraph_t graph) : graph_(graph) {}
  Body(const Body&) = delete;
  ~Body() { (void)graph_.release(); }
  Graph* operator->() { return &graph_; }
  operator cudaGraph_t() const { return graph_; }

 private:
  Graph graph_;
};

// "Success", or the error and the output fields of the parameters: "cudaErrorInvalidValue result 5 node -".
inline std::string instantiated(cudaGraph_t graph, const Nodes& among, unsigned long long flags = 0) {
  cudaGraphInstantiateParams params{};
  params.flags = flags;
  cudaGraphExec_t exec = nullptr;
  const cudaError_t error = guarded([&] { return cudaGraphInstantiateWithParams(&exec, graph, &params); });
  (void)cudaGetLastError();
  if (exec) (void)cudaGraphExecDestroy(exec);
  if (error == cudaSuccess) return "Success";
  return std::string(cudaGetErrorName(error)) + " result " + std::to_string(params.result_out) + " node " +
         (params.errNode_out ? places({params.errNode_out}, among) : "-");
}

class GraphConditionalRules : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  cudaError_t add(cudaGraph_t to, Condition condition, int type, unsigned size) {
    auto params = conditional_params(condition, static_cast<cudaGraphConditionalNodeType>(type), size);
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &params);
  }
};

class GraphConditionals : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  int* at = cell.get();
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
  void clear() {
    EXPECT_EQ(cudaSuccess, cudaMemset(at, 0, cell.bytes()));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
};

}  // namespace conformance
