// Clusters: launch sizes, limits, and related function attributes.
#include "support.h"

__global__ void nothing() {}
__global__ void plain(int* out) { *out = 1; }
__global__ void adjusted(int* out) { *out = 1; }
__global__ void __cluster_dims__(2, 1, 1) in_pairs(int* out) { *out = 1; }

static cudaLaunchConfig_t configured(unsigned blocks, unsigned threads, cudaLaunchAttribute* cluster) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.attrs = cluster;
  config.numAttrs = 1;
  return config;
}

static cudaLaunchAttribute cluster_of(unsigned x, unsigned y = 1, unsigned z = 1) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = x;
  attribute.val.clusterDim.y = y;
  attribute.val.clusterDim.z = z;
  return attribute;
}

static cudaError_t launch(unsigned blocks, cudaLaunchAttribute cluster) {
  const cudaLaunchConfig_t config = configured(blocks, 32, &cluster);
  const cudaError_t error = cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(nothing), nullptr);
  (void)cudaGetLastError();
  return error;
}

// A device without clusters of several blocks reports this and refuses such launches.
static cudaError_t outcome() {
  int launches = 0;
  EXPECT_EQ(cudaSuccess, cudaDeviceGetAttribute(&launches, cudaDevAttrClusterLaunch, 0));
  return launches ? cudaSuccess : cudaErrorNotSupported;
}

using Cluster = Runtime;

TEST_F(Cluster, OfOneBlockRunsAnywhere) {
  ASK(cudaSuccess, launch(3, cluster_of(1)));
  ASK(cudaSuccess, launch(3, cluster_of(0, 0, 0)));
}

TEST_F(Cluster, OfAKernelThatIsCompiledForThem) {
  DeviceArray<int> out(1);
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncGetAttributes(&a, in_pairs));
  ASK_VALUE(2, a.requiredClusterWidth);
  ASK_VALUE(1, a.requiredClusterHeight);
  ASK_VALUE(1, a.requiredClusterDepth);
  in_pairs<<<4, 32>>>(out.get());
  ASK(outcome(), cudaGetLastError());
  MUST(cudaDeviceSynchronize());
}

TEST_F(Cluster, HasToDivideTheGrid) {
  ASK(outcome(), launch(2, cluster_of(2)));
  ASK(outcome(), launch(8, cluster_of(8)));
  ASK(outcome(), launch(24, cluster_of(4)));
  ASK(cudaErrorInvalidClusterSize, launch(3, cluster_of(2)));
  ASK(cudaErrorInvalidClusterSize, launch(4, cluster_of(2, 2)));
}

TEST_F(Cluster, HasAtMostEightBlocks) {
  ASK(cudaErrorInvalidClusterSize, launch(16, cluster_of(16)));
  ASK(cudaErrorInvalidClusterSize, launch(9, cluster_of(9)));
  ASK(cudaErrorInvalidClusterSize, launch(64, cluster_of(64)));
}

TEST_F(Cluster, OfPartlyNothing) { ASK(cudaErrorInvalidClusterSize, launch(2, cluster_of(2, 0, 0))); }

TEST_F(Cluster, HowManyAreActive) {
  auto two = cluster_of(2);
  cudaLaunchConfig_t config = configured(2, 1024, &two);
  int clusters = -1, processors = 0;
  MUST(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  ASK(cudaSuccess, cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
  ASK_VALUE(processors, clusters);
  ASK(cudaErrorInvalidDeviceFunction,
      cudaOccupancyMaxActiveClusters(&clusters, static_cast<const void*>(nullptr), &config));
  config.blockDim = dim3(1025);
  tell("clusters of blocks that are too large", __LINE__,
       named(cudaOccupancyMaxActiveClusters(&clusters, plain, &config)));
}

TEST_F(Cluster, HowLargeOneMayBe) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(64);
  config.blockDim = dim3(32);
  int size = -1;
  ASK(cudaSuccess, cudaOccupancyMaxPotentialClusterSize(&size, plain, &config));
  ASK_VALUE(8, size);
  MUST(cudaFuncSetAttribute(adjusted, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  ASK(cudaSuccess, cudaOccupancyMaxPotentialClusterSize(&size, adjusted, &config));
  ASK_VALUE(16, size);
  MUST(cudaFuncSetAttribute(adjusted, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
}

TEST_F(Cluster, AttributesOfAFunction) {
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  MUST(cudaFuncGetAttributes(&a, adjusted));
  ASK_VALUE(1, a.nonPortableClusterSizeAllowed);
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeClusterSchedulingPolicyPreference,
                                        cudaClusterSchedulingPolicySpread));
  MUST(cudaFuncGetAttributes(&a, adjusted));
  ASK_VALUE(static_cast<int>(cudaClusterSchedulingPolicySpread), a.clusterSchedulingPolicyPreference);
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributeClusterSchedulingPolicyPreference, 99));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributeClusterDimMustBeSet, 1));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributeRequiredClusterWidth, -1));
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeRequiredClusterWidth, 2));
  MUST(cudaFuncGetAttributes(&a, adjusted));
  ASK_VALUE(2, a.requiredClusterWidth);
}
