// The log. These calls also work after a fault, when they are needed.
#include "diagnose/log.h"

#include <cuda_runtime_api.h>

#include "api/entry/entry.h"

using namespace reprise_runtime;
using api::entry_always;

extern "C" {

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                     cudaLogsCallbackHandle* callback_out) {
  return entry_always([&] { return diagnose::register_callback(callbackFunc, userData, callback_out); },
                      ARGUMENTS(callbackFunc, userData, callback_out));
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return entry_always([&] { return diagnose::unregister_callback(callback); }, ARGUMENTS(callback));
}

cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags) {
  return entry_always([&] { return diagnose::current_position(iterator_out, flags); }, ARGUMENTS(iterator_out, flags));
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile, unsigned int flags) {
  return entry_always([&] { return diagnose::dump_to_file(iterator, pathToFile, flags); },
                      ARGUMENTS(iterator, pathToFile, flags));
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
  return entry_always([&] { return diagnose::dump_to_memory(iterator, buffer, size, flags); },
                      ARGUMENTS(iterator, buffer, size, flags));
}
}
