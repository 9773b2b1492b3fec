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
    for (int version : {2000, 4000, 11030, 13000}) {
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
