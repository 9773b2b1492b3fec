// Statistics of a pool, in bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise {

struct PoolStatistics {
  std::size_t reserved = 0;       // taken from the device
  std::size_t live = 0;           // in use by tensors
  std::size_t peak_reserved = 0;  // the maximum so far
  std::size_t peak_live = 0;
  std::size_t segments = 0;       // allocations from the device
  std::uint64_t allocations = 0;  // requests served since the pool was created
};

}  // namespace reprise
