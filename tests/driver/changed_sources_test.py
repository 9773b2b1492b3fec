#!/usr/bin/env python3
"""Sources that nvcc accepts and clang rejects: the driver changes them where clang reports errors and compiles again."""
import unittest

from driver_case import DriverCase, HELLO


class InlinePtx(DriverCase):
    def test_with_single_and_doubled_percents(self):
        self.write("t.cu", r"""
#define SPECIAL(name, r) asm volatile("mov.u32 %0, %" #name ";" : "=r"(r))
__global__ void k(unsigned long long* t, unsigned* r) {
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(*t));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t[1]));
  asm volatile(
      "mov.u32 "
      "%0, %laneid;" : "=r"(*r));
  SPECIAL(laneid, r[1]);
}
""")
        self.nvcc("-c", "t.cu")

    def test_an_error_beside_it_is_at_its_place(self):
        self.write("bad.cu", '__global__ void k(unsigned* r) {\n  asm("mov.u32 %0, %laneid;" : "=r"(*r));\n  oops();\n}\n')
        errors = self.nvcc("-c", "bad.cu", status=1).stderr
        self.assertIn("bad.cu:3:3: error:", errors)
        self.assertEqual(errors.count("error:"), 1, errors)


class ChangedSources(DriverCase):
    def check(self, text, *options, threads=8, first=""):
        """`text` ends within a kernel k, which stores 42 through its parameter."""
        self.write("a.cu", text + "}\n" + HELLO.replace("answer<<<1, 1>>>(device)", f"k<<<1, {threads}>>>(device){first}"))
        self.nvcc("-c", "a.cu", *options)
        self.nvcc("a.o", "-o", "a")
        self.assertEqual(self.output_of("a"), "42\n")

    def check_error(self, text):
        """A wrong line after `text` is the only error, reported at its own location."""
        self.write("wrong.cu", text + "  wrong;\n}\n")
        errors = self.nvcc("-c", "wrong.cu", status=1).stderr
        self.assertIn(f"wrong.cu:{text.count(chr(10)) + 1}:3: error: use of undeclared identifier 'wrong'", errors)
        self.assertEqual(errors.count("error:"), 1, errors)

    def test_shared_variables_aligned_behind_the_word(self):
        self.write("mine.h", "template <class T>\n__device__ int sum(int i) {\n  __shared__ alignas(T) char more[8];\n  more[i] = 1;\n"
                             "  __syncthreads();\n  return more[i ^ 1] + __LINE__;\n}\n")
        text = ('#include <cassert>\n#include "mine.h"\n__global__ void k(int* out) {\n  __shared__ alignas(128) int a[8];\n'
                "  a[threadIdx.x] = sum<double>(threadIdx.x);\n  __syncthreads();\n"
                "  *out = a[threadIdx.x ^ 1] + (reinterpret_cast<unsigned long long>(a) % 128 == 0 ? 35 : 0);\n")
        self.check(text, "-MMD")
        self.assertEqual((self.dir / "a.d").read_text().split(), ["a.o:", "\\", "a.cu", "\\", "mine.h"])
        self.check_error(text)

    def test_shared_variables_aligned_by_macros(self):
        self.write("mine.h", "#define ALIGNED(n) alignas(n)\n#define LINE ALIGNED(128)\nstruct LINE Line {\n  int x;\n};\n"
                             "#define MY_ALIGN alignas\nstruct MY_ALIGN(32) Box {\n  int x;\n};\n#define BOX_ALIGN MY_ALIGN(32)\n")
        self.write("one.h", "__device__ inline int ONE(int i) {\n  __shared__ alignas(64) int more[8];\n  more[i] = 1;\n"
                            "  __syncthreads();\n  return more[i ^ 1];\n}\n")
        text = ('#include "mine.h"\n#define ONE one\n#include "one.h"\n#undef ONE\n#define ONE another\n#include "./one.h"\n'
                "#define ROW(name) __shared__ alignas(256) int name[8]\n"
                "__device__ bool divides(int n, const void* p) { return reinterpret_cast<unsigned long long>(p) % n == 0; }\n"
                "__global__ void k(int* out) {\n  __shared__ LINE int a[8];\n  ROW(b);\n"
                "  __shared__ MY_ALIGN(512) int c[8];\n  __shared__ BOX_ALIGN Box d[8];\n  int alignas(16) e = 0;\n"
                "  b[threadIdx.x] = one(threadIdx.x) + another(threadIdx.x);\n"
                "  c[threadIdx.x] = d[threadIdx.x].x = e;\n"
                "  a[threadIdx.x] = b[threadIdx.x] + alignof(Line) + c[threadIdx.x] + d[threadIdx.x].x;\n  __syncthreads();\n"
                "  *out = a[threadIdx.x ^ 1] - (divides(128, a) && divides(256, b) && divides(512, c) && alignof(Box) == 32 ? 88 : 0);\n")
        self.check(text)
        # Remaining messages refer to the lines as written.
        self.write("wrong.cu", text + "  __shared__ alignas(3) int c;\n}\n")
        errors = self.nvcc("-c", "wrong.cu", status=1).stderr
        self.assertIn("__shared__ alignas(3) int c;", errors)
        self.assertNotIn("_Alignas", errors)

    def test_shared_variables_with_attributes_behind_the_word(self):
        text = ("#define UNUSED [[maybe_unused]]\nUNUSED static int nobody() { return 1; }\n"
                "__global__ void k(int* out) {\n  __shared__ [[maybe_unused]] int a[8];\n  __shared__ UNUSED int b;\n  UNUSED int c = 1;\n"
                "  __shared__ alignas(64) [[nodiscard, maybe_unused]] int d[8];\n  __shared__ [[gnu::aligned(512)]] int e[8];\n"
                "  d[threadIdx.x] = e[threadIdx.x] = 21;\n  __syncthreads();\n\n"
                "  *out = d[threadIdx.x ^ 1] + (reinterpret_cast<unsigned long long>(e) % 512 == 0 ? e[threadIdx.x ^ 1] : 0);\n")
        self.check(text, "-std=c++17", "-Xcompiler", "-Wall", "-Werror", "all-warnings")
        self.check_error(text)

    def test_constructors_of_the_host_stay_there(self):
        self.write("a.cu", "template <class T>\nstruct Box {\n  T held;\n  Box(T x, int) : held(x) {}\n};\n"
                           "__global__ void k(int* out) {\n  Box box{1, 2};\n  *out = box.held;\n}\n")
        errors = self.nvcc("-c", "a.cu", status=1).stderr
        self.assertIn("a.cu:7", errors)
        self.assertNotIn("__host__ __device__ Box", errors)

    def test_deduction_guides_of_host_and_device(self):
        self.write("mine.h", "template <class... F>\nstruct overloaded : F... {\n  using F::operator()...;\n};\n"
                             "template <class... F>\noverloaded(F...) -> overloaded<F...>;\n"
                             "template <class T>\nstruct Box {\n  T held;\n};\ntemplate <class T> Box(T) -> Box<T>;\n")
        text = ('#include <array>\n#include "mine.h"\ntemplate <class T> __host__ __device__ T open(T x) { Box box{x}; return box.held; }\n'
                "__global__ void k(int* out) {\n  overloaded f{[](int x) { return x; }, [](float) { return 1; }};\n"
                "  std::array a{1, 2, 3};\n  *out = f(30) + f(1.0f) + a[2] + open(8);\n")
        self.check(text, threads=1, first="; host = open(1)")
        self.check_error(text)


if __name__ == "__main__":
    unittest.main()
