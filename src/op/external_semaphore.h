// External semaphores behind users' handles, and lists of them with the values to signal or wait for.
// Thread safety: all functions may be called from any thread.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/handle_table.h"
#include "base/status.h"
#include "op/semaphore_file.h"

namespace reprise_runtime::op {

class ExternalSemaphore : public Handled<ExternalSemaphore> {
 public:
  static constexpr HandleType handle_type = HandleType::external_semaphore;

  explicit ExternalSemaphore(SemaphoreFile file) : file_(std::move(file)) {}
  const SemaphoreFile& file() const { return file_; }

 private:
  const SemaphoreFile file_;
};

// Takes ownership of the descriptor on success.
cudaError_t import_semaphore(cudaExternalSemaphore_t* handle, const cudaExternalSemaphoreHandleDesc* description);
cudaError_t destroy_semaphore(cudaExternalSemaphore_t handle);

struct SemaphoreValue {
  Ref<ExternalSemaphore> semaphore;
  uint64_t value;
};
using SemaphoreList = std::vector<SemaphoreValue>;

// The semaphores of cudaSignalExternalSemaphoresAsync and cudaWaitExternalSemaphoresAsync.
Result<SemaphoreList> find_semaphores(const cudaExternalSemaphore_t* handles,
                                      const cudaExternalSemaphoreSignalParams* parameters, unsigned count);
Result<SemaphoreList> find_semaphores(const cudaExternalSemaphore_t* handles,
                                      const cudaExternalSemaphoreWaitParams* parameters, unsigned count);

}  // namespace reprise_runtime::op
