// The description of an element of an array or texture: plain data.
#include <cuda_runtime_api.h>

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
}
