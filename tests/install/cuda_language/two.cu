__device__ int two() { return 2; }
