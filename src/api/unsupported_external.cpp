// Memory imported from other APIs, and what belongs to other hardware.
#include "api/unsupported.h"

#define WHY "there is nothing of that kind on a CPU device"

using reprise_runtime::diagnose::refuse;

namespace {

cudaError_t check_import(const cudaExternalMemory_t* out, const cudaExternalMemoryHandleDesc* description) {
  if (!out || !description) return refuse(cudaErrorInvalidValue, "no description, or no place for the handle");
  const bool descriptor = description->type == cudaExternalMemoryHandleTypeOpaqueFd;
  if (descriptor && description->handle.fd < 0)
    return refuse(cudaErrorUnknown, "%d is no descriptor", description->handle.fd);
  return cudaSuccess;
}

}  // namespace

extern "C" {

UNSUPPORTED_AFTER(cudaImportExternalMemory,
                  (cudaExternalMemory_t * extMem_out, const cudaExternalMemoryHandleDesc* memHandleDesc),
                  check_import(extMem_out, memHandleDesc))
UNSUPPORTED_AFTER(cudaDestroyExternalMemory, (cudaExternalMemory_t), refuse(cudaErrorInvalidValue, "nobody has one"))
UNSUPPORTED(cudaExternalMemoryGetMappedBuffer, (void**, cudaExternalMemory_t, const cudaExternalMemoryBufferDesc*))
UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray,
            (cudaMipmappedArray_t*, cudaExternalMemory_t, const cudaExternalMemoryMipmappedArrayDesc*))
UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes, (void*, int, int))
UNSUPPORTED_AFTER(cudaGetExportTable, (const void**, const cudaUUID_t*),
                  refuse(cudaErrorInvalidValue, "no table has this id"))
}
