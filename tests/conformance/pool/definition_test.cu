// Pools: creation, the default and current pool, attributes, access.
#include "pool/pool_support.h"

using Pools = Runtime;

TEST_F(Pools, AreThere) {
  int supported = 0, handles = -1;
  MUST(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  ASK_VALUE(1, supported);
  MUST(cudaDeviceGetAttribute(&handles, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
  FACT("supported handle types", handles);
  ASK_VALUE(true, (handles & cudaMemHandleTypePosixFileDescriptor) != 0);
}

TEST_F(Pools, WrongOrdinals) {
  cudaMemPool_t pool = nullptr;
  ASK(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&pool, 4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&pool, -1));
  ASK(cudaErrorInvalidValue, cudaDeviceGetMemPool(&pool, -1));
  ASK(cudaErrorInvalidValue, cudaDeviceGetMemPool(&pool, 4096));
  Pool own;
  ASK(cudaErrorInvalidValue, cudaDeviceSetMemPool(4096, own));
  ASK(cudaErrorInvalidValue, cudaDeviceSetMemPool(-1, own));
}

TEST_F(Pools, NullArguments) {
  cudaMemPoolProps props = pool_props();
  cudaMemPool_t pool = nullptr;
  unsigned long long value = 0;
  ASK(cudaErrorInvalidValue, cudaMemPoolCreate(nullptr, &props));
  ASK(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPoolDestroy(nullptr));
  ASK(cudaErrorInvalidValue, cudaDeviceGetDefaultMemPool(nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetMemPool(nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrUsedMemCurrent, &value));
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold, &value));
  ASK(cudaErrorInvalidValue, cudaMemPoolTrimTo(nullptr, 0));
  Pool own;
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, nullptr));
}

TEST_F(Pools, CreatedAndDestroyed) {
  cudaMemPoolProps props = pool_props();
  cudaMemPool_t first = nullptr, second = nullptr;
  ASK(cudaSuccess, cudaMemPoolCreate(&first, &props));
  ASK(cudaSuccess, cudaMemPoolCreate(&second, &props));
  ASK_VALUE(true, first != second);
  ASK(cudaSuccess, cudaMemPoolDestroy(first));
  ASK(cudaSuccess, cudaMemPoolDestroy(second));
}

TEST_F(Pools, PropertiesThatAreRefused) {
  struct Case {
    const char* name;
    cudaError_t expected;
    std::function<void(cudaMemPoolProps&)> change;
  };
  const Case cases[] = {
      {"type invalid", cudaErrorInvalidValue, [](auto& p) { p.allocType = cudaMemAllocationTypeInvalid; }},
      {"type 77", cudaErrorInvalidValue, [](auto& p) { p.allocType = static_cast<cudaMemAllocationType>(77); }},
      {"type managed, device", cudaSuccess, [](auto& p) { p.allocType = cudaMemAllocationTypeManaged; }},
      {"type managed, no location", cudaSuccess,
       [](auto& p) {
         p.allocType = cudaMemAllocationTypeManaged;
         p.location.type = cudaMemLocationTypeNone;
         p.location.id = 0;
       }},
      {"handle 0x77", cudaErrorInvalidValue,
       [](auto& p) { p.handleTypes = static_cast<cudaMemAllocationHandleType>(0x77); }},
      {"handle win32", cudaErrorInvalidValue, [](auto& p) { p.handleTypes = cudaMemHandleTypeWin32; }},
      {"handle fd", cudaSuccess, [](auto& p) { p.handleTypes = cudaMemHandleTypePosixFileDescriptor; }},
      {"location none", cudaErrorInvalidValue, [](auto& p) { p.location.type = cudaMemLocationTypeNone; }},
      {"location 77", cudaErrorInvalidValue, [](auto& p) { p.location.type = static_cast<cudaMemLocationType>(77); }},
      {"location host", cudaSuccess, [](auto& p) { p.location.type = cudaMemLocationTypeHost; }},
      {"location host with fd", cudaErrorInvalidValue,
       [](auto& p) {
         p.location.type = cudaMemLocationTypeHost;
         p.handleTypes = cudaMemHandleTypePosixFileDescriptor;
       }},
      {"location numa 0", cudaSuccess, [](auto& p) { p.location.type = cudaMemLocationTypeHostNuma; }},
      {"location numa 999", cudaErrorInvalidValue,
       [](auto& p) {
         p.location.type = cudaMemLocationTypeHostNuma;
         p.location.id = 999;
       }},
      {"location numa current", cudaErrorInvalidValue,
       [](auto& p) { p.location.type = cudaMemLocationTypeHostNumaCurrent; }},
      {"device 4096", cudaErrorInvalidValue, [](auto& p) { p.location.id = 4096; }},
      {"device -1", cudaErrorInvalidValue, [](auto& p) { p.location.id = -1; }},
      {"win32 attributes", cudaSuccess, [](auto& p) { p.win32SecurityAttributes = reinterpret_cast<void*>(8); }},
      {"reserved byte", cudaErrorInvalidValue, [](auto& p) { p.reserved[53] = 1; }},
      {"usage decompress", cudaSuccess, [](auto& p) { p.usage = cudaMemPoolCreateUsageHwDecompress; }},
      {"usage 0x80", cudaSuccess, [](auto& p) { p.usage = 0x80; }},
      {"largest 1", cudaSuccess, [](auto& p) { p.maxSize = 1; }},
      {"largest 1 GiB", cudaSuccess, [](auto& p) { p.maxSize = 1024 * MiB; }},
      {"largest 64 TiB", cudaErrorMemoryAllocation, [](auto& p) { p.maxSize = 64ull << 40; }},
      {"largest all", cudaErrorMemoryAllocation, [](auto& p) { p.maxSize = ~size_t{0}; }},
  };
  for (const Case& each : cases) {
    cudaMemPoolProps props = pool_props();
    each.change(props);
    cudaMemPool_t pool = nullptr;
    ASK_CASE(each.name, each.expected, cudaMemPoolCreate(&pool, &props));
    if (pool) ASK_CASE(std::string(each.name) + " destroyed", cudaSuccess, cudaMemPoolDestroy(pool));
    (void)cudaGetLastError();
  }
}

TEST_F(Pools, DefaultIsCurrentAtFirst) {
  cudaMemPool_t standard = nullptr, current = nullptr, again = nullptr;
  MUST(cudaDeviceGetDefaultMemPool(&standard, 0));
  MUST(cudaDeviceGetMemPool(&current, 0));
  MUST(cudaDeviceGetDefaultMemPool(&again, 0));
  ASK_VALUE(true, standard != nullptr && standard == current && standard == again);
  ASK(cudaErrorInvalidValue, cudaMemPoolDestroy(standard));
}

TEST_F(Pools, CurrentIsSetAndFallsBackWhenDestroyed) {
  cudaMemPool_t standard = nullptr, current = nullptr;
  MUST(cudaDeviceGetDefaultMemPool(&standard, 0));
  Pool own;
  ASK(cudaSuccess, cudaDeviceSetMemPool(0, own));
  MUST(cudaDeviceGetMemPool(&current, 0));
  ASK_VALUE(true, current == own);
  Stream stream;
  void* address = nullptr;
  MUST(cudaMallocAsync(&address, 1000, stream));
  ASK_VALUE(true, used(own) >= 1000);
  MUST(cudaFreeAsync(address, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaMemPoolDestroy(own.release()));
  MUST(cudaDeviceGetMemPool(&current, 0));
  ASK_VALUE(true, current == standard);
  ASK(cudaSuccess, cudaDeviceSetMemPool(0, standard));
}

TEST_F(Pools, DestroyedWhileMemoryIsOut) {
  Pool pool;
  Stream stream;
  char* address = take(pool, 1 << 20, stream);
  ASK(cudaSuccess, cudaMemPoolDestroy(pool.release()));
  ASK(cudaSuccess, cudaMemsetAsync(address, 7, 1 << 20, stream));
  std::vector<char> host(1 << 20);
  ASK(cudaSuccess, cudaMemcpyAsync(host.data(), address, host.size(), cudaMemcpyDefault, stream));
  ASK(cudaSuccess, cudaFreeAsync(address, stream));
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
  ASK_VALUE(7, int{host.back()});
}

TEST_F(Pools, OfALocation) {
  cudaMemPool_t standard = nullptr, pool = nullptr;
  MUST(cudaDeviceGetDefaultMemPool(&standard, 0));
  cudaMemLocation device = device_location();
  ASK(cudaSuccess, cudaMemGetDefaultMemPool(&pool, &device, cudaMemAllocationTypePinned));
  ASK_VALUE(true, pool == standard);
  pool = nullptr;
  ASK(cudaSuccess, cudaMemGetMemPool(&pool, &device, cudaMemAllocationTypePinned));
  ASK_VALUE(true, pool == standard);
  Pool own;
  ASK(cudaSuccess, cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, own));
  ASK(cudaSuccess, cudaMemGetMemPool(&pool, &device, cudaMemAllocationTypePinned));
  ASK_VALUE(true, pool == own);
  MUST(cudaDeviceGetMemPool(&pool, 0));
  ASK_VALUE(true, pool == own);
  ASK(cudaErrorInvalidValue, cudaMemSetMemPool(&device, cudaMemAllocationTypeManaged, own));
  cudaMemLocation host{};
  host.type = cudaMemLocationTypeHost;
  ASK(cudaErrorInvalidValue, cudaMemSetMemPool(&host, cudaMemAllocationTypePinned, own));
  ASK(cudaSuccess, cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, standard));
  ASK(cudaSuccess, cudaMemGetDefaultMemPool(&pool, &host, cudaMemAllocationTypePinned));
  ASK(cudaSuccess, cudaMemGetDefaultMemPool(&pool, &device, cudaMemAllocationTypeManaged));
  ASK(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(nullptr, &device, cudaMemAllocationTypePinned));
  ASK(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
  ASK(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(&pool, &device, cudaMemAllocationTypeInvalid));
  device.id = 4096;
  ASK(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(&pool, &device, cudaMemAllocationTypePinned));
  ASK(cudaErrorInvalidValue, cudaMemGetMemPool(&pool, &device, cudaMemAllocationTypePinned));
}

TEST_F(Pools, AttributesAtFirst) {
  Pool pool;
  int flag = -1;
  for (cudaMemPoolAttr attribute : {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
                                    cudaMemPoolReuseAllowInternalDependencies}) {
    ASK(cudaSuccess, cudaMemPoolGetAttribute(pool, attribute, &flag));
    ASK_VALUE(1, flag);
  }
  for (cudaMemPoolAttr attribute :
       {cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh,
        cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh}) {
    ASK_FACT("attribute " + std::to_string(attribute), 0, pool_value(pool, attribute));
  }
}

TEST_F(Pools, AttributesOfTheDefaultPool) {
  cudaMemPool_t pool = nullptr;
  MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
  ASK_VALUE(0, pool_value(pool, cudaMemPoolAttrReleaseThreshold));
}

TEST_F(Pools, AttributesThatCanBeSet) {
  Pool pool;
  int flag = 0, read = -1;
  for (cudaMemPoolAttr attribute : {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
                                    cudaMemPoolReuseAllowInternalDependencies}) {
    for (int value : {0, 1, 5, 0}) {
      flag = value;
      ASK_FACT("flag " + std::to_string(attribute) + " set to " + std::to_string(value), 0,
               static_cast<int>(cudaMemPoolSetAttribute(pool, attribute, &flag)));
      MUST(cudaMemPoolGetAttribute(pool, attribute, &read));
      ASK_FACT("flag reads after " + std::to_string(value), value != 0, read);
    }
  }
  unsigned long long bytes = 12345;
  ASK(cudaSuccess, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
  ASK_VALUE(12345, pool_value(pool, cudaMemPoolAttrReleaseThreshold));
  bytes = ~0ull;
  ASK(cudaSuccess, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
  ASK_VALUE(~0ull, pool_value(pool, cudaMemPoolAttrReleaseThreshold));
  bytes = 0;
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
  ASK(cudaSuccess, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &bytes));
  ASK(cudaSuccess, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes));
  bytes = 1;
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &bytes));
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes));
  for (int unknown : {0, 9, 77, -1}) {
    ASK_CASE("set " + std::to_string(unknown), cudaErrorInvalidValue,
             cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(unknown), &bytes));
    ASK_CASE("get " + std::to_string(unknown), cudaErrorInvalidValue,
             cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(unknown), &bytes));
  }
}

TEST_F(Pools, AccessOfTheOwnDevice) {
  Pool pool;
  cudaMemLocation device = device_location();
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  ASK(cudaSuccess, cudaMemPoolGetAccess(&flags, pool, &device));
  ASK_VALUE(cudaMemAccessFlagsProtReadWrite, flags);
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, nullptr, &device));
  cudaMemLocation wrong = device_location(4096);
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, &wrong));
  wrong.type = cudaMemLocationTypeNone;
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, &wrong));
  wrong.type = cudaMemLocationTypeHost;
  wrong.id = 0;
  flags = cudaMemAccessFlagsProtRead;
  ASK(cudaSuccess, cudaMemPoolGetAccess(&flags, pool, &wrong));
  ASK_VALUE(cudaMemAccessFlagsProtNone, flags);
}

TEST_F(Pools, AccessIsSet) {
  Pool pool;
  cudaMemAccessDesc access{};
  access.location = device_location();
  access.flags = cudaMemAccessFlagsProtReadWrite;
  ASK(cudaSuccess, cudaMemPoolSetAccess(pool, &access, 1));
  ASK(cudaSuccess, cudaMemPoolSetAccess(pool, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAccess(nullptr, &access, 1));
  access.flags = cudaMemAccessFlagsProtRead;
  ASK(cudaErrorNotSupported, cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  ASK(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtReadWrite;
  access.location.id = 4096;
  ASK(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &access, 1));
  access.location = device_location();
  access.location.type = cudaMemLocationTypeHost;
  ASK(cudaErrorNotSupported, cudaMemPoolSetAccess(pool, &access, 1));
  access.location.type = cudaMemLocationTypeNone;
  ASK(cudaErrorNotSupported, cudaMemPoolSetAccess(pool, &access, 1));
  cudaMemAccessDesc twice[2]{};
  twice[0].location = twice[1].location = device_location();
  twice[0].flags = twice[1].flags = cudaMemAccessFlagsProtReadWrite;
  ASK(cudaSuccess, cudaMemPoolSetAccess(pool, twice, 2));
}

using HazardPools = Runtime;

TEST_F(HazardPools, NoPlaceForAnswersOrValues) {
  CRASHES_ON_NVIDIA("null where an answer or a value is");
  Pool own;
  cudaMemLocation device = device_location();
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, nullptr));
  ASK(cudaErrorInvalidValue, cudaMemPoolGetAccess(nullptr, own, &device));
  ASK(cudaErrorInvalidValue, cudaMemPoolSetAccess(own, nullptr, 1));
}

TEST_F(HazardPools, StaleAndForeignHandles) {
  UNDEFINED_ON_NVIDIA("handles of what is gone");
  cudaMemPoolProps props = pool_props();
  cudaMemPool_t pool = nullptr;
  MUST(cudaMemPoolCreate(&pool, &props));
  MUST(cudaMemPoolDestroy(pool));
  unsigned long long value = 0;
  Stream stream;
  void* address = nullptr;
  for (cudaMemPool_t wrong : {pool, reinterpret_cast<cudaMemPool_t>(0x1234567),
                              reinterpret_cast<cudaMemPool_t>(static_cast<cudaStream_t>(stream))}) {
    ASK(cudaErrorInvalidValue, cudaMemPoolGetAttribute(wrong, cudaMemPoolAttrUsedMemCurrent, &value));
    ASK(cudaErrorInvalidValue, cudaMemPoolDestroy(wrong));
    ASK(cudaErrorInvalidValue, cudaMemPoolTrimTo(wrong, 0));
    ASK(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, wrong));
    ASK(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&address, 16, wrong, stream));
  }
}
