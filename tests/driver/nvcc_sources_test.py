#!/usr/bin/env python3
"""Sources that nvcc accepts and clang alone does not. Tests marked "nvcc too" also pass with
REPRISE_NVCC=/usr/local/cuda/bin/nvcc if they only compile; running a kernel needs a GPU there."""
import unittest

from driver_case import DriverCase


class NvccSources(DriverCase):
    def compiles(self, source, *options):
        self.write("a.cu", source)
        return self.nvcc("-c", "a.cu", *options)

    def prints(self, expected, source, *options):
        self.write("a.cu", source)
        self.nvcc("a.cu", "-o", "a", *options)
        self.assertEqual(self.output_of("a"), expected)

    def test_names_that_only_reprise_used_are_the_users(self):  # nvcc too
        self.compiles(r"""
__device__ unsigned long long __globaltimer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
__device__ unsigned __lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  return lane;
}
__device__ int __place(int a) { return a; }
__global__ void k(unsigned long long* p) { *p = __globaltimer() + __place(3) + __lane_id(); }
""")

    FUNCTIONS_OF_THE_COMPILER = r"""
#include <stdio.h>
extern "C" __device__ void __assertfail(const TYPE* message, const TYPE* file, unsigned line, const TYPE* function, size_t);
extern "C" __device__ void* __nv_associate_access_property(const void*, unsigned long long);
__global__ void k(int* p, bool fail) {
  *(int*)__nv_associate_access_property(p, 0) = 7;
  if (fail) __assertfail("message", "file", 3, "function", sizeof(char));
}
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  k<<<1, 1>>>(p, false);
  cudaDeviceSynchronize();
  printf("%d ", *p);
  k<<<1, 1>>>(p, true);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""

    def test_functions_that_the_compiler_supplies_are_declared_by_the_user(self):
        for kind in ("void", "char"):
            self.prints("7 cudaErrorAssert\n", self.FUNCTIONS_OF_THE_COMPILER, "-DTYPE=" + kind)

    def test_functions_that_the_compiler_supplies_with_relocatable_code(self):
        self.prints("7 cudaErrorAssert\n", self.FUNCTIONS_OF_THE_COMPILER, "-DTYPE=void", "-rdc=true")

    def test_pure_virtual_functions_with_relocatable_code(self):
        self.prints("7\n", r"""
#include <stdio.h>
struct Base {
  __device__ Base(int n);
  __device__ virtual int value() = 0;
  int n;
};
__device__ Base::Base(int n) : n(n) {}
struct Derived : Base {
  __device__ Derived() : Base(7) {}
  __device__ int value() override { return n; }
};
__global__ void k(int* p) {
  Base* b = new Derived;
  *p = b->value();
  delete b;
}
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
}
""", "-rdc=true")

    def test_target_macros_without_parentheses_and_at_file_scope(self):
        self.prints("1 2 4 6 7 9\n", r"""
#include <nv/target>
#include <stdio.h>
NV_IF_ELSE_TARGET(NV_IS_HOST, (enum { in_parentheses = 1 };), (enum { in_parentheses = 2 };))
NV_IF_ELSE_TARGET(NV_IS_HOST, enum { bare = 2 };, enum { bare = 3 };)
__host__ __device__ int one_of_two() { NV_IF_ELSE_TARGET(NV_IS_HOST, return 4;, return 5;) }
__host__ __device__ int none() {
  NV_IF_TARGET(NV_IS_DEVICE, return 5;)
  return 6;
}
__host__ __device__ int of_many() { NV_DISPATCH_TARGET(NV_IS_HOST, return 7;, NV_IS_DEVICE, return 8;) }
__host__ __device__ int with_commas() { NV_IF_TARGET(NV_IS_HOST, (int a = 1, b = 8; return a + b;), (return 0;)) }
int main() {
  printf("%d %d %d %d %d %d\n", in_parentheses, bare, one_of_two(), none(), of_many(), with_commas());
}
""")

    def test_versioned_namespace_of_cooperative_groups(self):  # nvcc too
        self.compiles(r"""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups::__v1;
__global__ void k(int* p) {
  cg::thread_block block = cg::this_thread_block();
  cooperative_groups::thread_block_tile<32> warp = cooperative_groups::__v1::tiled_partition<32>(block);
  cooperative_groups::__v1::sync(block);
  *p = cg::reduce(warp, 1, cg::plus<int>());
}
""")

    def test_traits_of_extended_lambdas_are_constants(self):  # nvcc too
        self.compiles(r"""
template <class F>
bool check(F) {
  constexpr bool any = __nv_is_extended_device_lambda_closure_type(F) ||
                       __nv_is_extended_host_device_lambda_closure_type(F) ||
                       __nv_is_extended_device_lambda_with_preserved_return_type(F);
  return any;
}
bool ordinary = check([] { return 1; });
bool extended = check([] __device__() { return 1; });
template <class, class> struct Two {};
static_assert(!__nv_is_extended_device_lambda_closure_type(int), "");
""", "--extended-lambda")

    # nvcc answers the same, but for the second question about `plain` (no) and the third about `device` (no).
    def test_traits_of_extended_lambdas_tell_device_lambdas_from_others(self):
        self.prints("plain 010 host 010 device 101 typed 101 capture 101 both 010 functor 000 int 000 const 101\n", r"""
#include <stdio.h>
template <class F>
void print(const char* name, const F&) {
  printf("%s %d%d%d", name, __nv_is_extended_device_lambda_closure_type(F),
         __nv_is_extended_host_device_lambda_closure_type(F), __nv_is_extended_device_lambda_with_preserved_return_type(F));
}
struct Functor {
  __device__ int operator()(int) const { return 0; }
};
int main() {
  int x = 3;
  print("plain", [] { return 1; });
  print(" host", [] __host__() { return 1; });
  print(" device", [] __device__() { return 1; });
  print(" typed", [] __device__(int* p) -> int { return *p; });
  print(" capture", [x] __device__(int a, const char*) mutable { return x += a; });
  print(" both", [=] __host__ __device__(int a) { return x + a; });
  print(" functor", Functor{});
  print(" int", 1);
  const auto constant = [] __device__() {};
  printf(" const %d%d%d\n", __nv_is_extended_device_lambda_closure_type(decltype(constant)),
         __nv_is_extended_host_device_lambda_closure_type(decltype(constant)),
         __nv_is_extended_device_lambda_with_preserved_return_type(decltype(constant)));
}
""", "--extended-lambda")

    def test_versioned_nvtx(self):  # nvcc too
        self.compiles(r"""
#include <nvtx3/nvtx3.hpp>
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#error "CUB asks for it"
#endif
struct domain { static constexpr char const* name{"domain"}; };
struct text { static constexpr char const* message{"text"}; };
struct kind { static constexpr char const* name{"kind"}; static constexpr uint32_t id{42}; };
void plain() { NVTX3_V1_FUNC_RANGE(); }
void in_domain() {
  NVTX3_V1_FUNC_RANGE_IN(domain);
  nvtx3::v1::scoped_range_in<domain> range{nvtx3::registered_string_in<domain>::get<text>(), nvtx3::argb{1, 2, 3, 4},
                                           nvtx3::named_category_in<domain>::get<kind>()};
  nvtx3::v1::mark_in<domain>("mark");
}
void if_wanted(bool wanted) { NVTX3_V1_FUNC_RANGE_IF(wanted); }
void if_wanted_in_domain(bool wanted) { NVTX3_V1_FUNC_RANGE_IF_IN(domain, wanted); }
""")

    def test_blanks_between_the_brackets_of_a_launch(self):
        self.prints("7\n", r"""
#include <stdio.h>
#define SAME(...) __VA_ARGS__
#define LAUNCH(kernel, grid, block) kernel << <grid, block >> >
__global__ void add(int* p, int n) { *p += n; }
template <int N> __global__ void add_constant(int* p) { *p += N; }
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  *p = 0;
  add << < 1, 1 >> > (p, 1);
  add<< <1, 1>> >(p, 1); add_constant<2> << <dim3(1), dim3(1) >> >(p);
  SAME(add<<<1, 1 >> > (p, 1);)
  LAUNCH(add, 1, 1)(p, 2);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
}
""")

    def test_a_shift_by_a_comparison_stays_an_error_of_the_user(self):
        self.write("a.cu", "int f(int a) { return a << < 1; }\n")
        done = self.nvcc("-c", "a.cu", status=1)
        self.assertIn("a.cu:1:28: error: expected expression", done.stderr)
        self.assertNotIn("__reprise", done.stderr)

    def test_asm_operands_without_commas(self):
        self.prints("10\n", r"""
#include <stdio.h>
#define ADD(result, a, b) asm("add.u32 %0, %1, %2;" : "=r"(result) : "r"(a) "r"(b))
__global__ void k(unsigned* p) {
  unsigned sum, five, more;
  asm("add.u32 %0, %2, %3; mov.u32 %1, 5;" : "=r"(sum)
      "=r"(five) : "r"(p[0]) "r"((p[1])));
  ADD(more, five, 0u);
  *p = sum + more;
}
int main() {
  unsigned* p;
  cudaMallocManaged(&p, 2 * sizeof(unsigned));
  p[0] = 2, p[1] = 3;
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%u\n", *p);
}
""")

    def test_register_variables(self):  # nvcc too
        source = "int f(register int a) { register int b = a; return b; }\n"
        for standard in ("c++14", "c++17"):
            self.assertEqual(self.compiles(source + "__global__ void k(int* p) { register int i = 3; *p = i; }\n",
                                           "-std=" + standard).stderr, "")
            self.write("b.cpp", source)
            self.nvcc("-c", "b.cpp", "-std=" + standard)

    # nvcc runs neither constructors nor destructors of shared objects; with some it warns.
    SHARED_OBJECTS = r"""
#include <stdio.h>
struct Initialised { int v = 1; };
struct Constexpr { int v; __host__ __device__ constexpr Constexpr() : v(2) {} };
struct Assigning { int v; __device__ Assigning() { v = 3; } };
struct Destroyed { int v; __device__ ~Destroyed() { v = 4; } };
struct Virtual { int v; __device__ Virtual() {} __device__ virtual int get() { return v; } };
struct HostOnly { int v; HostOnly() {} };
template <class T> struct Pair { T a, b; __device__ Pair() : a(), b() {} };
template <class T, int N>
__global__ void k(int* p) {
  __shared__ Initialised initialised;
  __shared__ Constexpr constant[N][2];
  static __shared__ Assigning assigning, twice[2];
  __shared__ Destroyed destroyed;
  __shared__ Virtual with_table;
  __shared__ HostOnly host_only;
  __shared__ alignas(16) Pair<
      T> pair;
  __shared__ volatile int plain;
  if (threadIdx.x == 0) {
    initialised.v = 1, constant[N - 1][1].v = 2, assigning.v = 3, twice[1].v = 4, destroyed.v = 5, with_table.v = 6;
    host_only.v = 7, pair.b = T(8), plain = 9;
  }
  __syncthreads();
  if (threadIdx.x == 31)
    *p = initialised.v + constant[N - 1][1].v + assigning.v + twice[1].v + destroyed.v + with_table.v + host_only.v +
         int(pair.b) + plain;
  static_assert(sizeof(constant) == N * 2 * sizeof(Constexpr), "");
}
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  k<float, 3><<<1, 32>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
}
"""

    def test_shared_objects_with_constructors(self):
        self.prints("45\n", self.SHARED_OBJECTS)

    def test_shared_objects_with_initialisers_stay_errors(self):  # nvcc too
        self.write("a.cu", "struct R { int a; };\n__global__ void k(int* p) { __shared__ R r{}; *p = r.a; }\n")
        self.assertNotEqual(self.nvcc("-c", "a.cu", status=None).returncode, 0)


if __name__ == "__main__":
    unittest.main()
