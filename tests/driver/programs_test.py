#!/usr/bin/env python3
"""Programs of one and of many files; target processors."""
import pathlib
import subprocess
import unittest

from driver_case import DriverCase, HELLO


class Programs(DriverCase):
    def test_one_file_becomes_a_program(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-o", "hello")
        self.assertEqual(self.output_of("hello"), "42\n")

    def test_without_o_it_is_a_out(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu")
        self.assertEqual(self.output_of("a.out"), "42\n")

    def test_runs_from_anywhere_with_no_environment(self):
        self.write("hello.cu", HELLO)
        self.nvcc("hello.cu", "-o", "hello")
        done = subprocess.run([self.dir / "hello"], cwd="/", env={}, text=True, capture_output=True)
        self.assertEqual(done.stdout, "42\n", done.stderr)

    def test_sources_objects_and_libraries_of_all_kinds_at_once(self):
        self.write("main.cu", r"""
#include <cstdio>
extern "C" int from_c(); int from_cpp(); int from_cc(); int from_object(); int from_archive(); int from_shared(); int from_cu();
int main() { std::printf("%d\n", from_c() + from_cpp() + from_cc() + from_object() + from_archive() + from_shared() + from_cu()); }
""")
        self.write("a.c", "int from_c(void) { return 1; }\n")
        self.write("b.cpp", "int from_cpp() { return 10; }\n")
        self.write("c.cc", "int from_cc() { return 100; }\n")
        self.write("d.cpp", "int from_object() { return 1000; }\n")
        self.write("e.cpp", "int from_archive() { return 10000; }\n")
        self.write("f.cpp", "int from_shared() { return 100000; }\n")
        self.write("g.cu", "__global__ void k() {}\nint from_cu() { k<<<1, 1>>>(); return cudaDeviceSynchronize() ? 0 : 1000000; }\n")
        self.nvcc("-c", "d.cpp")
        self.nvcc("-lib", "e.cpp", "-o", "libe.a")
        self.nvcc("-shared", "-Xcompiler", "-fPIC", "f.cpp", "-o", "libf.so")
        self.nvcc("main.cu", "a.c", "b.cpp", "c.cc", "d.o", "libe.a", "libf.so", "g.cu", "-o", "all", "-Xlinker", "-rpath=" + str(self.dir))
        self.assertEqual(self.output_of("all"), "1111111\n")

    def test_libraries_are_found_with_L_and_l(self):
        self.write("lib/e.cpp", "int seven() { return 7; }\n")
        self.nvcc("-lib", "lib/e.cpp", "-o", "lib/libe.a")
        self.write("m.cu", '#include <cstdio>\nint seven(); int main() { std::printf("%d\\n", seven()); }\n')
        self.nvcc("m.cu", "-Llib", "-le", "-o", "m")
        self.assertEqual(self.output_of("m"), "7\n")

    def test_static_kernels_of_one_name_in_two_files(self):
        kernel = "static __global__ void k(int* p) {{ *p += {n}; }}\nvoid run{n}(int* p) {{ k<<<1, 1>>>(p); }}\n"
        self.write("a.cu", kernel.format(n=1))
        self.write("b.cu", kernel.format(n=10))
        self.write("m.cu", r"""
#include <cstdio>
void run1(int*); void run10(int*);
int main() { int* p; cudaMallocManaged(&p, 4); *p = 0; run1(p); run10(p); cudaDeviceSynchronize(); std::printf("%d\n", *p); }
""")
        self.nvcc("a.cu", "b.cu", "m.cu", "-o", "m")
        self.assertEqual(self.output_of("m"), "11\n")

    def test_managed_variables_also_static_ones(self):
        self.write("m.cu", r"""
#include <cstdio>
__managed__ int shown = 1;
static __managed__ int hidden = 2;
namespace inner { __managed__ int deep[2] = {3, 4}; }
static __managed__ int of_the_device_alone;
__global__ void k() { shown *= 10, hidden *= 10, inner::deep[1] *= 10, ++of_the_device_alone; }
int main() {
  hidden += 5;
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", shown, hidden, inner::deep[1]);
}
""")
        self.nvcc("m.cu", "-o", "m")
        self.assertEqual(self.output_of("m"), "10 70 40\n")
        self.nvcc("m.cu", "-rdc=true", "-o", "m")
        self.assertEqual(self.output_of("m"), "10 70 40\n")

    def test_one_name_in_two_directories(self):
        for n in (1, 2):
            self.write(f"{n}/x.cu", f"__global__ void k{n}(int* p) {{ *p += {n}; }}\nvoid run{n}(int* p) {{ k{n}<<<1, 1>>>(p); }}\n")
        self.write("m.cu", r"""
#include <cstdio>
void run1(int*); void run2(int*);
int main() { int* p; cudaMallocManaged(&p, 4); *p = 0; run1(p); run2(p); cudaDeviceSynchronize(); std::printf("%d\n", *p); }
""")
        self.nvcc("1/x.cu", "2/x.cu", "m.cu", "-o", "m")
        self.assertEqual(self.output_of("m"), "3\n")

    def test_run_runs_it_and_passes_arguments_and_status_on(self):
        self.write("r.cu", "int main(int argc, char**) { return argc; }\n")
        self.nvcc("r.cu", "-o", "r", "-run", "-run-args", "a,b", status=3)


class Processors(DriverCase):
    def test_march_chooses_the_processor(self):
        self.write("hello.cu", HELLO)
        for name in ("x86-64", "native"):
            self.nvcc("hello.cu", f"-march={name}", "-o", "hello")
            self.assertEqual(self.output_of("hello"), "42\n")

    def test_kernels_for_another_processor_are_explained(self):
        if "avx512_vp2intersect" in pathlib.Path("/proc/cpuinfo").read_text().split():
            self.skipTest("this processor has every instruction set that the test could require")
        self.write("k.cu", r"""
__global__ void k() {}
int main() { k<<<1, 1>>>(); return cudaGetLastError() == cudaErrorNoKernelImageForDevice ? 0 : 1; }
""")
        self.nvcc("k.cu", "-march", "tigerlake", "-O0", "-o", "k")
        said = self.run_in(program=str(self.dir / "k")).stderr
        self.assertIn("compiled for a processor with avx512vp2intersect, which this one lacks", said)


if __name__ == "__main__":
    unittest.main()
