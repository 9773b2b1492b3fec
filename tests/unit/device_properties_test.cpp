#include "base/device_properties.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/device_settings.h"
#include "base/devices.h"
#include "base/machine.h"

namespace reprise {
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

}  // namespace
}  // namespace reprise
