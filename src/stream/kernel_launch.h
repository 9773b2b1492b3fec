// Launching a kernel into a stream, with the events that its attributes name.
#pragma once

#include "op/kernel.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// The events that the attributes of a launch name, or null.
struct EventsOfAttributes {
  Ref<event::Event> begun;      // when all blocks have begun
  Ref<event::Event> triggered;  // when all have triggered, or begun if at_block_start
  bool at_block_start = false;
  bool external = false;

  static Result<EventsOfAttributes> of(const kernel::LaunchAttributes& attributes);
};

// CUDA_LAUNCH_BLOCKING=1: a launch of a kernel or a graph returns when the work has ended, with the device's error if
// it faulted.
extern const bool launch_blocking;
[[nodiscard]] cudaError_t wait_for_launch(Stream& stream);

// The events that the attributes name are recorded after the kernel, when all its blocks have begun and triggered.
[[nodiscard]] cudaError_t launch(Stream& stream, op::Kernel&& kernel);

}  // namespace reprise_runtime::stream
