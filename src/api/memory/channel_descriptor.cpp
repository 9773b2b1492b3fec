// Channel descriptors of arrays and textures, which are plain data.
#include <cuda_runtime_api.h>

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
}
