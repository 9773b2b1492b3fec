// Rarely used calls: argument checks and basic results.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // programs call these all the same

#include "support.h"

using RareCalls = Runtime;

TEST_F(RareCalls, HostAtomicCapabilities) {
  unsigned capabilities[2] = {77, 77};
  const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationIntegerMin};
  ASK(cudaSuccess, cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 2, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(capabilities, nullptr, 2, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 0, 0));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 4096));
}

TEST_F(RareCalls, PeerAtomicCapabilitiesOfOneDevice) {
  unsigned capabilities[1] = {77};
  const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd};
  ASK(cudaErrorInvalidDevice, cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 1, 0, 0));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 1, 0, 4096));
}

TEST_F(RareCalls, ChannelDescriptors) {
  const cudaChannelFormatDesc made = cudaCreateChannelDesc(8, 16, 0, 32, cudaChannelFormatKindSigned);
  ASK_VALUE(8, made.x);
  ASK_VALUE(16, made.y);
  ASK_VALUE(0, made.z);
  ASK_VALUE(32, made.w);
  ASK_VALUE(cudaChannelFormatKindSigned, made.f);
  const cudaChannelFormatDesc typed = cudaCreateChannelDesc<float4>();
  ASK_VALUE(32, typed.w);
  ASK_VALUE(cudaChannelFormatKindFloat, typed.f);
}

TEST_F(RareCalls, BanksOfSharedMemory) {
  cudaSharedMemConfig config = cudaSharedMemBankSizeEightByte;
  ASK(cudaSuccess, cudaDeviceGetSharedMemConfig(&config));
  ASK_VALUE(cudaSharedMemBankSizeFourByte, config);
  ASK(cudaSuccess, cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  MUST(cudaDeviceGetSharedMemConfig(&config));
  ASK_VALUE(cudaSharedMemBankSizeFourByte, config);
  ASK(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(9)));
  ASK(cudaErrorInvalidValue, cudaDeviceGetSharedMemConfig(nullptr));
  const auto kernel = reinterpret_cast<const void*>(store);
  ASK(cudaSuccess, cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeFourByte));
  ASK(cudaErrorInvalidValue, cudaFuncSetSharedMemConfig(kernel, static_cast<cudaSharedMemConfig>(9)));
  ASK(cudaErrorInvalidDeviceFunction, cudaFuncSetSharedMemConfig(nullptr, cudaSharedMemBankSizeFourByte));
}

TEST_F(RareCalls, StreamsThatAreNotCaptured) {
  Stream stream;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  ASK(cudaSuccess, cudaStreamIsCapturing(stream, &status));
  ASK_VALUE(cudaStreamCaptureStatusNone, status);
  status = cudaStreamCaptureStatusActive;
  ASK(cudaSuccess, cudaStreamIsCapturing(nullptr, &status));
  ASK_VALUE(cudaStreamCaptureStatusNone, status);
  ASK(cudaErrorInvalidValue, cudaStreamIsCapturing(stream, nullptr));
  status = cudaStreamCaptureStatusActive;
  unsigned long long id = 77;
  cudaGraph_t graph = nullptr;
  ASK(cudaSuccess, cudaStreamGetCaptureInfo(stream, &status, &id, &graph, nullptr, nullptr, nullptr));
  ASK_VALUE(cudaStreamCaptureStatusNone, status);
}

TEST_F(RareCalls, FlushOfRemoteWrites) {
  ASK(cudaSuccess, cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                                      cudaFlushGPUDirectRDMAWritesToOwner));
}

TEST_F(RareCalls, AsyncNotifications) {
  cudaAsyncCallbackHandle_t handle = nullptr;
  const cudaAsyncCallback callback = [](cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t) {};
  ASK(cudaErrorInvalidValue, cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle));
  ASK(cudaErrorInvalidDevice, cudaDeviceRegisterAsyncNotification(4096, callback, nullptr, &handle));
  ASK(cudaErrorInvalidValue, cudaDeviceUnregisterAsyncNotification(0, nullptr));
}

TEST_F(RareCalls, ExportTables) {
  const void* table = nullptr;
  cudaUUID_t unknown{};
  ASK(cudaErrorInvalidValue, cudaGetExportTable(&table, &unknown));
}

TEST_F(RareCalls, ExternalMemoryArguments) {
  cudaExternalMemory_t memory = nullptr;
  cudaExternalMemoryHandleDesc description{};
  description.type = cudaExternalMemoryHandleTypeOpaqueFd;
  description.handle.fd = -1;
  description.size = 4096;
  ASK(cudaErrorInvalidValue, cudaImportExternalMemory(nullptr, &description));
  ASK(cudaErrorInvalidValue, cudaImportExternalMemory(&memory, nullptr));
  ASK(cudaErrorUnknown, cudaImportExternalMemory(&memory, &description));
  ASK(cudaErrorInvalidValue, cudaDestroyExternalMemory(nullptr));
}

TEST_F(RareCalls, LibrariesOfWrongCode) {
  cudaLibrary_t library = nullptr;
  const char text[] = "this is no code";
  ASK(cudaErrorInvalidValue, cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaLibraryLoadData(nullptr, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  // The module is checked when one of its kernels is requested.
  ASK(cudaSuccess, cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaErrorFileNotFound,
      cudaLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaErrorInvalidResourceHandle, cudaLibraryUnload(nullptr));
}

TEST_F(RareCalls, GraphicsCallsWithoutAnObject) {
  ASK(cudaErrorInvalidResourceHandle, cudaGraphicsUnregisterResource(nullptr));
  size_t size = 0;
  void* pointer = nullptr;
  ASK(cudaErrorInvalidResourceHandle, cudaGraphicsResourceGetMappedPointer(&pointer, &size, nullptr));
}

using HazardRareCalls = Runtime;

TEST_F(HazardRareCalls, AsyncNotificationsNeedAHandle) {
  UNDEFINED_ON_NVIDIA("a null output crashes");
  const cudaAsyncCallback callback = [](cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t) {};
  ASK(cudaErrorInvalidValue, cudaDeviceRegisterAsyncNotification(0, callback, nullptr, nullptr));
}
