// Calls of the driver API by name.
#include <dlfcn.h>

#include "driver_support.h"

namespace {

struct Point {
  CUresult result;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  void* function = nullptr;
};

Point find(const char* name, int version, cuuint64_t flags = 0) {
  Point point;
  point.result = cuGetProcAddress(name, &point.function, version, flags, &point.status);
  return point;
}

}  // namespace

TEST(DriverEntryPoints, AreFoundFromTheirFirstVersionOn) {
  for (const char* name : {"cuInit", "cuMemAlloc", "cuMemcpyHtoDAsync", "cuCtxCreate"}) {
    for (int version : {4000, 11030, 13000}) {
      const Point point = find(name, version);
      ASK_DRIVER(CUDA_SUCCESS, point.result);
      ASK_VALUE(CU_GET_PROC_ADDRESS_SUCCESS, point.status);
      EXPECT_NE(point.function, nullptr) << name << " of " << version;
    }
  }
  for (const char* name : {"cuGraphAddKernelNode", "cuStreamBeginCapture", "cuGraphInstantiate"}) {
    for (int version : {2000, 4000}) {
      const Point point = find(name, version);
      ASK_DRIVER(CUDA_SUCCESS, point.result);
      ASK_VALUE(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, point.status);
      EXPECT_EQ(point.function, nullptr) << name << " of " << version;
    }
    for (int version : {10000, 11000, 12030, 13000}) EXPECT_NE(find(name, version).function, nullptr) << name;
  }
  EXPECT_EQ(find("cuGetProcAddress", 11000).function, nullptr);
  EXPECT_NE(find("cuGetProcAddress", 11030).function, nullptr);
}

// Which exported function stands for a name from which version on; null where the version has no such call.
struct Version {
  const char* name;
  cuuint64_t flags;
  int version;
  const char* symbol;
};
constexpr Version versions[] = {
    {"cuInit", 0, 2000, "cuInit"},
    {"cuInit", 2, 2000, "cuInit"},
    {"cuMemAlloc", 0, 3020, "cuMemAlloc_v2"},
    {"cuMemAlloc", 2, 3020, "cuMemAlloc_v2"},
    {"cuMemcpyHtoDAsync", 0, 3020, "cuMemcpyHtoDAsync_v2"},
    {"cuMemcpyHtoDAsync", 2, 2000, nullptr},
    {"cuMemcpyHtoDAsync", 2, 7000, "cuMemcpyHtoDAsync_v2_ptsz"},
    {"cuMemcpyBatchAsync", 0, 2000, nullptr},
    {"cuMemcpyBatchAsync", 0, 12080, "cuMemcpyBatchAsync"},
    {"cuMemcpyBatchAsync", 0, 13000, "cuMemcpyBatchAsync_v2"},
    {"cuMemcpyBatchAsync", 2, 2000, nullptr},
    {"cuMemcpyBatchAsync", 2, 12080, "cuMemcpyBatchAsync_ptsz"},
    {"cuMemcpyBatchAsync", 2, 13000, "cuMemcpyBatchAsync_v2_ptsz"},
    {"cuMemPrefetchAsync", 0, 2000, nullptr},
    {"cuMemPrefetchAsync", 0, 8000, "cuMemPrefetchAsync"},
    {"cuMemPrefetchAsync", 0, 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemPrefetchAsync", 2, 2000, nullptr},
    {"cuMemPrefetchAsync", 2, 8000, "cuMemPrefetchAsync_ptsz"},
    {"cuMemPrefetchAsync", 2, 12020, "cuMemPrefetchAsync_v2_ptsz"},
    {"cuMemAdvise", 0, 2000, nullptr},
    {"cuMemAdvise", 0, 8000, "cuMemAdvise"},
    {"cuMemAdvise", 0, 12020, "cuMemAdvise_v2"},
    {"cuMemAdvise", 2, 2000, nullptr},
    {"cuMemAdvise", 2, 8000, "cuMemAdvise"},
    {"cuMemAdvise", 2, 12020, "cuMemAdvise_v2"},
    {"cuCtxCreate", 0, 3020, "cuCtxCreate_v2"},
    {"cuCtxCreate", 0, 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 0, 12050, "cuCtxCreate_v4"},
    {"cuCtxCreate", 2, 3020, "cuCtxCreate_v2"},
    {"cuCtxCreate", 2, 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 2, 12050, "cuCtxCreate_v4"},
    {"cuCtxGetDevice", 0, 2000, "cuCtxGetDevice"},
    {"cuCtxGetDevice", 0, 13000, "cuCtxGetDevice_v2"},
    {"cuCtxGetDevice", 2, 2000, "cuCtxGetDevice"},
    {"cuCtxGetDevice", 2, 13000, "cuCtxGetDevice_v2"},
    {"cuCtxSynchronize", 0, 2000, "cuCtxSynchronize"},
    {"cuCtxSynchronize", 0, 13000, "cuCtxSynchronize_v2"},
    {"cuCtxSynchronize", 2, 2000, "cuCtxSynchronize"},
    {"cuCtxSynchronize", 2, 13000, "cuCtxSynchronize_v2"},
    {"cuStreamGetCtx", 0, 2000, nullptr},
    {"cuStreamGetCtx", 0, 9020, "cuStreamGetCtx"},
    {"cuStreamGetCtx", 0, 12050, "cuStreamGetCtx_v2"},
    {"cuStreamGetCtx", 2, 2000, nullptr},
    {"cuStreamGetCtx", 2, 9020, "cuStreamGetCtx_ptsz"},
    {"cuStreamGetCtx", 2, 12050, "cuStreamGetCtx_v2_ptsz"},
    {"cuStreamBeginCapture", 0, 2000, nullptr},
    {"cuStreamBeginCapture", 0, 10000, "cuStreamBeginCapture"},
    {"cuStreamBeginCapture", 0, 10010, "cuStreamBeginCapture_v2"},
    {"cuStreamBeginCapture", 2, 2000, nullptr},
    {"cuStreamBeginCapture", 2, 10000, "cuStreamBeginCapture_ptsz"},
    {"cuStreamBeginCapture", 2, 10010, "cuStreamBeginCapture_v2_ptsz"},
    {"cuStreamGetCaptureInfo", 0, 2000, nullptr},
    {"cuStreamGetCaptureInfo", 0, 10010, "cuStreamGetCaptureInfo"},
    {"cuStreamGetCaptureInfo", 0, 11030, "cuStreamGetCaptureInfo_v2"},
    {"cuStreamGetCaptureInfo", 0, 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamGetCaptureInfo", 2, 2000, nullptr},
    {"cuStreamGetCaptureInfo", 2, 10010, "cuStreamGetCaptureInfo_ptsz"},
    {"cuStreamGetCaptureInfo", 2, 11030, "cuStreamGetCaptureInfo_v2_ptsz"},
    {"cuStreamGetCaptureInfo", 2, 12030, "cuStreamGetCaptureInfo_v3_ptsz"},
    {"cuStreamUpdateCaptureDependencies", 0, 2000, nullptr},
    {"cuStreamUpdateCaptureDependencies", 0, 11030, "cuStreamUpdateCaptureDependencies"},
    {"cuStreamUpdateCaptureDependencies", 0, 12030, "cuStreamUpdateCaptureDependencies_v2"},
    {"cuStreamUpdateCaptureDependencies", 2, 2000, nullptr},
    {"cuStreamUpdateCaptureDependencies", 2, 11030, "cuStreamUpdateCaptureDependencies_ptsz"},
    {"cuStreamUpdateCaptureDependencies", 2, 12030, "cuStreamUpdateCaptureDependencies_v2_ptsz"},
    {"cuEventRecord", 0, 2000, "cuEventRecord"},
    {"cuEventRecord", 2, 2000, nullptr},
    {"cuEventRecord", 2, 7000, "cuEventRecord_ptsz"},
    {"cuEventElapsedTime", 0, 2000, "cuEventElapsedTime"},
    {"cuEventElapsedTime", 0, 12080, "cuEventElapsedTime_v2"},
    {"cuEventElapsedTime", 2, 2000, "cuEventElapsedTime"},
    {"cuEventElapsedTime", 2, 12080, "cuEventElapsedTime_v2"},
    {"cuGraphAddKernelNode", 0, 2000, nullptr},
    {"cuGraphAddKernelNode", 0, 10000, "cuGraphAddKernelNode"},
    {"cuGraphAddKernelNode", 0, 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphAddKernelNode", 2, 2000, nullptr},
    {"cuGraphAddKernelNode", 2, 10000, "cuGraphAddKernelNode"},
    {"cuGraphAddKernelNode", 2, 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphAddNode", 0, 2000, nullptr},
    {"cuGraphAddNode", 0, 12020, "cuGraphAddNode"},
    {"cuGraphAddNode", 0, 12030, "cuGraphAddNode_v2"},
    {"cuGraphAddNode", 2, 2000, nullptr},
    {"cuGraphAddNode", 2, 12020, "cuGraphAddNode"},
    {"cuGraphAddNode", 2, 12030, "cuGraphAddNode_v2"},
    {"cuGraphExecUpdate", 0, 2000, nullptr},
    {"cuGraphExecUpdate", 0, 10020, "cuGraphExecUpdate"},
    {"cuGraphExecUpdate", 0, 12000, "cuGraphExecUpdate_v2"},
    {"cuGraphExecUpdate", 2, 2000, nullptr},
    {"cuGraphExecUpdate", 2, 10020, "cuGraphExecUpdate"},
    {"cuGraphExecUpdate", 2, 12000, "cuGraphExecUpdate_v2"},
    {"cuGraphGetEdges", 0, 2000, nullptr},
    {"cuGraphGetEdges", 0, 10000, "cuGraphGetEdges"},
    {"cuGraphGetEdges", 0, 12030, "cuGraphGetEdges_v2"},
    {"cuGraphGetEdges", 2, 2000, nullptr},
    {"cuGraphGetEdges", 2, 10000, "cuGraphGetEdges"},
    {"cuGraphGetEdges", 2, 12030, "cuGraphGetEdges_v2"},
    {"cuGraphLaunch", 0, 2000, nullptr},
    {"cuGraphLaunch", 0, 10000, "cuGraphLaunch"},
    {"cuGraphLaunch", 2, 2000, nullptr},
    {"cuGraphLaunch", 2, 10000, "cuGraphLaunch_ptsz"},
    {"cuLaunchKernel", 0, 2000, nullptr},
    {"cuLaunchKernel", 0, 4000, "cuLaunchKernel"},
    {"cuLaunchKernel", 2, 2000, nullptr},
    {"cuLaunchKernel", 2, 7000, "cuLaunchKernel_ptsz"},
    {"cuLaunchKernelEx", 0, 2000, nullptr},
    {"cuLaunchKernelEx", 0, 12000, "cuLaunchKernelEx"},
    {"cuLaunchKernelEx", 2, 2000, nullptr},
    {"cuLaunchKernelEx", 2, 12000, "cuLaunchKernelEx_ptsz"},
    {"cuGetProcAddress", 0, 2000, nullptr},
    {"cuGetProcAddress", 0, 11030, "cuGetProcAddress"},
    {"cuGetProcAddress", 0, 12000, "cuGetProcAddress_v2"},
    {"cuGetProcAddress", 2, 2000, nullptr},
    {"cuGetProcAddress", 2, 11030, "cuGetProcAddress"},
    {"cuGetProcAddress", 2, 12000, "cuGetProcAddress_v2"},
};

TEST(DriverEntryPoints, EachVersionHasItsForm) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  for (const Version& row : versions) {
    const Point point = find(row.name, row.version, row.flags);
    EXPECT_EQ(point.result, CUDA_SUCCESS) << row.name;
    EXPECT_EQ(point.status, row.symbol ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)
        << row.name << " of " << row.version << ", flags " << row.flags;
    void* expected = row.symbol ? dlsym(library, row.symbol) : nullptr;
    EXPECT_EQ(point.function, expected) << row.name << " of " << row.version << ", flags " << row.flags;
  }
  dlclose(library);
}

TEST(DriverEntryPoints, UnknownNamesAndLaterVersions) {
  const Point unknown = find("cuNope", 12000);
  ASK_DRIVER(CUDA_SUCCESS, unknown.result);
  ASK_VALUE(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, unknown.status);
  EXPECT_EQ(unknown.function, nullptr);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, find("cuInit", 99000).result);
}

TEST(DriverEntryPoints, EarlierFormsTakeWhatTheyTook) {
  MUST(cudaSetDevice(0));
  CUgraph graph;
  CUgraphNode first, second;
  MUST_DRIVER(cuGraphCreate(&graph, 0));
  MUST_DRIVER(cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  MUST_DRIVER(cuGraphAddEmptyNode(&second, graph, nullptr, 0));
  using Add = CUresult (*)(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
  const auto add = reinterpret_cast<Add>(find("cuGraphAddDependencies", 12000).function);
  ASSERT_NE(add, nullptr);
  ASK_DRIVER(CUDA_SUCCESS, add(graph, &first, &second, 1));
  size_t edges = 0;
  MUST_DRIVER(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  ASK_VALUE(1, edges);
  MUST_DRIVER(cuGraphDestroy(graph));
}

TEST(DriverEntryPoints, TheRuntimeFindsThemToo) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
  MUST(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault, &status));
  ASK_VALUE(cudaDriverEntryPointSuccess, status);
  EXPECT_NE(function, nullptr);
  MUST(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 1000, cudaEnableDefault, &status));
  ASK_VALUE(cudaDriverEntryPointVersionNotSufficent, status);
  ASK(cudaErrorInvalidValue, cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, 77, &status));
}

TEST(DriverEntryPoints, TheLibraryIsOpenedByName) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto init = reinterpret_cast<CUresult (*)(unsigned)>(dlsym(library, "cuInit"));
  ASSERT_NE(init, nullptr);
  ASK_DRIVER(CUDA_SUCCESS, init(0));
  dlclose(library);
}
