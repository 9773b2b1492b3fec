// Writes values to memory and waits for values there, in order: the operations of cuStreamWriteValue32,
// cuStreamWaitValue32, their 64-bit forms and cuStreamBatchMemOp.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include <vector>

#include "base/status.h"
#include "op/context.h"

namespace reprise_runtime::op {

struct BatchMemOp {
  static constexpr unsigned most_operations = 255;

  std::vector<CUstreamBatchMemOpParams> operations;

  // Checks everything but the memory at the addresses: as on an H200, the definition of a graph does not ask for it.
  static Result<BatchMemOp> build(const CUstreamBatchMemOpParams* operations, unsigned count, unsigned flags);
  // The addresses must be device, pinned or registered memory.
  [[nodiscard]] cudaError_t check_addresses() const;

  // Whether it may block.
  bool waits() const;
  // Whether `other` has as many operations, of the same types.
  bool same_types(const BatchMemOp& other) const;

  // A wait blocks its thread only: other work gets another thread.
  void run(const Context& context) const;
};

}  // namespace reprise_runtime::op
