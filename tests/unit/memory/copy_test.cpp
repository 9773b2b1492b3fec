#include "memory/copy/copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "memory/copy/spread_bytes.h"

namespace reprise_runtime::memory {
namespace {

std::vector<char> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<char> bytes(count);
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

// A box in a buffer, with a margin that must stay unchanged.
struct Layout {
  Extent extent;
  std::size_t pitch, slice, offset;
  std::size_t bytes() const { return offset + slice * extent.depth + 64; }
};

Layout random_layout(std::mt19937& random, Extent extent) {
  Layout layout{extent, extent.width + random() % 3 * (random() % 50), 0, random() % 64};
  layout.slice = layout.pitch * (extent.height + random() % 2 * (random() % 5));
  return layout;
}

TEST(CopyBox, CopiesExactlyTheBoxForAnyShape) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 400; ++trial) {
    const Extent extent{1 + random() % (trial % 50 == 0 ? 400000 : 300), 1 + random() % 9, 1 + random() % 5};
    const Layout from = random_layout(random, extent), to = random_layout(random, extent);
    std::vector<char> source = random_bytes(from.bytes(), trial);
    std::vector<char> target = random_bytes(to.bytes(), trial + 1000);
    std::vector<char> expected = target;
    for (std::size_t z = 0; z < extent.depth; ++z) {
      for (std::size_t y = 0; y < extent.height; ++y) {
        std::memcpy(&expected[to.offset + z * to.slice + y * to.pitch],
                    &source[from.offset + z * from.slice + y * from.pitch], extent.width);
      }
    }
    copy_box({{target.data() + to.offset, to.pitch, to.slice},
              {source.data() + from.offset, from.pitch, from.slice},
              extent});
    ASSERT_EQ(target, expected) << trial;
  }
}

TEST(CopyBox, NothingIsTouchedForAnEmptyExtent) {
  for (Extent extent : {Extent{0, 1, 1}, Extent{1, 0, 1}, Extent{1, 1, 0}}) {
    copy_box({{nullptr, 1, 1}, {nullptr, 1, 1}, extent});
    fill_box({{nullptr, 1, 1}, extent, 1, 1});
  }
}

TEST(CopyBytes, OverlapsAreMovedAtEverySize) {
  for (std::size_t bytes : {std::size_t{100}, 4 * tuning::spread_threshold}) {
    std::vector<char> buffer = random_bytes(bytes + 10, 5), original = buffer;
    copy_bytes(buffer.data() + 7, buffer.data(), bytes);
    EXPECT_EQ(std::memcmp(buffer.data() + 7, original.data(), bytes), 0);
    buffer = original;
    copy_bytes(buffer.data(), buffer.data() + 7, bytes);
    EXPECT_EQ(std::memcmp(buffer.data(), original.data() + 7, bytes), 0);
  }
}

TEST(CopyBytes, LargeCopiesAreWhole) {
  for (std::size_t bytes : {tuning::spread_threshold - 1, tuning::spread_threshold, tuning::spread_threshold + 1,
                            2 * tuning::spread_threshold + 12345}) {
    const std::vector<char> source = random_bytes(bytes, 9);
    std::vector<char> target(bytes + 1, 'x');
    copy_bytes(target.data(), source.data(), bytes);
    EXPECT_EQ(std::memcmp(target.data(), source.data(), bytes), 0);
    EXPECT_EQ(target[bytes], 'x');
  }
}

TEST(FillBox, FillsExactlyTheBoxWithElementsOfAnySize) {
  std::mt19937 random(13);
  for (int trial = 0; trial < 400; ++trial) {
    const std::uint32_t element = 1u << random() % 3;
    const std::uint32_t value = trial % 3 ? static_cast<std::uint32_t>(random()) : 0x2a2a2a2a;
    const Extent extent{element * (1 + random() % (trial % 50 == 0 ? 300000 : 3000)), 1 + random() % 9,
                        1 + random() % 5};
    const Layout to = random_layout(random, extent);
    std::vector<char> target = random_bytes(to.bytes(), trial);
    std::vector<char> expected = target;
    for (std::size_t z = 0; z < extent.depth; ++z) {
      for (std::size_t y = 0; y < extent.height; ++y) {
        for (std::size_t x = 0; x < extent.width; x += element) {
          std::memcpy(&expected[to.offset + z * to.slice + y * to.pitch + x], &value, element);
        }
      }
    }
    fill_box({{target.data() + to.offset, to.pitch, to.slice}, extent, value, element});
    ASSERT_EQ(target, expected) << trial;
  }
}

TEST(Box, FlattensRowsThatTouch) {
  char* p = nullptr;
  const BoxCopy dense{{p, 10, 50}, {p, 10, 50}, {10, 5, 3}};
  EXPECT_EQ(flattened(dense).extent, (Extent{150, 1, 1}));
  const BoxCopy slices{{p, 10, 60}, {p, 10, 50}, {10, 5, 3}};
  EXPECT_EQ(flattened(slices).extent, (Extent{50, 3, 1}));
  EXPECT_EQ(flattened(slices).to.pitch, 60u);
  EXPECT_EQ(flattened(slices).from.pitch, 50u);
  const BoxCopy padded{{p, 11, 55}, {p, 10, 50}, {10, 5, 3}};
  EXPECT_EQ(flattened(padded).extent, (Extent{10, 5, 3}));
}

TEST(Place, ReachSaturates) {
  const Place place{nullptr, SIZE_MAX / 2, 1};
  EXPECT_EQ(place.reach({8, 2, 1}), SIZE_MAX / 2 + 8);
  EXPECT_EQ(place.reach({8, 4, 1}), SIZE_MAX);
  EXPECT_EQ(place.reach({8, 0, 1}), 0u);
}

}  // namespace
}  // namespace reprise_runtime::memory
