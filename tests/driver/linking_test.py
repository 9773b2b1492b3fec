#!/usr/bin/env python3
"""Linking: the runtime, libraries, and relocatable device code."""
import shutil
import unittest

from driver_case import DriverCase, HELLO, PREFIX


class Linking(DriverCase):
    def needed(self, program):
        return self.run_in("-d", self.dir / program, program="readelf").stdout

    def test_the_runtime_is_found_by_runpath(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-o", "hello")
        dynamic = self.needed("hello")
        self.assertIn("[libreprise.so]", dynamic)
        self.assertRegex(dynamic, r"RUNPATH.*" + str(PREFIX))
        self.assertNotIn("RPATH)", dynamic)

    def test_a_static_runtime_needs_no_library(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-cudart", "static", "-o", "hello")
        self.assertNotIn("libreprise", self.needed("hello"))
        self.assertEqual(self.output_of("hello"), "42\n")

    def test_a_static_program_needs_nothing(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-Xcompiler", "-static", "-o", "hello")
        self.assertNotIn("NEEDED", self.run_in("-d", "hello", program="readelf").stdout)
        self.assertEqual(self.output_of("hello"), "42\n")

    def test_without_a_runtime_its_calls_are_missing(self):
        self.write("hello.cu", HELLO)
        done = self.nvcc("hello.cu", "-cudart=none", "-o", "hello", status=1)
        self.assertIn("cudaMalloc", done.stderr)

    def test_lcudart_is_accepted_with_a_toolkits_directory_before_ours(self):
        self.write("toolkit/libcudart.so", "not a library")
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-Ltoolkit", "-lcudart", "-lcuda", "-o", "hello")
        self.assertEqual(self.output_of("hello"), "42\n")

    def test_a_host_program_of_another_compiler_links_with_lcudart(self):
        self.write("host.cpp", r"""
#include <cstdio>
#include <cuda_runtime_api.h>
int main() { int count = 0; return cudaGetDeviceCount(&count) != cudaSuccess || count < 1; }
""")
        self.run_in("host.cpp", f"-I{PREFIX}/include/reprise", f"-L{PREFIX}/lib", "-lcudart", "-o", "host", program="g++")
        self.output_of("host")

    def test_objects_of_the_driver_link_with_another_compiler(self):
        self.write("k.cu", "__global__ void k(int* p) { *p = 5; }\nvoid run(int* p) { k<<<1, 1>>>(p); }\n")
        self.write("m.cpp", r"""
#include <cuda_runtime_api.h>
void run(int*);
int main() { int *p, v = 0; cudaMalloc((void**)&p, 4); run(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); return v != 5; }
""")
        self.nvcc("-c", "k.cu")
        self.run_in("m.cpp", "k.o", f"-I{PREFIX}/include/reprise", f"-L{PREFIX}/lib", "-lcudart", "-o", "m", program="g++")
        self.output_of("m")

    def test_a_shared_library_with_kernels(self):
        self.write("k.cu", "__global__ void k(int* p) { *p = 6; }\nvoid run(int* p) { k<<<1, 1>>>(p); }\n")
        self.write("m.cu", r"""
void run(int*);
int main() { int *p, v = 0; cudaMalloc(&p, 4); run(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); return v != 6; }
""")
        self.nvcc("--shared", "-Xcompiler=-fPIC", "k.cu", "-o", "libk.so")
        self.nvcc("m.cu", "-L.", "-lk", "-Xlinker", "-rpath,.", "-o", "m")
        self.output_of("m")

    def test_xlinker_takes_lists(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-Xlinker", "-z,now", "-Xlinker", "-Map=hello.map", "-o", "hello")
        self.assertIn("BIND_NOW", self.needed("hello"))
        self.assertTrue((self.dir / "hello.map").exists())

    def test_other_linkers_find_the_kernels_too(self):
        self.write("hello.cu", HELLO)
        self.nvcc("-c", "hello.cu")
        sections = self.run_in("-S", "-W", "hello.o", program="readelf").stdout
        self.assertIn(".init_array", sections)
        self.assertNotIn(".ctors", sections)  # which GNU ld alone makes part of a program
        for linker in ("lld", "gold"):
            if not shutil.which("ld." + linker):
                continue
            self.nvcc("hello.o", "-Xcompiler", "-fuse-ld=" + linker, "-Xlinker", "--gc-sections", "-o", linker)
            self.assertEqual(self.output_of(linker), "42\n")

    def test_device_functions_and_variables_across_files(self):
        self.write("a.cu", r"""
#include <cstdio>
extern __device__ int shared_variable;
extern __constant__ int factor;
__device__ int twice(int);
static __device__ int same_name = 1;
__host__ __device__ int both(int x) { return x + 1; }
void set();
__global__ void k(int* p) { *p = factor * twice(shared_variable) + both(0) + same_name; }
int main() {
  set();
  int three = 3, one = 1, v = 0, *p;
  cudaMemcpyToSymbol(shared_variable, &three, sizeof three);
  cudaMemcpyToSymbol(same_name, &one, sizeof one);
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", v);
}
""")
        self.write("b.cu", r"""
__device__ int shared_variable = 100;
__constant__ int factor = 0;
static __device__ int same_name = 7;
__host__ __device__ int both(int x);
__device__ int twice(int x) { return 2 * x + both(same_name) - 8; }
void set() { int ten = 10; cudaMemcpyToSymbol(factor, &ten, sizeof ten); }
""")
        self.nvcc("-rdc=true", "a.cu", "b.cu", "-o", "whole")
        self.assertEqual(self.output_of("whole"), "62\n")
        self.nvcc("-dc", "a.cu", "b.cu")
        self.nvcc("-dlink", "a.o", "b.o", "-o", "device.o")
        self.nvcc("a.o", "b.o", "device.o", "-o", "parts")
        self.assertEqual(self.output_of("parts"), "62\n")


if __name__ == "__main__":
    unittest.main()
