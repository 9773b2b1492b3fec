// Reads structures through the pointers that a refused call was given, for the log.
#pragma once

#include <cstddef>
#include <optional>

namespace reprise_runtime::api {

// Copies from any address. Returns false where no memory is readable: the call may have been refused for that very
// pointer.
bool read_anywhere(const void* address, void* out, std::size_t bytes);

template <class Structure>
std::optional<Structure> read_structure(const Structure* address) {
  Structure copy = {};
  if (!address || !read_anywhere(address, &copy, sizeof copy)) return std::nullopt;
  return copy;
}

}  // namespace reprise_runtime::api
