// Attributes of kernel nodes.
#include <map>

#include "graph/graph_support.h"

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

// Values of a new node: queries write only the bytes that belong to the attribute.
TEST_F(GraphKernelAttribute, EveryAttributeAnswersOrRefuses) {
  const std::string four(8, '0'), spare(64, 'e');
  const std::map<int, std::string> readable = {
      {cudaLaunchAttributeAccessPolicyWindow, std::string(48, '0')},
      {cudaLaunchAttributeCooperative, four},
      {cudaLaunchAttributeClusterDimension, four + four + four},
      {cudaLaunchAttributeClusterSchedulingPolicyPreference, four},
      {cudaLaunchAttributePriority, four},
      {cudaLaunchAttributeMemSyncDomainMap, "0001"},
      {cudaLaunchAttributeMemSyncDomain, four},
      {cudaLaunchAttributeDeviceUpdatableKernelNode, four + "eeeeeeee" + four + four},
      {cudaLaunchAttributePreferredSharedMemoryCarveout, four},
  };
  for (int id = 0; id <= 20; ++id) {
    cudaLaunchAttributeValue value;
    std::memset(&value, 0xee, sizeof value);
    const auto answer = cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(id), &value);
    const auto found = readable.find(id);
    const bool has = found != readable.end();
    ASK_CASE("get " + std::to_string(id), has ? cudaSuccess : cudaErrorInvalidValue, answer);
    ASK_FACT("bytes of " + std::to_string(id), ((has ? found->second : "") + spare).substr(0, 48), bytes_of(value));
    value = zero();
    const bool settable = has || id == cudaLaunchAttributeNvlinkUtilCentricScheduling;
    ASK_CASE("set zero " + std::to_string(id), settable ? cudaSuccess : cudaErrorInvalidValue,
             cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(id), &value));
  }
}

TEST_F(GraphKernelAttribute, NeedsNodeAndPlace) {
  auto value = zero();
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(nullptr, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(nullptr, cudaLaunchAttributePriority, &value));
  const auto other = graph.empty();
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(other, cudaLaunchAttributePriority, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(99), &value));
}

TEST_F(GraphKernelAttribute, NeedsAPlaceForTheValue) {
  CRASHES_ON_NVIDIA("a null value");
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, nullptr));
}

TEST_F(GraphKernelAttribute, PriorityIsKept) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(0, priority_of(node));
  for (int priority : {greatest, least, greatest - 1, least + 1, -100, 100}) {
    ASK_CASE("priority " + std::to_string(priority), cudaSuccess, set_priority(priority));
    ASK_FACT("priority " + std::to_string(priority) + " reads", std::min(least, std::max(greatest, priority)),
             priority_of(node));
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
  ASK_CASE("cooperative 7", cudaSuccess, set(cudaLaunchAttributeCooperative, value));
  MUST(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
  ASK_FACT("cooperative reads", 7, value.cooperative);
}

TEST_F(GraphKernelAttribute, ACooperativeGridMustFit) {
  const auto params = kernel_params(nothing, nullptr, dim3(1 << 20), dim3(1024));
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  auto value = zero();
  value.cooperative = 1;
  ASK_CASE("set", cudaErrorCooperativeLaunchTooLarge, set(cudaLaunchAttributeCooperative, value));
  cudaGraphExec_t exec = nullptr;
  ASK_CASE("instantiate", cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  if (exec) {
    ASK_CASE("launch", cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASK_CASE("synchronize", cudaSuccess, cudaDeviceSynchronize());
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
  const bool fits[] = {true, false, true, false, false, false, true};
  std::string kept = bytes_of(zero(), 12);
  // A device without clusters of several blocks reports this.
  int clusters_run = 0;
  MUST(cudaDeviceGetAttribute(&clusters_run, cudaDevAttrClusterLaunch, 0));
  for (const auto& size : sizes) {
    const bool taken = fits[&size - sizes];
    value = zero();
    value.clusterDim.x = size[0];
    value.clusterDim.y = size[1];
    value.clusterDim.z = size[2];
    const std::string name =
        "cluster " + std::to_string(size[0]) + " " + std::to_string(size[1]) + " " + std::to_string(size[2]);
    ASK_CASE(name + ": set", taken ? cudaSuccess : cudaErrorInvalidClusterSize,
             set(cudaLaunchAttributeClusterDimension, value));
    if (taken) kept = bytes_of(value, 12);
    value = zero();
    MUST(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    ASK_FACT(name + ": reads", kept, bytes_of(value, 12));
    cudaGraphExec_t exec = nullptr;
    // The node may have the value of an earlier iteration.
    const bool runs = clusters_run || value.clusterDim.x <= 1;
    ASK_CASE(name + ": instantiate", runs ? cudaSuccess : cudaErrorNotSupported, cudaGraphInstantiate(&exec, graph, 0));
    if (exec) MUST(cudaGraphExecDestroy(exec));
  }
}

TEST_F(GraphKernelAttribute, OtherValuesAreCheckedAndKept) {
  struct Row {
    std::string name;
    cudaLaunchAttributeID id;
    bool fits;
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
      {"window", cudaLaunchAttributeAccessPolicyWindow, true, window(1 << 20, 0.5f, persisting, streaming)},
      {"window ratio 2", cudaLaunchAttributeAccessPolicyWindow, false, window(1 << 20, 2.0f, persisting, streaming)},
      {"window ratio -1", cudaLaunchAttributeAccessPolicyWindow, false, window(1 << 20, -1.0f, persisting, streaming)},
      {"window miss persisting", cudaLaunchAttributeAccessPolicyWindow, false, window(1 << 20, 1, normal, persisting)},
      {"window 1 TiB", cudaLaunchAttributeAccessPolicyWindow, false, window(size_t{1} << 40, 1, normal, normal)},
      {"scheduling spread", cudaLaunchAttributeClusterSchedulingPolicyPreference, true,
       [](auto& v) { v.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread; }},
      {"scheduling 9", cudaLaunchAttributeClusterSchedulingPolicyPreference, true,
       [](auto& v) { v.clusterSchedulingPolicyPreference = static_cast<cudaClusterSchedulingPolicy>(9); }},
      {"serialization 1", cudaLaunchAttributeProgrammaticStreamSerialization, false,
       [](auto& v) { v.programmaticStreamSerializationAllowed = 1; }},
      {"domain remote", cudaLaunchAttributeMemSyncDomain, true,
       [](auto& v) { v.memSyncDomain = cudaLaunchMemSyncDomainRemote; }},
      {"domain 9", cudaLaunchAttributeMemSyncDomain, false,
       [](auto& v) { v.memSyncDomain = static_cast<cudaLaunchMemSyncDomain>(9); }},
      {"domain map 1 2", cudaLaunchAttributeMemSyncDomainMap, true,
       [](auto& v) { v.memSyncDomainMap.default_ = 1, v.memSyncDomainMap.remote = 2; }},
      {"domain map 200", cudaLaunchAttributeMemSyncDomainMap, false,
       [](auto& v) { v.memSyncDomainMap.default_ = 200; }},
      {"carveout 50", cudaLaunchAttributePreferredSharedMemoryCarveout, true,
       [](auto& v) { v.sharedMemCarveout = 50; }},
      {"carveout 101", cudaLaunchAttributePreferredSharedMemoryCarveout, false,
       [](auto& v) { v.sharedMemCarveout = 101; }},
      {"nvlink 1", cudaLaunchAttributeNvlinkUtilCentricScheduling, true,
       [](auto& v) { v.nvlinkUtilCentricScheduling = 1; }},
      {"nvlink 2", cudaLaunchAttributeNvlinkUtilCentricScheduling, false,
       [](auto& v) { v.nvlinkUtilCentricScheduling = 2; }},
      {"preferred cluster 2", cudaLaunchAttributePreferredClusterDimension, false,
       [](auto& v) { v.preferredClusterDim.x = 2, v.preferredClusterDim.y = v.preferredClusterDim.z = 1; }},
  };
  std::map<int, std::string> kept;
  for (const auto& row : rows) {
    auto value = zero();
    row.fill(value);
    ASK_CASE(row.name + ": set", row.fits ? cudaSuccess : cudaErrorInvalidValue, set(row.id, value));
    if (row.fits) kept[row.id] = bytes_of(value);
    value = zero();
    // One hint can be set but not read; two others apply only to launches in streams or to larger devices.
    const bool hidden = row.id == cudaLaunchAttributeNvlinkUtilCentricScheduling ||
                        row.id == cudaLaunchAttributeProgrammaticStreamSerialization ||
                        row.id == cudaLaunchAttributePreferredClusterDimension;
    ASK_CASE(row.name + ": get", hidden ? cudaErrorInvalidValue : cudaSuccess,
             cudaGraphKernelNodeGetAttribute(node, row.id, &value));
    if (!hidden) EXPECT_EQ(kept[row.id], bytes_of(value)) << row.name;
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
  // Defaults are copied too: they replace earlier values.
  const auto plain = graph.kernel({}, nothing);
  MUST(cudaGraphKernelNodeCopyAttributes(second, plain));
  ASK_FACT("priority after copying a default", 0, priority_of(second));
  // Between graphs, and onto itself.
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
  ASK_FACT("priority after SetParams", greatest, priority_of(node));
  cudaGraph_t copy = nullptr;
  MUST(cudaGraphClone(&copy, graph));
  Graph clone(copy), parent;
  ASK_FACT("priority in the clone", greatest, priority_of(nodes_of(clone).at(0)));
  cudaGraph_t embedded = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(parent.child(graph), &embedded));
  ASK_FACT("priority in the child", greatest, priority_of(nodes_of(embedded).at(0)));
}

TEST_F(GraphKernelAttribute, NodePriorityIsUsedWithItsFlag) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MUST(set_priority(greatest));
  Exec exec(graph, cudaGraphInstantiateFlagUseNodePriority);
  MUST(cudaGraphLaunch(exec, nullptr));
  MUST(cudaDeviceSynchronize());
}

}  // namespace
