// Refused calls: memory imported from other APIs, and other hardware.
#include "api/unsupported/unsupported.h"

#define WHY "a CPU device does not support it"

using reprise_runtime::diagnose::refuse;

namespace {

cudaError_t check_import(const cudaExternalMemory_t* out, const cudaExternalMemoryHandleDesc* description) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (!description) return refuse(cudaErrorInvalidValue, "the description is null");
  const bool descriptor = description->type == cudaExternalMemoryHandleTypeOpaqueFd;
  if (descriptor && description->handle.fd < 0)
    return refuse(cudaErrorUnknown, "%d is not a file descriptor", description->handle.fd);
  return cudaSuccess;
}

}  // namespace

extern "C" {

UNSUPPORTED_AFTER(cudaImportExternalMemory,
                  (cudaExternalMemory_t * extMem_out, const struct cudaExternalMemoryHandleDesc* memHandleDesc),
                  (extMem_out, memHandleDesc), check_import(extMem_out, memHandleDesc))
UNSUPPORTED_AFTER(cudaDestroyExternalMemory, (cudaExternalMemory_t extMem), (extMem),
                  refuse(cudaErrorInvalidValue, "no external memory can be imported, so this is no handle"))
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
                  (ppExportTable, pExportTableId),
                  refuse(cudaErrorInvalidValue, "there is no export table with this id"))
}
