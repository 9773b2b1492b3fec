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
                  (cudaExternalMemory_t * extMem_out, const struct cudaExternalMemoryHandleDesc* memHandleDesc),
                  (extMem_out, memHandleDesc), check_import(extMem_out, memHandleDesc))
UNSUPPORTED_AFTER(cudaDestroyExternalMemory, (cudaExternalMemory_t extMem), (extMem),
                  refuse(cudaErrorInvalidValue, "nobody has one"))
UNSUPPORTED(cudaExternalMemoryGetMappedBuffer,
            (void** devPtr, cudaExternalMemory_t extMem, const struct cudaExternalMemoryBufferDesc* bufferDesc),
            (devPtr, extMem, bufferDesc))
UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray,
            (cudaMipmappedArray_t * mipmap, cudaExternalMemory_t extMem,
             const struct cudaExternalMemoryMipmappedArrayDesc* mipmapDesc),
            (mipmap, extMem, mipmapDesc))
UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes, (void* nvSciSyncAttrList, int device, int flags),
            (nvSciSyncAttrList, device, flags))
UNSUPPORTED_AFTER(cudaGetExportTable, (const void** ppExportTable, const cudaUUID_t* pExportTableId),
                  (ppExportTable, pExportTableId), refuse(cudaErrorInvalidValue, "no table has this id"))
}
