#include "memory/copy/box.h"

#include <limits>

namespace reprise_runtime::memory {
namespace {

bool product_plus(std::size_t a, std::size_t b, std::size_t& sum) {
  std::size_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}

// Merges rows into slices and slices into one row if touches(pitch, width) says that both sides are contiguous.
template <class Box, class RowsTouch, class SlicesTouch>
Box flatten(Box box, RowsTouch rows_touch, SlicesTouch slices_touch) {
  Extent& extent = box.extent;
  if (extent.height == 1 || rows_touch(box)) {
    extent.width *= extent.height;
    extent.height = 1;
    if (extent.depth > 1) {
      // `depth` rows remain.
      if (slices_touch(box)) {
        extent.width *= extent.depth;
      } else {
        extent.height = extent.depth;
        box.to.pitch = box.to.slice;
        if constexpr (requires { box.from; }) box.from.pitch = box.from.slice;
      }
      extent.depth = 1;
    }
  }
  return box;
}

}  // namespace

std::size_t Place::reach_of_rows(const Extent& extent) const {
  if (extent.empty()) return 0;
  std::size_t sum = extent.width;
  if (product_plus(extent.height - 1, pitch, sum) && product_plus(extent.depth - 1, slice, sum)) return sum;
  return std::numeric_limits<std::size_t>::max();
}

BoxCopy flattened(BoxCopy box) {
  if (box.extent.empty()) return box;
  return flatten(
      box, [](const BoxCopy& b) { return b.to.pitch == b.extent.width && b.from.pitch == b.extent.width; },
      [](const BoxCopy& b) { return b.to.slice == b.extent.width && b.from.slice == b.extent.width; });
}

BoxFill flattened(BoxFill box) {
  if (box.extent.empty()) return box;
  return flatten(
      box, [](const BoxFill& b) { return b.to.pitch == b.extent.width; },
      [](const BoxFill& b) { return b.to.slice == b.extent.width; });
}

}  // namespace reprise_runtime::memory
