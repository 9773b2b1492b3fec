// Attributes of streams.
#include "support.h"

using StreamAttributes = Runtime;

TEST_F(StreamAttributes, SynchronizationPolicyIsKept) {
  Stream stream;
  cudaLaunchAttributeValue value{};
  ASK(cudaSuccess, cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  // Not a valid enumerator before it is set.
  ASK_VALUE(-1, static_cast<int>(value.syncPolicy));
  value.syncPolicy = cudaSyncPolicyYield;
  ASK(cudaSuccess, cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  cudaLaunchAttributeValue now{};
  ASK(cudaSuccess, cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &now));
  ASK_VALUE(cudaSyncPolicyYield, now.syncPolicy);
}

TEST_F(StreamAttributes, AccessPolicyWindowIsKept) {
  Stream stream;
  DeviceArray<char> memory(4096);
  cudaLaunchAttributeValue value{};
  value.accessPolicyWindow.base_ptr = memory.get();
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  ASK(cudaSuccess, cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value));
  cudaLaunchAttributeValue now{};
  ASK(cudaSuccess, cudaStreamGetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &now));
  ASK_VALUE(true, now.accessPolicyWindow.base_ptr == memory.get());
  ASK_VALUE(4096u, now.accessPolicyWindow.num_bytes);
  ASK_VALUE(0.5f, now.accessPolicyWindow.hitRatio);
}

TEST_F(StreamAttributes, AccessPolicyWindowIsChecked) {
  Stream stream;
  DeviceArray<char> memory(4096);
  cudaLaunchAttributeValue value{};
  value.accessPolicyWindow.base_ptr = memory.get();
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 1.5f;
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.hitRatio = 1.0f;
  value.accessPolicyWindow.num_bytes = size_t{1} << 40;
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value));
}

TEST_F(StreamAttributes, PriorityCanBeReadAndSet) {
  Stream stream;
  cudaLaunchAttributeValue value{};
  value.priority = 77;
  ASK(cudaSuccess, cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value));
  ASK_VALUE(0, value.priority);
  value.priority = -2;
  ASK(cudaSuccess, cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
  int priority = 77;
  MUST(cudaStreamGetPriority(stream, &priority));
  ASK_VALUE(-2, priority);
  value.priority = 1000;
  ASK(cudaSuccess, cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
  MUST(cudaStreamGetPriority(stream, &priority));
  ASK_VALUE(0, priority);
}

TEST_F(StreamAttributes, MemSyncDomainsAreKept) {
  Stream stream;
  cudaLaunchAttributeValue value{};
  ASK(cudaSuccess, cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomain, &value));
  ASK_VALUE(cudaLaunchMemSyncDomainDefault, value.memSyncDomain);
  value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  ASK(cudaSuccess, cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomain, &value));
  cudaLaunchAttributeValue map{};
  ASK(cudaSuccess, cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &map));
  ASK_VALUE(0, int{map.memSyncDomainMap.default_});
  ASK_VALUE(1, int{map.memSyncDomainMap.remote});
  map.memSyncDomainMap.default_ = 99;
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &map));
}

TEST_F(StreamAttributes, ThatAreNone) {
  Stream stream;
  cudaLaunchAttributeValue value{};
  for (cudaLaunchAttributeID id : {cudaLaunchAttributeIgnore, cudaLaunchAttributeCooperative,
                                   cudaLaunchAttributeClusterDimension, static_cast<cudaLaunchAttributeID>(999)}) {
    ASK(cudaErrorInvalidValue, cudaStreamGetAttribute(stream, id, &value));
    ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, id, &value));
  }
}

using HazardStreamAttributes = Runtime;

TEST_F(HazardStreamAttributes, MissingValues) {
  UNDEFINED_ON_NVIDIA("a null value crashes");
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, nullptr));
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, nullptr));
}

TEST_F(StreamAttributes, OfTheDefaultStreams) {
  cudaLaunchAttributeValue value{};
  ASK(cudaSuccess, cudaStreamGetAttribute(nullptr, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK(cudaSuccess, cudaStreamGetAttribute(cudaStreamPerThread, cudaLaunchAttributeSynchronizationPolicy, &value));
  value.syncPolicy = cudaSyncPolicySpin;
  ASK(cudaSuccess, cudaStreamSetAttribute(nullptr, cudaLaunchAttributeSynchronizationPolicy, &value));
}

TEST_F(StreamAttributes, AreCopied) {
  Stream from, to;
  cudaLaunchAttributeValue value{};
  value.syncPolicy = cudaSyncPolicySpin;
  MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK(cudaSuccess, cudaStreamCopyAttributes(to, from));
  value = {};
  MUST(cudaStreamGetAttribute(to, cudaLaunchAttributeSynchronizationPolicy, &value));
  ASK_VALUE(cudaSyncPolicySpin, value.syncPolicy);
  ASK(cudaSuccess, cudaStreamCopyAttributes(to, to));
  ASK(cudaSuccess, cudaStreamCopyAttributes(nullptr, from));
}

TEST_F(StreamAttributes, WrongPolicies) {
  Stream stream;
  cudaLaunchAttributeValue value{};
  value.syncPolicy = static_cast<cudaSynchronizationPolicy>(0);
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  value.syncPolicy = static_cast<cudaSynchronizationPolicy>(77);
  ASK(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
}
