// Calls by name, for programs that link with no library of CUDA's.
#include "driver/entry/entry.h"
#include "driver/entry/entry_points.h"

using namespace reprise_runtime;
using diagnose::refuse;

namespace {

constexpr cuuint64_t known_flags = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

cudaError_t look_up(const char* symbol, void** function, int version, cuuint64_t flags,
                    CUdriverProcAddressQueryResult* status) {
  if (!symbol || !function) return refuse(cudaErrorInvalidValue, "the name or the output pointer is null");
  if (version > CUDA_VERSION) return refuse(cudaErrorInvalidValue, "version %d; this is %d", version, CUDA_VERSION);
  if ((flags & ~known_flags) != 0 || flags == known_flags) {
    return refuse(cudaErrorInvalidValue, "unknown flags 0x%llx", static_cast<unsigned long long>(flags));
  }
  const bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  const driver::Found found = driver::find_entry_point(symbol, version, per_thread);
  *function = found.function;
  if (status) {
    *status = found.lookup == driver::Lookup::found          ? CU_GET_PROC_ADDRESS_SUCCESS
              : found.lookup == driver::Lookup::no_such_name ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
                                                             : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* symbolStatus) {
  return driver::entry_anytime([&] { return look_up(symbol, pfn, cudaVersion, flags, symbolStatus); },
                               ARGUMENTS(symbol, pfn, cudaVersion, flags, symbolStatus));
}
}
