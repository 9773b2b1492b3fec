// Memory imported from other APIs, and what belongs to other hardware.
#include "api/unsupported.h"

#define WHY "there is nothing of that kind on a CPU device"

using reprise::api::entry;
using reprise::diagnose::refuse;

extern "C" {

UNSUPPORTED(cudaExternalMemoryGetMappedBuffer,
            (void**, cudaExternalMemory_t, const cudaExternalMemoryBufferDesc*))
UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray,
            (cudaMipmappedArray_t*, cudaExternalMemory_t, const cudaExternalMemoryMipmappedArrayDesc*))
UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes, (void*, int, int))

// Tables that NVIDIA's own libraries share among themselves.
cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*) {
  return entry([] { return refuse(cudaErrorInvalidValue, "no table has this id"); });
}

// Memory of another API. None can share it with a CPU device.
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t* extMem_out, const cudaExternalMemoryHandleDesc* memHandleDesc) {
  return entry([&] {
    if (!extMem_out || !memHandleDesc) return refuse(cudaErrorInvalidValue, "no description, or no place for the handle");
    if (memHandleDesc->type == cudaExternalMemoryHandleTypeOpaqueFd && memHandleDesc->handle.fd < 0) {
      return refuse(cudaErrorUnknown, "%d is no descriptor", memHandleDesc->handle.fd);
    }
    return refuse(cudaErrorNotSupported, "no other API can share memory with a CPU device");
  });
}

cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t) {
  return entry([] { return refuse(cudaErrorInvalidValue, "there is no external memory"); });
}

}
