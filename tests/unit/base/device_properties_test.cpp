#include "base/device_properties.h"

#include <gtest/gtest.h>

#include <string>

#include "base/device_settings.h"
#include "base/devices.h"
#include "base/machine.h"

namespace reprise_runtime {
namespace {

TEST(Machine, ReadsSizesAsPeopleWriteThem) {
  EXPECT_EQ(parse_bytes("8G"), std::size_t{8} << 30);
  EXPECT_EQ(parse_bytes("512m"), std::size_t{512} << 20);
  EXPECT_EQ(parse_bytes("4K"), 4096u);
  EXPECT_EQ(parse_bytes("123"), 123u);
  for (const char* bad : {"", "G", "0", "8GB", "-1", "8 G", "99999999999T"}) EXPECT_FALSE(parse_bytes(bad)) << bad;
}

TEST(Machine, TellsTheMachinesMemory) {
  const MachineMemory machine = read_machine_memory();
  EXPECT_GT(machine.total, std::size_t{64} << 20);
  EXPECT_GT(machine.available, 0u);
  EXPECT_LE(machine.available, machine.total);
}

TEST(DeviceProperties, TellTheTruthAboutTheMachine) {
  const cudaDeviceProp& p = device_properties(0);
  EXPECT_EQ(p.multiProcessorCount, core_count());
  EXPECT_EQ(p.totalGlobalMem, device_memory_bytes());
  EXPECT_NE(std::string(p.name).find(processor().name), std::string::npos);
  EXPECT_NE(std::string(p.name).find("CPU"), std::string::npos);
  EXPECT_EQ(p.major, 9);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.integrated, 1);
}

TEST(DeviceProperties, EveryNumberedAttributeIsAnsweredAndNoOther) {
  int answered = 0;
  for (int which = -5; which < 300; ++which) {
    int value = -777;
    const cudaError_t status = device_attribute(0, static_cast<cudaDeviceAttr>(which), &value);
    if (status == cudaSuccess) {
      ++answered;
      EXPECT_NE(value, -777) << which;
    } else {
      EXPECT_EQ(status, cudaErrorInvalidValue);
      EXPECT_EQ(value, -777) << which;
    }
  }
  EXPECT_EQ(answered, cudaDevAttrMax - 1);  // from 1
}

class DeviceSettings : public testing::Test {
 protected:
  ~DeviceSettings() override { reset_device_settings(0); }
};

TEST_F(DeviceSettings, LimitsAreKeptAndResetRestoresThem) {
  size_t value = 0;
  EXPECT_EQ(set_device_limit(0, cudaLimitStackSize, 4000), cudaSuccess);
  EXPECT_EQ(device_limit(0, cudaLimitStackSize, &value), cudaSuccess);
  EXPECT_EQ(value, 4000u);
  EXPECT_EQ(set_device_limit(0, cudaLimitStackSize, 4001), cudaSuccess);
  EXPECT_EQ(device_limit(0, cudaLimitStackSize, &value), cudaSuccess);
  EXPECT_EQ(value, 4016u);
  reset_device_settings(0);
  EXPECT_EQ(device_limit(0, cudaLimitStackSize, &value), cudaSuccess);
  EXPECT_EQ(value, 1024u);
  EXPECT_EQ(set_device_limit(0, static_cast<cudaLimit>(99), 1), cudaErrorInvalidValue);
  EXPECT_EQ(device_limit(0, cudaLimitDevRuntimeSyncDepth, &value), cudaErrorUnsupportedLimit);
  EXPECT_EQ(device_limit(0, cudaLimitStackSize, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(set_device_limit(0, cudaLimitStackSize, SIZE_MAX), cudaErrorInvalidValue);
}

TEST_F(DeviceSettings, OneScheduleFlagAtATime) {
  EXPECT_EQ(device_flags(0), unsigned{cudaDeviceMapHost});
  EXPECT_EQ(set_device_flags(0, cudaDeviceScheduleYield | cudaDeviceSyncMemops), cudaSuccess);
  EXPECT_EQ(device_flags(0), unsigned{cudaDeviceScheduleYield | cudaDeviceSyncMemops | cudaDeviceMapHost});
  EXPECT_EQ(set_device_flags(0, cudaDeviceScheduleYield | cudaDeviceScheduleSpin), cudaErrorInvalidValue);
  EXPECT_EQ(set_device_flags(0, 0x100), cudaErrorInvalidValue);
  EXPECT_EQ(device_flags(0), unsigned{cudaDeviceScheduleYield | cudaDeviceSyncMemops | cudaDeviceMapHost});
}

}  // namespace
}  // namespace reprise_runtime
