// Launching a kernel into a stream, with what its attributes ask for beside it.
#pragma once

#include "op/kernel.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// The events that attributes of a launch name; null for those that they do not.
struct EventsOfLaunch {
  Ref<event::Event> begun;      // when all blocks have begun
  Ref<event::Event> triggered;  // when all have triggered, or begun if at_block_start
  bool at_block_start = false;
  bool external = false;

  static Result<EventsOfLaunch> of(const kernel::LaunchAttributes& attributes);
};

// The events that the attributes name are recorded behind the kernel: all its blocks have begun and triggered by then.
[[nodiscard]] cudaError_t launch(Stream& stream, op::Kernel&& kernel);

}  // namespace reprise_runtime::stream
