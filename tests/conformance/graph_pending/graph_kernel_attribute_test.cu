// Attributes of kernel nodes.
#include "graph_support.h"

namespace {

__global__ void spread(int* where) {
  if (threadIdx.x == 0) atomicAdd(where, 1);
}

std::string bytes_of(const cudaLaunchAttributeValue& value, size_t count = 24) {
  std::string text;
  char hex[4];
  for (size_t i = 0; i < count; ++i) {
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(value.pad[i]));
    text += hex;
  }
  return text;
}

cudaLaunchAttributeValue zero() {
  cudaLaunchAttributeValue value;
  std::memset(&value, 0, sizeof value);
  return value;
}

class GraphKernelAttribute : public Graphs {
 protected:
  cudaGraphNode_t node = graph.kernel({}, nothing);

  cudaError_t set(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
    return cudaGraphKernelNodeSetAttribute(node, id, &value);
  }
  cudaError_t set_priority(int priority) {
    auto value = zero();
    value.priority = priority;
    return set(cudaLaunchAttributePriority, value);
  }
  int priority_of(cudaGraphNode_t which) {
    auto value = zero();
    EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeGetAttribute(which, cudaLaunchAttributePriority, &value));
    return value.priority;
  }
};

TEST_F(GraphKernelAttribute, EveryAttributeAnswersOrRefuses) {
  for (int id = 0; id <= 20; ++id) {
    cudaLaunchAttributeValue value;
    std::memset(&value, 0xee, sizeof value);
    const auto answer = cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(id), &value);
    TELL("get " + std::to_string(id), named(answer) + " " + bytes_of(value));
    value = zero();
    TELL_ERROR("set zero " + std::to_string(id),
               cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(id), &value));
  }
}

TEST_F(GraphKernelAttribute, NeedsNodeAndPlace) {
  auto value = zero();
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(nullptr, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(nullptr, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, nullptr));
  const auto other = graph.empty();
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(other, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue,
      cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK(cudaErrorInvalidValue,
      cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(99), &value));
}

TEST_F(GraphKernelAttribute, PriorityIsKept) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(0, priority_of(node));
  for (int priority : {greatest, least, greatest - 1, least + 1, -100, 100}) {
    TELL_ERROR("priority " + std::to_string(priority), set_priority(priority));
    TELL("priority " + std::to_string(priority) + " reads", priority_of(node));
  }
}

TEST_F(GraphKernelAttribute, CooperativeIsKept) {
  auto value = zero();
  value.cooperative = 1;
  MUST(set(cudaLaunchAttributeCooperative, value));
  value = zero();
  MUST(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
  EXPECT_EQ(1, value.cooperative);
  value.cooperative = 7;
  TELL_ERROR("cooperative 7", set(cudaLaunchAttributeCooperative, value));
  MUST(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
  TELL("cooperative reads", value.cooperative);
}

TEST_F(GraphKernelAttribute, ACooperativeGridMustFit) {
  const auto params = kernel_params(nothing, nullptr, dim3(1 << 20), dim3(1024));
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  auto value = zero();
  value.cooperative = 1;
  TELL_ERROR("set", set(cudaLaunchAttributeCooperative, value));
  cudaGraphExec_t exec = nullptr;
  TELL_ERROR("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  if (exec) {
    TELL_ERROR("launch", cudaGraphLaunch(exec, nullptr));
    TELL_ERROR("synchronize", cudaDeviceSynchronize());
    MUST(cudaGraphExecDestroy(exec));
  }
}

TEST_F(GraphKernelAttribute, ClustersMustDivideTheGrid) {
  DeviceArray<int> cell(1);
  int* where = cell.get();
  void* arguments[] = {&where};
  const auto params = kernel_params(spread, arguments, dim3(6), dim3(32));
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  auto value = zero();
  const unsigned sizes[][3] = {{2, 1, 1}, {4, 1, 1}, {0, 0, 0}, {1, 0, 1}, {16, 1, 1}, {1, 2, 1}, {3, 1, 1}};
  for (const auto& size : sizes) {
    value = zero();
    value.clusterDim.x = size[0];
    value.clusterDim.y = size[1];
    value.clusterDim.z = size[2];
    const std::string name = "cluster " + std::to_string(size[0]) + " " + std::to_string(size[1]) + " " +
                             std::to_string(size[2]);
    TELL_ERROR(name + ": set", set(cudaLaunchAttributeClusterDimension, value));
    value = zero();
    MUST(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    TELL(name + ": reads", bytes_of(value, 12));
    cudaGraphExec_t exec = nullptr;
    TELL_ERROR(name + ": instantiate", cudaGraphInstantiate(&exec, graph, 0));
    if (exec) MUST(cudaGraphExecDestroy(exec));
  }
}

TEST_F(GraphKernelAttribute, OtherValuesAreCheckedAndKept) {
  struct Row {
    std::string name;
    cudaLaunchAttributeID id;
    std::function<void(cudaLaunchAttributeValue&)> fill;
  };
  DeviceArray<char> data(1 << 20);
  const auto window = [&](size_t bytes, float ratio, cudaAccessProperty hit, cudaAccessProperty miss) {
    return [=, &data](cudaLaunchAttributeValue& v) {
      v.accessPolicyWindow.base_ptr = data.get();
      v.accessPolicyWindow.num_bytes = bytes;
      v.accessPolicyWindow.hitRatio = ratio;
      v.accessPolicyWindow.hitProp = hit;
      v.accessPolicyWindow.missProp = miss;
    };
  };
  const auto normal = cudaAccessPropertyNormal, streaming = cudaAccessPropertyStreaming;
  const auto persisting = cudaAccessPropertyPersisting;
  const Row rows[] = {
      {"window", cudaLaunchAttributeAccessPolicyWindow, window(1 << 20, 0.5f, persisting, streaming)},
      {"window ratio 2", cudaLaunchAttributeAccessPolicyWindow, window(1 << 20, 2.0f, persisting, streaming)},
      {"window ratio -1", cudaLaunchAttributeAccessPolicyWindow, window(1 << 20, -1.0f, persisting, streaming)},
      {"window miss persisting", cudaLaunchAttributeAccessPolicyWindow, window(1 << 20, 1, normal, persisting)},
      {"window 1 TiB", cudaLaunchAttributeAccessPolicyWindow, window(size_t{1} << 40, 1, normal, normal)},
      {"scheduling spread", cudaLaunchAttributeClusterSchedulingPolicyPreference,
       [](auto& v) { v.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread; }},
      {"scheduling 9", cudaLaunchAttributeClusterSchedulingPolicyPreference,
       [](auto& v) { v.clusterSchedulingPolicyPreference = static_cast<cudaClusterSchedulingPolicy>(9); }},
      {"serialization 1", cudaLaunchAttributeProgrammaticStreamSerialization,
       [](auto& v) { v.programmaticStreamSerializationAllowed = 1; }},
      {"domain remote", cudaLaunchAttributeMemSyncDomain,
       [](auto& v) { v.memSyncDomain = cudaLaunchMemSyncDomainRemote; }},
      {"domain 9", cudaLaunchAttributeMemSyncDomain,
       [](auto& v) { v.memSyncDomain = static_cast<cudaLaunchMemSyncDomain>(9); }},
      {"domain map 1 2", cudaLaunchAttributeMemSyncDomainMap,
       [](auto& v) { v.memSyncDomainMap.default_ = 1, v.memSyncDomainMap.remote = 2; }},
      {"domain map 200", cudaLaunchAttributeMemSyncDomainMap,
       [](auto& v) { v.memSyncDomainMap.default_ = 200; }},
      {"carveout 50", cudaLaunchAttributePreferredSharedMemoryCarveout, [](auto& v) { v.sharedMemCarveout = 50; }},
      {"carveout 101", cudaLaunchAttributePreferredSharedMemoryCarveout, [](auto& v) { v.sharedMemCarveout = 101; }},
      {"nvlink 1", cudaLaunchAttributeNvlinkUtilCentricScheduling,
       [](auto& v) { v.nvlinkUtilCentricScheduling = 1; }},
      {"nvlink 2", cudaLaunchAttributeNvlinkUtilCentricScheduling,
       [](auto& v) { v.nvlinkUtilCentricScheduling = 2; }},
      {"preferred cluster 2", cudaLaunchAttributePreferredClusterDimension,
       [](auto& v) { v.preferredClusterDim.x = 2, v.preferredClusterDim.y = v.preferredClusterDim.z = 1; }},
  };
  for (const auto& row : rows) {
    auto value = zero();
    row.fill(value);
    TELL_ERROR(row.name + ": set", set(row.id, value));
    value = zero();
    const auto answer = cudaGraphKernelNodeGetAttribute(node, row.id, &value);
    TELL(row.name + ": get", named(answer) + " " + bytes_of(value));
  }
}

TEST_F(GraphKernelAttribute, AreCopiedBetweenKernelNodes) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MUST(set_priority(greatest));
  auto value = zero();
  value.cooperative = 1;
  MUST(set(cudaLaunchAttributeCooperative, value));
  const auto second = graph.kernel({}, nothing);
  MUST(cudaGraphKernelNodeCopyAttributes(second, node));
  EXPECT_EQ(greatest, priority_of(second));
  value = zero();
  MUST(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeCooperative, &value));
  EXPECT_EQ(1, value.cooperative);
  // Defaults are copied too: nothing of the old state stays.
  const auto plain = graph.kernel({}, nothing);
  MUST(cudaGraphKernelNodeCopyAttributes(second, plain));
  TELL("priority after copying a default", priority_of(second));
  // Between graphs, onto itself.
  Graph other;
  const auto elsewhere = other.kernel({}, nothing);
  ASK(cudaSuccess, cudaGraphKernelNodeCopyAttributes(elsewhere, node));
  EXPECT_EQ(greatest, priority_of(elsewhere));
  ASK(cudaSuccess, cudaGraphKernelNodeCopyAttributes(node, node));
}

TEST_F(GraphKernelAttribute, AreCopiedOnlyBetweenKernelNodes) {
  const auto other = graph.empty();
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeCopyAttributes(other, node));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeCopyAttributes(node, other));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeCopyAttributes(nullptr, node));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeCopyAttributes(node, nullptr));
}

TEST_F(GraphKernelAttribute, StayWhenParametersChangeAndTravelWithClones) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MUST(set_priority(greatest));
  const auto params = kernel_params(nothing, nullptr, dim3(2));
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  TELL("priority after SetParams", priority_of(node));
  cudaGraph_t copy = nullptr;
  MUST(cudaGraphClone(&copy, graph));
  Graph clone(copy), parent;
  TELL("priority in the clone", priority_of(nodes_of(clone).at(0)));
  cudaGraph_t embedded = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(parent.child(graph), &embedded));
  TELL("priority in the child", priority_of(nodes_of(embedded).at(0)));
}

TEST_F(GraphKernelAttribute, NodePriorityIsUsedWhenAskedFor) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MUST(set_priority(greatest));
  Exec exec(graph, cudaGraphInstantiateFlagUseNodePriority);
  MUST(cudaGraphLaunch(exec, nullptr));
  MUST(cudaDeviceSynchronize());
}

}  // namespace
