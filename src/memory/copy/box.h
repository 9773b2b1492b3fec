// The boxes of memory that copies and sets process: rows of bytes, `pitch` apart, in slices, `slice` apart.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::memory {

// In bytes, rows and slices.
struct Extent {
  std::size_t width = 0, height = 1, depth = 1;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  bool one_row() const { return height == 1 && depth == 1; }
  std::size_t bytes() const { return width * height * depth; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

// The place of one side of a box.
struct Place {
  char* address = nullptr;
  std::size_t pitch = 0;  // bytes from row to row
  std::size_t slice = 0;  // bytes from slice to slice

  char* row(std::size_t y, std::size_t z) const { return address + y * pitch + z * slice; }
  // Bytes from the first to the last byte of `extent`, inclusive; 0 if empty. Saturates instead of wrapping around.
  std::size_t reach(const Extent& extent) const { return extent.one_row() ? extent.width : reach_of_rows(extent); }

 private:
  std::size_t reach_of_rows(const Extent& extent) const;
};

struct BoxCopy {
  Place to, from;
  Extent extent;
};

struct BoxFill {
  Place to;
  Extent extent;  // width in bytes, a multiple of element_bytes
  std::uint32_t value = 0;
  std::uint32_t element_bytes = 1;  // 1, 2 or 4
};

// The same bytes with as few rows and slices as possible: adjacent rows become one row.
BoxCopy flattened(BoxCopy box);
BoxFill flattened(BoxFill box);

}  // namespace reprise_runtime::memory
