// Refused calls: memory of other APIs.
#include "driver/unsupported/unsupported.h"

#define WHY \
  "no other API can share memory with this device; use memory pools or IPC handles to share it between processes"

extern "C" {

UNSUPPORTED(cuImportExternalMemory,
            (CUexternalMemory * extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* memHandleDesc),
            (extMem_out, memHandleDesc))
UNSUPPORTED(cuExternalMemoryGetMappedBuffer,
            (CUdeviceptr * devPtr, CUexternalMemory extMem, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* bufferDesc),
            (devPtr, extMem, bufferDesc))
UNSUPPORTED(cuExternalMemoryGetMappedMipmappedArray,
            (CUmipmappedArray * mipmap, CUexternalMemory extMem,
             const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* mipmapDesc),
            (mipmap, extMem, mipmapDesc))
UNSUPPORTED(cuDestroyExternalMemory, (CUexternalMemory extMem), (extMem))
}
