// The log, which both APIs write to.
#include <cuda_runtime_api.h>

#include "driver/entry/entry.h"

using namespace reprise_runtime;

extern "C" {

CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void* userData, CUlogsCallbackHandle* callback_out) {
  // The two types of function differ in the name of the enumeration alone.
  const auto function = reinterpret_cast<cudaLogsCallback_t>(callbackFunc);
  return driver::entry_anytime([&] { return cudaLogsRegisterCallback(function, userData, callback_out); },
                               ARGUMENTS(callbackFunc, userData, callback_out));
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback) {
  return driver::entry_anytime([&] { return cudaLogsUnregisterCallback(callback); }, ARGUMENTS(callback));
}

CUresult cuLogsCurrent(CUlogIterator* iterator_out, unsigned int flags) {
  return driver::entry_anytime([&] { return cudaLogsCurrent(iterator_out, flags); }, ARGUMENTS(iterator_out, flags));
}

CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* pathToFile, unsigned int flags) {
  return driver::entry_anytime([&] { return cudaLogsDumpToFile(iterator, pathToFile, flags); },
                               ARGUMENTS(iterator, pathToFile, flags));
}

CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
  return driver::entry_anytime([&] { return cudaLogsDumpToMemory(iterator, buffer, size, flags); },
                               ARGUMENTS(iterator, buffer, size, flags));
}
}
