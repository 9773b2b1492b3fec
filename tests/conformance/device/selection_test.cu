// Which device a thread uses: counting, setting, and every wrong ordinal.
#include "support.h"

using DeviceSelection = Runtime;

TEST_F(DeviceSelection, CountIsAtLeastOne) {
  int count = 0;
  ASK(cudaSuccess, cudaGetDeviceCount(&count));
  EXPECT_GE(count, 1);
}

TEST_F(DeviceSelection, CountNeedsAnOutput) { ASK(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr)); }

TEST_F(DeviceSelection, ANewThreadUsesDeviceZero) {
  int device = -1;
  std::thread([&] { (void)cudaGetDevice(&device); }).join();
  ASK_VALUE(0, device);
}

TEST_F(DeviceSelection, GetNeedsAnOutput) { ASK(cudaErrorInvalidValue, cudaGetDevice(nullptr)); }

TEST_F(DeviceSelection, SettingAnOrdinalOutsideTheCountIsInvalidDevice) {
  int count = 0;
  MUST(cudaGetDeviceCount(&count));
  ASK(cudaErrorInvalidDevice, cudaSetDevice(-1));
  ASK(cudaErrorInvalidDevice, cudaSetDevice(count));
  ASK(cudaErrorInvalidDevice, cudaSetDevice(1 << 30));
  int device = -1;
  MUST(cudaGetDevice(&device));
  ASK_VALUE(0, device);
}

TEST_F(DeviceSelection, IsPerThread) {
  NEEDS_DEVICES(2);
  MUST(cudaSetDevice(1));
  int other = -1;
  std::thread([&] { (void)cudaGetDevice(&other); }).join();
  ASK_VALUE(0, other);
  int mine = -1;
  MUST(cudaGetDevice(&mine));
  ASK_VALUE(1, mine);
}

TEST_F(DeviceSelection, WrongOrdinalsElsewhere) {
  cudaDeviceProp properties{};
  int value = 0;
  char bus[32] = {};
  ASK(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, -1));
  ASK(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(bus, 32, -1));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(bus, 32, 4096));
  ASK(cudaErrorInvalidDevice, cudaInitDevice(4096, 0, 0));
  ASK(cudaErrorInvalidDevice, cudaInitDevice(-1, 0, 0));
}

TEST_F(DeviceSelection, ChoosesADeviceForProperties) {
  cudaDeviceProp wanted{};
  int device = -1;
  ASK(cudaSuccess, cudaChooseDevice(&device, &wanted));
  EXPECT_GE(device, 0);
  ASK(cudaErrorInvalidValue, cudaChooseDevice(nullptr, &wanted));
  ASK(cudaErrorInvalidValue, cudaChooseDevice(&device, nullptr));
}

TEST_F(DeviceSelection, ValidDevicesAreALimitedList) {
  int list[] = {0};
  ASK(cudaSuccess, cudaSetValidDevices(list, 1));
  ASK(cudaSuccess, cudaSetValidDevices(nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaSetValidDevices(nullptr, 1));
  int wrong[] = {4096};
  ASK(cudaErrorInvalidDevice, cudaSetValidDevices(wrong, 1));
  int negative[] = {-1};
  ASK(cudaErrorInvalidDevice, cudaSetValidDevices(negative, 1));
  ASK(cudaErrorInvalidValue, cudaSetValidDevices(list, -1));
  ASK(cudaErrorInvalidValue, cudaSetValidDevices(list, 4096));
}

TEST_F(DeviceSelection, ThePciBusIdLeadsBackToTheDevice) {
  char bus[32] = {};
  MUST(cudaDeviceGetPCIBusId(bus, sizeof(bus), 0));
  ASK_VALUE(12u, std::strlen(bus));
  int device = -1;
  ASK(cudaSuccess, cudaDeviceGetByPCIBusId(&device, bus));
  ASK_VALUE(0, device);
  cudaDeviceProp properties{};
  MUST(cudaGetDeviceProperties(&properties, 0));
  char made[32];
  std::snprintf(made, sizeof(made), "%04x:%02x:%02x.0", properties.pciDomainID, properties.pciBusID,
                properties.pciDeviceID);
  EXPECT_STRCASEEQ(made, bus);
}

TEST_F(DeviceSelection, WrongPciBusIds) {
  char bus[32] = {};
  int device = -1;
  ASK(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(nullptr, 32, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(bus, 0, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(bus, -1, 0));
  // The part that fits is written all the same.
  ASK(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(bus, 5, 0));
  ASK_VALUE(4u, std::strlen(bus));
  ASK(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, nullptr));
  ASK(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
  ASK(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, "no bus id"));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
}

TEST_F(DeviceSelection, InitialisingADeviceTakesItsFlags) {
  ASK(cudaSuccess, cudaInitDevice(0, 0, 0));
  // Without cudaInitDeviceFlagsAreValid the flags and the rest of the last argument are ignored.
  ASK(cudaSuccess, cudaInitDevice(0, 0xffff, 0));
  ASK(cudaSuccess, cudaInitDevice(0, 0, 0xff));
  ASK(cudaErrorInvalidValue, cudaInitDevice(0, 0xffff, cudaInitDeviceFlagsAreValid));
  ASK(cudaSuccess, cudaInitDevice(0, cudaDeviceScheduleAuto, cudaInitDeviceFlagsAreValid));
}

TEST_F(DeviceSelection, FlagsCanBeSetAndRead) {
  unsigned before = 0;
  MUST(cudaGetDeviceFlags(&before));
  ASK_VALUE(cudaDeviceMapHost, before);
  for (unsigned flag : {cudaDeviceScheduleSpin, cudaDeviceScheduleYield, cudaDeviceScheduleBlockingSync}) {
    ASK(cudaSuccess, cudaSetDeviceFlags(flag));
    unsigned now = 0;
    MUST(cudaGetDeviceFlags(&now));
    ASK_VALUE(flag, now & cudaDeviceScheduleMask);
    ASK_VALUE(cudaDeviceMapHost, now & cudaDeviceMapHost);
  }
  MUST(cudaSetDeviceFlags(cudaDeviceScheduleAuto));
  unsigned automatic = ~0u;
  MUST(cudaGetDeviceFlags(&automatic));
  ASK_VALUE(0u, automatic & cudaDeviceScheduleMask);
}

TEST_F(DeviceSelection, WrongFlags) {
  ASK(cudaErrorInvalidValue, cudaSetDeviceFlags(3));
  ASK(cudaErrorInvalidValue, cudaSetDeviceFlags(0x40000000));
  ASK(cudaErrorInvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  ASK(cudaErrorInvalidValue, cudaGetDeviceFlags(nullptr));
  ASK(cudaSuccess, cudaSetDeviceFlags(cudaDeviceLmemResizeToMax));
  ASK(cudaSuccess, cudaSetDeviceFlags(cudaDeviceMapHost));
  ASK(cudaSuccess, cudaSetDeviceFlags(cudaDeviceSyncMemops));
  unsigned flags = 0;
  MUST(cudaGetDeviceFlags(&flags));
  ASK_VALUE(cudaDeviceSyncMemops | cudaDeviceMapHost, flags & (cudaDeviceSyncMemops | cudaDeviceMapHost));
  MUST(cudaSetDeviceFlags(0));
}

TEST_F(DeviceSelection, SynchronizeWaitsForEveryStream) {
  DeviceArray<int> cells(2);
  Stream first, second(cudaStreamNonBlocking);
  PinnedArray<int> seen(2);
  store<<<1, 1, 0, first>>>(cells.get(), 1);
  store<<<1, 1, 0, second>>>(cells.get() + 1, 2);
  MUST(cudaMemcpyAsync(&seen[0], cells.get(), 4, cudaMemcpyDeviceToHost, first));
  MUST(cudaMemcpyAsync(&seen[1], cells.get() + 1, 4, cudaMemcpyDeviceToHost, second));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK_VALUE(1, seen[0]);
  ASK_VALUE(2, seen[1]);
}
