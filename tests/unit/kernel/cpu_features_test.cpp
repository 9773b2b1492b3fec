// Modules compiled for another processor.
#include "kernel/cpu_features.h"

#include <gtest/gtest.h>

#include "kernel/registry.h"

namespace reprise_runtime::kernel {
namespace {

constexpr uint32_t feature_no_processor_has = 1u << 31;

uint32_t features_of_this_processor() {
  uint32_t features = 0;
  for (uint32_t bit = 0; bit < 31; ++bit)
    if (missing_cpu_features(1u << bit).empty()) features |= 1u << bit;
  return features;
}

TEST(CpuFeatures, NoFeaturesAreNeverMissing) { EXPECT_EQ(missing_cpu_features(0), ""); }

TEST(CpuFeatures, FeaturesOfTheProcessorAreNotMissing) {
  EXPECT_NE(features_of_this_processor(), 0u);
  EXPECT_EQ(missing_cpu_features(features_of_this_processor()), "");
}

TEST(CpuFeatures, EachMissingOneIsNamed) {
  EXPECT_EQ(missing_cpu_features(features_of_this_processor() | feature_no_processor_has | 1u << 30),
            "unknown unknown");
}

TEST(CpuFeatures, KernelsThatNeedMoreAreLeftOut) {
  const reprise_kernel kernel{"needs_more", nullptr, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}};
  const reprise_module able{reprise_abi_version, 1, 0, features_of_this_processor(), "able", &kernel, nullptr};
  const reprise_module unable{reprise_abi_version, 1, 0, feature_no_processor_has, "unable", &kernel, nullptr};
  add_device_module(able);
  testing::internal::CaptureStderr();
  add_device_module(unable);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("which this one lacks"), std::string::npos);
  EXPECT_EQ(find_kernel("able", "needs_more"), &kernel);
  EXPECT_EQ(find_kernel("unable", "needs_more"), nullptr);
  remove_device_module(unable);
  remove_device_module(able);
}

}  // namespace
}  // namespace reprise_runtime::kernel
