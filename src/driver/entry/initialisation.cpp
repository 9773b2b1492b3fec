// Initialisation, version, and the names of results.
#include "diagnose/error_text.h"
#include "driver/entry/entry.h"

using namespace reprise_runtime;

namespace {

cudaError_t name(CUresult error, const char** out, const char* text) {
  if (!out) return diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
  *out = text;
  return text ? cudaSuccess : diagnose::refuse(cudaErrorInvalidValue, "%d is not a CUresult", static_cast<int>(error));
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int Flags) {
  return driver::entry_anytime(
      [&] {
        if (Flags != 0) return diagnose::refuse(cudaErrorInvalidValue, "Flags is 0x%x and must be 0", Flags);
        if (cudaError_t hidden = hidden_devices_error(); hidden != cudaSuccess) {
          return diagnose::refuse(hidden, "CUDA_VISIBLE_DEVICES shows no device");
        }
        initialise_driver();
        return cudaSuccess;
      },
      ARGUMENTS(Flags));
}

CUresult cuDriverGetVersion(int* driverVersion) {
  return driver::entry_anytime(
      [&] {
        if (!driverVersion) return diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
        *driverVersion = CUDA_VERSION;
        return cudaSuccess;
      },
      ARGUMENTS(driverVersion));
}

CUresult cuGetErrorName(CUresult error, const char** pStr) {
  return driver::entry_anytime([&] { return name(error, pStr, diagnose::result_name(error)); }, ARGUMENTS(error, pStr));
}

// The words are those of the runtime's error of the same number.
CUresult cuGetErrorString(CUresult error, const char** pStr) {
  const char* text = diagnose::result_name(error) ? diagnose::error_text(static_cast<cudaError_t>(error)) : nullptr;
  return driver::entry_anytime([&] { return name(error, pStr, text); }, ARGUMENTS(error, pStr));
}
}
