#!/usr/bin/env python3
"""Messages about erroneous programs."""
import unittest

from driver_case import DriverCase, HELLO


class Messages(DriverCase):
    def test_an_error_is_reported_once_at_its_location(self):
        self.write("bad.cu", "int good;\nint main() {\n  return undeclared;\n}\n")
        errors = self.nvcc("-c", "bad.cu", status=1).stderr
        self.assertEqual(errors.count("bad.cu:3:10: error: use of undeclared identifier 'undeclared'"), 1, errors)
        self.assertEqual(errors.count("error:"), 1, errors)
        self.assertIn('1 error detected in the compilation of "bad.cu".', errors)

    def test_an_error_in_device_code_only_is_reported(self):
        self.write("bad.cu", "#ifdef __CUDA_ARCH__\n#error only here\n#endif\n")
        self.assertIn("bad.cu:2:2: error: only here", self.nvcc("-c", "bad.cu", status=1).stderr)

    def test_errors_of_the_device_compiler_name_the_line(self):
        self.write("ptx.cu", '__global__ void k() {\n  asm volatile("wgmma.fence.sync.aligned;");\n}\n')
        errors = self.nvcc("-c", "ptx.cu", status=1).stderr
        self.assertEqual(errors, "ptx.cu:2:3: error: inline PTX is not supported: wgmma.fence.sync.aligned\n")
        self.write("missing.cu", "__device__ int elsewhere();\n__global__ void k(int* p) {\n  *p = elsewhere();\n}\n")
        errors = self.nvcc("-c", "missing.cu", status=1).stderr
        self.assertIn("missing.cu:3:8: error: undefined device function elsewhere()", errors)

    def test_unsupported_features_are_named_at_their_line(self):
        self.write("texture.cu", "__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* p) {\n"
                   "  p[0] = tex2D<float>(t, 0.5f, 0.5f);\n  surf2Dwrite(1.0f, s, 0, 0);\n}\n")
        errors = self.nvcc("-c", "texture.cu", status=1).stderr
        self.assertRegex(errors, r"texture.cu:2:10: error: 'tex2D<.*' is unavailable: textures and surfaces are not supported")
        self.assertRegex(errors, r"texture.cu:3:3: error: 'surf2Dwrite<.*' is unavailable: textures and surfaces are not supported")
        self.assertEqual(errors.count("error:"), 2, errors)
        self.write("matrix.cu", "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k() {\n"
                   "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;\n}\n")
        errors = self.nvcc("-c", "matrix.cu", status=1).stderr
        self.assertRegex(errors, r"matrix.cu:4:9: error: 'fragment<.*' is unavailable: tensor cores \(wmma, mma\) are not supported")
        self.assertEqual(errors.count("error:"), 1, errors)

    def test_too_much_static_shared_memory_is_an_error_at_the_kernel(self):
        text = ("__device__ int more(int i) {\n  __shared__ int values[%d];\n  values[i] = i;\n  __syncthreads();\n  return values[i ^ 1];\n}\n"
                "__global__ void k(int* out) {\n  __shared__ int values[8000], unread[20000];\n  values[threadIdx.x] = unread[threadIdx.x] = 1;\n"
                "  __syncthreads();\n  *out = values[threadIdx.x ^ 1] + more(threadIdx.x);\n}\n")
        self.write("fits.cu", text % 4288)
        self.nvcc("-c", "fits.cu")
        self.write("large.cu", text % 4289)
        for options in ((), ("-rdc=true",)):
            errors = self.nvcc("-c", "large.cu", *options, status=1).stderr
            self.assertIn("large.cu:7: error: the kernel's __shared__ variables take 0xC004 bytes; the limit is 0xC000".lower(), errors.lower())
            self.assertIn("(in k(int*))", errors)
        self.nvcc("-c", "-g", "large.cu")  # may have more than what is used, if nothing is optimised

    def test_a_missing_library_is_named(self):
        for header, name in (("thrust/no_such.h", "such part of Thrust"), ("cub/no_such.cuh", "such part of CUB"), ("cuda/std/no_such", "such part of libcu++")):
            self.write("a.cu", f"\n#include <{header}>\n")
            errors = self.nvcc("-c", "a.cu", status=1).stderr
            self.assertIn(f"a.cu:2:10: fatal error: '{header}' file not found", errors)
            self.assertEqual(errors.count(f"a.cu:2:10: note: Reprise has no {name}"), 1, errors)
        self.write("omp.cu", "#include <omp.h>\n")
        done = self.nvcc("-c", "omp.cu", "-Xcompiler", "-fopenmp", status=None)
        self.assertTrue(done.returncode == 0 or "omp.cu:1:10: note: clang compiles OpenMP in .cu files" in done.stderr, done.stderr)
        self.write("a.cu", "#include <mine.h>\n")
        self.assertNotIn("Reprise has no", self.nvcc("-c", "a.cu", status=1).stderr)

    def test_a_kernel_that_launches_a_kernel_is_explained(self):
        self.write("a.cu", "__global__ void child() {}\n__global__ void parent() {\n  child<<<1, 1>>>();\n}\n")
        errors = self.nvcc("-c", "a.cu", status=1).stderr
        self.assertIn("a.cu:3:3: note: the CPU device does not support launching kernels from kernels (dynamic parallelism)", errors)

    def test_an_error_in_host_code_only_is_reported(self):
        self.write("bad.cu", "#ifndef __CUDA_ARCH__\n#error only here\n#endif\n")
        self.assertIn("bad.cu:2:2: error: only here", self.nvcc("-c", "bad.cu", status=1).stderr)

    def test_a_host_function_called_from_a_kernel_is_an_error_at_the_call(self):
        self.write("bad.cu", "void host();\n__global__ void k() {\n  host();\n}\n")
        self.assertIn("bad.cu:3:3: error:", self.nvcc("-c", "bad.cu", status=1).stderr)

    def test_an_error_in_a_header_names_the_header_and_who_included_it(self):
        self.write("head.h", "\nint x = oops;\n")
        self.write("bad.cu", '#include "head.h"\n')
        errors = self.nvcc("-c", "bad.cu", status=1).stderr
        self.assertEqual(errors.count("In file included from bad.cu:1:"), 1, errors)
        self.assertEqual(errors.count("head.h:2:9: error:"), 1, errors)

    def test_a_warning_is_reported_once_and_can_be_disabled_or_made_an_error(self):
        self.write("warn.cu", "__host__ __device__ int f() { int unused = 1; return 0; }\n")
        warned = self.nvcc("-c", "warn.cu", "-Xcompiler", "-Wall").stderr
        self.assertEqual(warned.count("warning:"), 1, warned)
        self.assertEqual(self.nvcc("-c", "warn.cu", "-Xcompiler", "-Wall", "-w").stderr, "")
        failed = self.nvcc("-c", "warn.cu", "-Xcompiler", "-Wall", "-Werror", "all-warnings", status=1).stderr
        self.assertEqual(failed.count("error: unused variable"), 1, failed)

    def test_a_loop_that_cannot_be_unrolled_gives_no_warning(self):
        self.write("u.cu", "__global__ void k(int* p, int n) {\n  int v = p[threadIdx.x];\n#pragma unroll\n  for (int i = 1; i <= n; i *= 2) {\n"
                   "    int w = __shfl_up_sync(~0u, v, i, n);\n    if (threadIdx.x % 32 >= i) v += w;\n  }\n  p[threadIdx.x] = v;\n}\n")
        self.assertEqual(self.nvcc("-c", "u.cu").stderr, "")

    def test_our_headers_give_no_warnings(self):
        self.write("a.cu", HELLO + "extern __device__ __managed__ int both;\nextern __managed__ int plain;\n")
        self.assertEqual(self.nvcc("-c", "a.cu", "-Xcompiler", "-Wall,-Wextra,-Wconversion,-Wold-style-cast,-pedantic").stderr, "")

    def test_messages_of_several_sources_come_in_their_order(self):
        for name in "abc":
            self.write(f"{name}.cu", f"int {name} = oops_{name};\n")
        errors = self.nvcc("-c", "c.cu", "a.cu", "b.cu", status=1).stderr
        places = [errors.index(f"oops_{name}") for name in "cab"]
        self.assertEqual(places, sorted(places))

    def test_an_error_in_a_cpp_file(self):
        self.write("bad.cpp", "int x = oops;\n")
        self.assertIn("bad.cpp:1:9: error:", self.nvcc("-c", "bad.cpp", status=1).stderr)


if __name__ == "__main__":
    unittest.main()
