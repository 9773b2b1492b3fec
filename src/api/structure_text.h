// What is behind a pointer to a structure that a refused call was given.
#pragma once

#include <cstddef>
#include <optional>

namespace reprise_runtime::api {

// Copies from any address: false where there is no memory to read. The call may have been refused for that very
// pointer.
bool read_anywhere(const void* address, void* out, std::size_t bytes);

template <class Structure>
std::optional<Structure> read_structure(const Structure* address) {
  Structure copy;
  if (!address || !read_anywhere(address, &copy, sizeof copy)) return std::nullopt;
  return copy;
}

}  // namespace reprise_runtime::api
