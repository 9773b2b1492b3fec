#include "kernel/registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/pointer_map.h"

namespace reprise_runtime::kernel {
namespace {

void thunk(const void*, const reprise_launch*) {}

constexpr reprise_kernel kernels[] = {{"one", thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}},
                                      {"two", thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}}};

TEST(PointerMap, FindsEntriesThroughGrowthAndRemoval) {
  PointerMap<int> map;
  std::vector<int> values(10'000);
  EXPECT_EQ(map.find(&values[0]), nullptr);
  for (int& value : values) map.insert(&value, &value);
  for (int& value : values) ASSERT_EQ(map.find(&value), &value);
  EXPECT_EQ(map.find(&map), nullptr);
  for (size_t i = 0; i < values.size(); i += 2) map.remove(&values[i]);
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(map.find(&values[i]), i % 2 ? &values[i] : nullptr);
  map.insert(&values[0], &values[1]);
  EXPECT_EQ(map.find(&values[0]), &values[1]);
}

TEST(PointerMap, ReadersBesideAWriterSeeRightValuesOrNone) {
  PointerMap<int> map;
  std::vector<int> values(20'000);
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    for (size_t i = 0; !stop; i = (i + 7) % values.size()) {
      int* found = map.find(&values[i]);
      EXPECT_TRUE(found == nullptr || found == &values[i]);
    }
  });
  for (int& value : values) map.insert(&value, &value);
  for (int& value : values) map.remove(&value);
  stop = true;
  reader.join();
}

TEST(Registry, TheTwoHalvesOfAModuleMayComeInAnyOrder) {
  reprise_module device{reprise_abi_version, 2, 0, 0, "any-order", kernels, nullptr};
  char stub_one, stub_two;
  HostModule* host = begin_host_module("any-order");
  add_function(*host, &stub_one, "one");
  EXPECT_EQ(find_function(&stub_one)->code(), nullptr) << "not there yet";
  add_device_module(device);
  EXPECT_EQ(find_function(&stub_one)->code(), &kernels[0]);
  add_function(*host, &stub_two, "two");
  EXPECT_EQ(find_function(&stub_two)->code(), &kernels[1]);
  Function* function = find_function(&stub_one);
  EXPECT_EQ(find_function(function_handle(*function)), function);
  end_host_module(host);
  EXPECT_EQ(find_function(&stub_one), nullptr);
  remove_device_module(device);
}

TEST(Registry, EqualNamesInTwoModulesAreKeptApart) {
  constexpr static reprise_kernel other[] = {{"one", thunk, nullptr, 0, 0, 128, 0, 0, 0, 0, 0, 0, 90, {}}};
  reprise_module first{reprise_abi_version, 2, 0, 0, "first", kernels, nullptr};
  reprise_module second{reprise_abi_version, 1, 0, 0, "second", other, nullptr};
  add_device_module(first);
  add_device_module(second);
  char stub_first, stub_second;
  HostModule* host_first = begin_host_module("first");
  HostModule* host_second = begin_host_module("second");
  add_function(*host_first, &stub_first, "one");
  add_function(*host_second, &stub_second, "one");
  EXPECT_EQ(find_function(&stub_first)->code(), &kernels[0]);
  EXPECT_EQ(find_function(&stub_second)->code(), &other[0]);
  end_host_module(host_first);
  end_host_module(host_second);
  remove_device_module(first);
  remove_device_module(second);
}

TEST(Registry, AModuleOfAnotherAbiIsNotUsed) {
  reprise_module future{reprise_abi_version + 1, 2, 0, 0, "future", kernels, nullptr};
  add_device_module(future);
  EXPECT_EQ(find_kernel("future", "one"), nullptr);
}

TEST(Registry, VariablesAreFoundByTheirShadow) {
  static int cells[4];
  const reprise_variable variables[] = {{"cells", cells, sizeof cells, reprise_device_variable, 0, nullptr}};
  reprise_module device{reprise_abi_version, 0, 1, 0, "variables", nullptr, variables};
  add_device_module(device);
  HostModule* host = begin_host_module("variables");
  int shadow[4];
  void* managed = nullptr;
  add_variable(*host, shadow, "cells", sizeof shadow, false);
  add_managed_variable(*host, &managed, "cells", sizeof cells);
  EXPECT_EQ(find_variable(shadow)->address(), cells);
  EXPECT_EQ(find_variable(shadow)->size(), sizeof cells);
  EXPECT_EQ(managed, cells) << "the host's pointer to a managed variable";
  EXPECT_EQ(find_variable(&device), nullptr);
  end_host_module(host);
  remove_device_module(device);
}

TEST(Registry, AShadowThatIsAManagedVariableGetsItsValue) {
  static int first, second, plain = 1;
  const int five = 5;
  const reprise_variable variables[] = {{"first", &first, sizeof(int), reprise_managed_variable, 0, &five},
                                        {"second", &second, sizeof(int), reprise_managed_variable, 0, &five},
                                        {"plain", &plain, sizeof(int), reprise_managed_variable, 0, &five}};
  reprise_module device{reprise_abi_version, 0, 3, 0, "managed", nullptr, variables};
  HostModule* host = begin_host_module("managed");
  add_variable(*host, &first, "first", sizeof(int), false);
  add_device_module(device);
  add_variable(*host, &second, "second", sizeof(int), false);
  EXPECT_EQ(first, 5);
  EXPECT_EQ(second, 5);
  EXPECT_EQ(plain, 1) << "the host's own, with a value of its own";
  end_host_module(host);
  remove_device_module(device);
}

}  // namespace
}  // namespace reprise_runtime::kernel
