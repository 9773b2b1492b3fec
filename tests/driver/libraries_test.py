#!/usr/bin/env python3
"""Shared libraries with kernels, loaded and unloaded while the program runs."""
import unittest

from driver_case import DriverCase

PLUGIN = r"""
__global__ void add_when_set(volatile int* flag, int* sum) {
  while (*flag == 0) {}
  *sum += 7;
}
__global__ void add(int* sum) { *sum += 7; }
extern "C" void run(volatile int* flag, int* sum, cudaStream_t stream) {
  add_when_set<<<1, 1, 0, stream>>>(flag, sum);
  add<<<1, 1, 0, stream>>>(sum);
}
"""

HOST = r"""
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <chrono>
#include <cstdio>
#include <thread>
int main() {
  int* shared;
  cudaMallocManaged(&shared, 2 * sizeof(int));
  shared[0] = shared[1] = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int round = 0; round < 3; ++round) {
    void* library = dlopen("./libplugin.so", RTLD_NOW);
    if (!library) return std::printf("%s\n", dlerror());
    auto run = reinterpret_cast<void (*)(volatile int*, int*, cudaStream_t)>(dlsym(library, "run"));
    shared[0] = 0;
    run(shared, shared + 1, stream);
    std::thread setter([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      static_cast<volatile int*>(shared)[0] = 1;
    });
    const int closed = dlclose(library);
    const cudaError_t status = cudaStreamSynchronize(stream);
    setter.join();
    std::printf("%d %s %d\n", closed, cudaGetErrorName(status), shared[1]);
  }
}
"""


class Libraries(DriverCase):
    def test_unloading_one_whose_kernels_are_queued_and_running(self):
        self.write("plugin.cu", PLUGIN)
        self.write("host.cu", HOST)
        self.nvcc("-shared", "-Xcompiler", "-fPIC", "plugin.cu", "-o", "libplugin.so")
        self.nvcc("host.cu", "-o", "host", "-ldl")
        self.assertEqual(self.output_of("host"), "0 cudaSuccess 14\n0 cudaSuccess 28\n0 cudaSuccess 42\n")


if __name__ == "__main__":
    unittest.main()
