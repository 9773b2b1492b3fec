// Reads the log: positions, dumps to memory and to files.
#include <cstdio>
#include <cstring>

#include "diagnose/log.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::diagnose {
namespace {

// The start of a dump: the user's position, or the oldest message.
uint32_t first_of(const cudaLogIterator* position) { return position ? *position : 0; }

}  // namespace

// The documentation requires flags to be 0; CUDA checks only those of the dump to memory.
cudaError_t current_position(cudaLogIterator* position, unsigned) {
  if (!position) return refuse(cudaErrorInvalidValue, "iterator_out is null");
  *position = Log::instance().next();
  return cudaSuccess;
}

cudaError_t dump_to_file(cudaLogIterator* position, const char* path, unsigned) {
  if (!path) return refuse(cudaErrorInvalidValue, "pathToFile is null");
  std::FILE* file = std::fopen(path, "we");
  if (!file) return refuse(cudaErrorInvalidValue, "cannot write %s", path);
  const Log::Dump dump = Log::instance().dump(first_of(position), SIZE_MAX);
  const bool written = std::fwrite(dump.text.data(), 1, dump.text.size(), file) == dump.text.size();
  if (std::fclose(file) != 0 || !written) return refuse(cudaErrorOperatingSystem, "writing %s failed", path);
  if (position) *position = dump.next;
  return cudaSuccess;
}

cudaError_t dump_to_memory(cudaLogIterator* position, char* buffer, size_t* size, unsigned) {
  if (!buffer) return refuse(cudaErrorInvalidValue, "buffer is null");
  if (!size) return refuse(cudaErrorInvalidValue, "size is null");
  const size_t room = *size;
  *size = 0;
  if (room == 0) return refuse(cudaErrorInvalidValue, "a buffer of 0 bytes holds no message");
  buffer[0] = '\0';
  const Log::Dump dump = Log::instance().dump(first_of(position), room - 1);
  if (!dump.fits) return refuse(cudaErrorInvalidValue, "a buffer of %zu bytes holds no message", room);
  std::memcpy(buffer, dump.text.data(), dump.text.size());
  buffer[dump.text.size()] = '\0';
  *size = dump.text.size();
  if (position) *position = dump.next;
  return cudaSuccess;
}

}  // namespace reprise_runtime::diagnose
