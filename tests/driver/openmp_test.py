#!/usr/bin/env python3
"""OpenMP in the host code of .cu files."""
import unittest

from driver_case import DriverCase

# 0 + 1 + 2 + 3 from the four threads' numbers, each of which launches one warp.
PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
#ifndef _OPENMP
#error "both passes must have _OPENMP"
#endif
__global__ void count(int* p) { atomicAdd(p, 1); }
int from_other_file();
int main() {
  int *p, n = 0;
  cudaMallocManaged(&p, sizeof(int));
  *p = 0;
#pragma omp parallel num_threads(4) reduction(+ : n)
  {
    n += omp_get_thread_num();
    count<<<1, 32>>>(p);
  }
  cudaDeviceSynchronize();
  printf("%d %d %d\n", n, *p, from_other_file());
}
"""
OTHER = r"""
#include <omp.h>
int from_other_file() {
  int n = 0;
#pragma omp parallel for num_threads(3) reduction(+ : n)
  for (int i = 0; i < 3; ++i) n += omp_get_num_threads();
  return n;
}
"""


class OpenMP(DriverCase):
    def build(self, *options):
        self.write("main.cu", PROGRAM)
        self.write("other.cpp", OTHER)
        self.nvcc("main.cu", "other.cpp", "-o", "program", "-Xcompiler", "-fopenmp", *options)
        self.assertEqual(self.output_of("program"), "6 128 9\n")

    def test_pragmas_and_header_with_Xcompiler(self):
        self.build()

    def test_gccs_library_named_as_well(self):
        self.build("-lgomp")

    def test_gcc_as_host_compiler(self):
        self.build("-ccbin", "g++")

    def test_compiled_and_linked_by_two_commands(self):
        self.write("main.cu", PROGRAM)
        self.write("other.cu", OTHER)
        self.nvcc("-c", "main.cu", "other.cu", "-Xcompiler", "-fopenmp")
        self.nvcc("main.o", "other.o", "-lgomp", "-o", "program")
        self.assertEqual(self.output_of("program"), "6 128 9\n")

    def test_without_the_flag_pragmas_are_ignored(self):
        self.write("a.cu", r"""
#include <stdio.h>
int main() {
  int n = 0;
#pragma omp parallel num_threads(4) reduction(+ : n)
  n += 1;
  printf("%d\n", n);
}
""")
        self.nvcc("a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "1\n")


if __name__ == "__main__":
    unittest.main()
