// State of the process: versions, the profiler, driver entry points.
#include <cuda_profiler_api.h>

#include "support.h"

using Versions = Runtime;

TEST_F(Versions, AreThoseOfCuda13) {
  int runtime = 0, driver = 0;
  ASK(cudaSuccess, cudaRuntimeGetVersion(&runtime));
  ASK(cudaSuccess, cudaDriverGetVersion(&driver));
  ASK_VALUE(13000, runtime);
  ASK_VALUE(CUDART_VERSION, runtime);
  ASK_VALUE(13000, driver);
  EXPECT_GE(driver, runtime);
}

TEST_F(Versions, NeedAnOutput) {
  ASK(cudaErrorInvalidValue, cudaRuntimeGetVersion(nullptr));
  ASK(cudaErrorInvalidValue, cudaDriverGetVersion(nullptr));
}

using Profiler = Runtime;

TEST_F(Profiler, StartsAndStopsAnyNumberOfTimes) {
  ASK(cudaSuccess, cudaProfilerStart());
  ASK(cudaSuccess, cudaProfilerStart());
  ASK(cudaSuccess, cudaProfilerStop());
  ASK(cudaSuccess, cudaProfilerStop());
}

using DriverEntryPoint = Runtime;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // of the form without a version

TEST_F(DriverEntryPoint, OfAnUnknownNameIsNotFound) {
  void* function = reinterpret_cast<void*>(8);
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
  ASK(cudaSuccess, cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000, cudaEnableDefault, &status));
  ASK_VALUE(cudaDriverEntryPointSymbolNotFound, status);
  ASK_VALUE(true, function == nullptr);
  ASK(cudaSuccess, cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000, cudaEnableDefault, nullptr));
  status = cudaDriverEntryPointSuccess;
  ASK(cudaSuccess, cudaGetDriverEntryPoint("cuNoSuchThing", &function, cudaEnableDefault, &status));
  ASK_VALUE(cudaDriverEntryPointSymbolNotFound, status);
}

TEST_F(DriverEntryPoint, OfAnOldVersionIsNotSufficient) {
  void* function = reinterpret_cast<void*>(8);
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
  ASK(cudaSuccess, cudaGetDriverEntryPointByVersion("cuGraphCreate", &function, 9000, cudaEnableDefault, &status));
  EXPECT_NE(cudaDriverEntryPointSuccess, status);
  ASK_VALUE(true, function == nullptr);
}

TEST_F(DriverEntryPoint, OfAKnownNameIsFound) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  ASK(cudaSuccess, cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, cudaEnableDefault, &status));
  EXPECT_EQ(status == cudaDriverEntryPointSuccess, function != nullptr);
}

TEST_F(DriverEntryPoint, WrongArguments) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  ASK(cudaErrorInvalidValue, cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, 77, &status));
  ASK(cudaErrorInvalidValue, cudaGetDriverEntryPointByVersion("cuInit", &function, 99000, cudaEnableDefault, &status));
}

TEST_F(DriverEntryPoint, WithAStreamMode) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  ASK(cudaSuccess,
      cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000, cudaEnableLegacyStream, &status));
  ASK(cudaSuccess,
      cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000, cudaEnablePerThreadDefaultStream, &status));
}

using HazardDriverEntryPoint = Runtime;

TEST_F(HazardDriverEntryPoint, MissingNameAndOutput) {
  UNDEFINED_ON_NVIDIA("a null name crashes");
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  ASK(cudaErrorInvalidValue, cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, cudaEnableDefault, &status));
  ASK(cudaErrorInvalidValue, cudaGetDriverEntryPointByVersion("cuInit", nullptr, 12000, cudaEnableDefault, &status));
}
