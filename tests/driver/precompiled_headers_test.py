#!/usr/bin/env python3
"""Precompiled headers: --create-pch and --use-pch."""
import filecmp
import os
import unittest

from driver_case import DriverCase


class PrecompiledHeaders(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("mine.h", "#ifndef FACTOR\n#define FACTOR 2\n#endif\n")
        self.write("all.h", """
            #pragma once
            #include <vector>
            #include "mine.h"
            static __device__ int base = 0;
            template <class T> __device__ T times(T x) { return base + FACTOR * x; }
            inline int only_here() { return __CUDACC_VER_MAJOR__; }
        """)
        self.write("a.cu", """
            #include "all.h"
            #include <cstdio>
            __global__ void fill(int* out) { *out = times(21); }
            int main() {
              std::vector<int> host(1);
              int* device;
              cudaMalloc(&device, sizeof(int));
              fill<<<1, 1>>>(device);
              cudaMemcpy(host.data(), device, sizeof(int), cudaMemcpyDeviceToHost);
              std::printf("%d %d\\n", host[0], only_here());
            }
        """)

    def create(self, *options):
        self.nvcc("--create-pch=all.pch", "all.h", *options)

    def test_a_program_from_one(self):
        self.create()
        self.nvcc("--use-pch=all.pch", "a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "42 13\n")

    def test_the_object_is_the_same_as_without(self):
        self.create("-O0")
        self.nvcc("-c", "-O0", "a.cu", "-o", "a.o")
        os.rename(self.dir / "a.o", self.dir / "plain.o")
        self.nvcc("-c", "-O0", "--use-pch", "all.pch", "a.cu", "-o", "a.o")
        self.assertTrue(filecmp.cmp(self.dir / "a.o", self.dir / "plain.o", shallow=False))

    def test_it_is_used_and_not_read_again(self):
        self.create()
        self.write("b.cu", "int main() { return only_here() != 13; }  // nothing is included\n")
        self.nvcc("--use-pch=all.pch", "b.cu", "-o", "b")
        self.output_of("b")

    def test_several_sources_and_host_sources_beside_them(self):
        self.create()
        self.write("b.cu", '#include "all.h"\n__device__ int b() { return times(1); }\n')
        self.write("c.cpp", "int c() { return 0; }\n")
        self.nvcc("--use-pch=all.pch", "a.cu", "b.cu", "c.cpp", "-o", "a")
        self.assertEqual(self.output_of("a"), "42 13\n")

    def test_inline_ptx_is_still_rewritten(self):
        self.create()
        self.write("b.cu", '__global__ void k(unsigned* r) { asm("mov.u32 %0, %laneid;" : "=r"(*r)); *r = times(1); }\n')
        self.nvcc("-c", "--use-pch=all.pch", "b.cu")

    def test_preprocessing_reads_the_text_of_the_header(self):
        self.create()
        self.write("b.cu", "int main() { return only_here(); }\n")
        self.assertIn("inline int only_here() { return 13; }", self.nvcc("-E", "--use-pch=all.pch", "b.cu").stdout)
        self.assertIn("mine.h", self.nvcc("-MM", "--use-pch=all.pch", "b.cu").stdout)

    def test_dependencies_of_the_header_and_of_sources_that_use_it(self):
        self.create("-MMD", "-MF", "deps")
        rule = (self.dir / "deps").read_text()
        self.assertTrue(rule.startswith("all.pch:"), rule)
        self.assertIn("mine.h", rule)
        self.nvcc("-c", "--use-pch=all.pch", "a.cu", "-MMD", "-MF", "deps")
        rule = (self.dir / "deps").read_text()
        self.assertTrue(rule.startswith("a.o:"), rule)
        self.assertIn(" all.pch\n", rule)

    def test_a_header_that_has_changed_is_noticed(self):
        self.create()
        with open(self.dir / "mine.h", "a") as header:
            header.write("#undef FACTOR\n#define FACTOR 3\n")
        said = self.nvcc("--use-pch=all.pch", "a.cu", "-o", "a", status=1).stderr
        self.assertIn("mine.h' has been modified", said)
        self.assertIn("reprise-nvcc: error: the precompiled header 'all.pch' does not match this command: make it again", said)
        self.create()
        self.nvcc("--use-pch=all.pch", "a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "63 13\n")

    def test_other_options_are_noticed(self):
        self.create("-std=c++17")
        for options in (("-DFACTOR=7",), ("-Isomewhere",), ("-default-stream=per-thread",), ("-rdc=true",), ("-G",),
                        ("-arch=sm_80",), ("-use_fast_math",), ("-extended-lambda",), ("-Xcompiler", "-fno-exceptions")):
            line = self.refused("--use-pch=all.pch", "a.cu", "-c", "-std=c++17", *options)
            self.assertIn(f"'all.pch' was made without '{' '.join(options)}'", line)
        self.assertIn("made with '-std=c++17', which this command lacks", self.refused("--use-pch=all.pch", "a.cu", "-c"))
        self.create("-I.", "-Itmp")
        self.assertIn("in another order", self.refused("--use-pch=all.pch", "a.cu", "-c", "-Itmp", "-I."))

    def test_options_that_do_not_affect_headers_may_differ(self):
        self.create("-O2")
        self.nvcc("-c", "--use-pch=all.pch", "a.cu", "-O3", "-g", "-Xcompiler", "-Wall", "-Werror", "all-warnings")

    def test_mismatches_that_clang_finds_are_explained(self):
        self.create()
        said = self.nvcc("-c", "--use-pch=all.pch", "a.cu", "-O0", status=1).stderr
        self.assertIn("__OPTIMIZE__", said)
        self.assertIn("'all.pch' does not match", said)

    def test_a_header_that_does_not_compile_leaves_nothing(self):
        self.write("all.h", "__device__ int f() { return missing; }\n")
        said = self.nvcc("--create-pch=all.pch", "all.h", status=1).stderr
        self.assertEqual(said.count("undeclared identifier"), 1, said)
        self.assertEqual(list(self.dir.glob("all.pch*")), [])
        self.assertIn("no precompiled header 'all.pch'", self.refused("--use-pch=all.pch", "a.cu"))

    def test_one_header_and_nothing_else(self):
        self.assertIn("one header", self.refused("--create-pch=x.pch", "all.h", "mine.h"))
        self.assertIn("takes CUDA C++", self.refused("--create-pch=x.pch", "-x", "c++", "all.h"))
        self.create()
        self.assertIn("cannot be combined", self.refused("--create-pch=x.pch", "all.h", "--use-pch=all.pch"))


if __name__ == "__main__":
    unittest.main()
