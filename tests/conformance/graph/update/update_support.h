// Shared by the tests of updates, in addition to graph_support.h.
#pragma once

#include "graph/graph_support.h"

namespace conformance {

inline const char* name_of(cudaGraphExecUpdateResult result) {
  static const char* const names[] = {
      "Success",           "Error",        "TopologyChanged",           "NodeTypeChanged",  "FunctionChanged",
      "ParametersChanged", "NotSupported", "UnsupportedFunctionChange", "AttributesChanged"};
  const auto index = static_cast<size_t>(result);
  return index < 9 ? names[index] : "?";
}

// The result of an update: "Success" or, for example, "cudaErrorGraphExecUpdateFailure NodeTypeChanged node 2 from
// -", with nodes as indices in `among`.
inline std::string update(cudaGraphExec_t exec, cudaGraph_t graph, const Nodes& among) {
  cudaGraphExecUpdateResultInfo info{};
  const auto poison = reinterpret_cast<cudaGraphNode_t>(uintptr_t{0x77});
  info.result = static_cast<cudaGraphExecUpdateResult>(77);
  info.errorNode = info.errorFromNode = poison;
  const cudaError_t error = guarded([&] { return cudaGraphExecUpdate(exec, graph, &info); });
  (void)cudaGetLastError();
  auto place = [&](cudaGraphNode_t node) {
    if (!node) return std::string("-");
    return node == poison ? std::string("untouched") : places({node}, among);
  };
  if (error == cudaSuccess && info.result == cudaGraphExecUpdateSuccess && !info.errorNode && !info.errorFromNode) {
    return "Success";
  }
  return std::string(cudaGetErrorName(error)) + " " + name_of(info.result) + " node " + place(info.errorNode) +
         " from " + place(info.errorFromNode);
}

inline std::string update(cudaGraphExec_t exec, cudaGraph_t graph) { return update(exec, graph, nodes_of(graph)); }

inline std::string refused(const char* result, const std::string& node = "-", const std::string& from = "-") {
  return std::string("cudaErrorGraphExecUpdateFailure ") + result + " node " + node + " from " + from;
}

// Launches in a new stream and waits.
inline void launch(cudaGraphExec_t exec) {
  Stream stream(cudaStreamNonBlocking);
  EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
}

template <typename T>
std::string text_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
}

inline cudaMemcpy3DParms copy_params(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms params{};
  params.srcPtr = make_cudaPitchedPtr(const_cast<void*>(src), bytes, bytes, 1);
  params.dstPtr = make_cudaPitchedPtr(dst, bytes, bytes, 1);
  params.extent = make_cudaExtent(bytes, 1, 1);
  params.kind = kind;
  return params;
}

// Owns the arguments of a kernel node.
template <typename... Parameters>
class KernelParams {
 public:
  template <typename... Arguments>
  explicit KernelParams(void (*kernel)(Parameters...), Arguments... arguments) : values_(arguments...) {
    std::apply([&](auto&... each) { pointers_ = {static_cast<void*>(&each)...}; }, values_);
    params = kernel_params(kernel, pointers_.data());
  }
  KernelParams(const KernelParams&) = delete;

  cudaKernelNodeParams params;

 private:
  std::tuple<Parameters...> values_;
  std::array<void*, sizeof...(Parameters) + 1> pointers_{};
};
template <typename... Parameters, typename... Arguments>
KernelParams(void (*)(Parameters...), Arguments...) -> KernelParams<Parameters...>;

[[maybe_unused]] static __global__ void store_sum(int* where, int a, int b, int c) { *where = a + b + c; }

// One graph instantiated, another to update it from, and cells for their kernels.
class GraphUpdate : public Graphs {
 protected:
  DeviceArray<int> cell{16};
  Graph other;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
};

}  // namespace conformance
