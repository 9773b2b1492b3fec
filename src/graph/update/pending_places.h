// Where among the changes that a launch will make those of one node are: asking again for them takes their places, so
// that what waits for the launch does not grow with each call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::graph {

struct PendingPlaces {
  struct Place {
    uint64_t list = 0;  // by its number; of no other it means anything
    size_t at = 0;
  };
  Place arguments, change, enabling;
  uint32_t room =
      0;  // bytes for the arguments of a kernel that its step has, or will have when a list was applied; 0: its own
};

}  // namespace reprise_runtime::graph
