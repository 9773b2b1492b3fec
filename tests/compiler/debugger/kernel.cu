// Debugged by gdb; CMakeLists.txt refers to its lines.
__global__ void kernel(int* out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int twice = i * 2;
  if (i < n) out[i] = twice;
}

int main() {
  int* out;
  if (cudaMallocManaged(&out, 100 * sizeof(int)) != cudaSuccess) return 1;
  kernel<<<2, 50>>>(out, 100);
  return cudaDeviceSynchronize() == cudaSuccess && out[99] == 198 ? 0 : 1;
}
