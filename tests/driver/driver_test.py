#!/usr/bin/env python3
"""reprise-nvcc's command line. REPRISE_NVCC names the driver under test; every case works in a directory of its own.

    REPRISE_NVCC=build/bin/reprise-nvcc tests/driver/driver_test.py [Case.test ...]
"""
import filecmp
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

NVCC = os.path.abspath(os.environ.get("REPRISE_NVCC", "build/bin/reprise-nvcc"))
PREFIX = pathlib.Path(NVCC).parent.parent

HELLO = r"""
#include <cstdio>
__global__ void answer(int* out) { *out = 42; }
int main() {
  int *device, host = 0;
  cudaMalloc(&device, sizeof(int));
  answer<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  return host != 42;
}
"""


class DriverCase(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.tmp = self.dir / "tmp"
        self.tmp.mkdir()
        self.env = {**os.environ, "TMPDIR": str(self.tmp), "LC_ALL": "C"}
        # MAKE*: under `make test` a make of a test's own would take itself for a part of that one.
        for name in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "REPRISE_CLANG", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
            self.env.pop(name, None)

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_in(self, *words, status=0, program=NVCC, text=""):
        done = subprocess.run([program, *map(str, words)], cwd=self.dir, env=self.env, text=True, capture_output=True, input=text)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def nvcc(self, *words, status=0, text=""):
        return self.run_in(*words, status=status, text=text)

    def refused(self, *words):
        """The driver's one line of refusal."""
        lines = self.nvcc(*words, status=1).stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("reprise-nvcc: error: "), lines)
        return lines[0]

    def output_of(self, program, *words):
        return self.run_in(*words, program=str(self.dir / program)).stdout


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

    def test_kernels_for_a_processor_that_is_not_there_say_so(self):
        if "avx512_vp2intersect" in pathlib.Path("/proc/cpuinfo").read_text().split():
            self.skipTest("this processor has all that can be asked for")
        self.write("k.cu", r"""
__global__ void k() {}
int main() { k<<<1, 1>>>(); return cudaGetLastError() == cudaErrorNoKernelImageForDevice ? 0 : 1; }
""")
        self.nvcc("k.cu", "-march", "tigerlake", "-O0", "-o", "k")
        said = self.run_in(program=str(self.dir / "k")).stderr
        self.assertIn("compiled for a processor with avx512vp2intersect, which this one lacks", said)


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


class Outputs(DriverCase):
    def test_c_makes_an_object_for_each_source(self):
        self.write("a.cu", "__global__ void a() {}\n")
        self.write("sub/b.cu", "__global__ void b() {}\n")
        self.nvcc("-c", "a.cu", "sub/b.cu")
        self.assertTrue((self.dir / "a.o").exists() and (self.dir / "b.o").exists())

    def test_objects_go_to_odir(self):
        self.write("a.cu", "__global__ void a() {}\n")
        (self.dir / "out").mkdir()
        self.nvcc("-c", "a.cu", "-odir", "out")
        self.assertTrue((self.dir / "out/a.o").exists())

    def test_one_output_for_two_sources_is_refused(self):
        self.write("a.cu", "")
        self.write("b.cu", "")
        self.assertIn("2 inputs", self.refused("-c", "a.cu", "b.cu", "-o", "x.o"))

    def test_the_same_command_makes_the_same_object(self):
        self.write("a.cu", HELLO + '__device__ unsigned now() { unsigned t; asm("mov.u32 %0, %laneid;" : "=r"(t)); return t; }\n__global__ void k(unsigned* p) { *p = now(); }\n')
        self.nvcc("-c", "a.cu", "-o", "a.o", "-g")
        (self.dir / "a.o").rename(self.dir / "first.o")
        self.nvcc("-c", "a.cu", "-o", "a.o", "-g")
        self.assertTrue(filecmp.cmp(self.dir / "first.o", self.dir / "a.o", shallow=False))

    def test_E_preprocesses_as_the_device_sees_it(self):
        self.write("a.cu", "#define NAME value\nint NAME = __CUDA_ARCH__;\n")
        self.assertIn("int value = 750;", self.nvcc("-E", "a.cu").stdout)
        self.nvcc("-E", "a.cu", "-o", "a.ii")
        self.assertIn("int value = 750;", (self.dir / "a.ii").read_text())

    def test_dryrun_lists_and_does_nothing(self):
        self.write("hello.cu", HELLO)
        done = self.nvcc("--dryrun", "hello.cu", "-o", "hello")
        self.assertFalse((self.dir / "hello").exists())
        commands = [line for line in done.stderr.splitlines() if line.startswith("#$ /")]
        self.assertTrue(all(line.startswith("#$ ") for line in done.stderr.splitlines()))
        self.assertIn("reprise-device-cc", done.stderr)
        self.assertTrue(commands[-1].endswith("-o hello"), commands)

    def test_v_lists_what_it_does(self):
        self.write("hello.cu", HELLO)
        self.assertIn("#$ ld -r", self.nvcc("-v", "hello.cu", "-o", "hello").stderr)
        self.assertEqual(self.output_of("hello"), "42\n")

    def test_temporary_files_are_removed_after_success_and_failure(self):
        self.write("good.cu", HELLO)
        self.write("bad.cu", "int main() { return undeclared; }\n")
        self.nvcc("good.cu", "-o", "good")
        self.assertEqual(list(self.tmp.iterdir()), [])
        self.nvcc("bad.cu", "-o", "bad", status=1)
        self.assertEqual(list(self.tmp.iterdir()), [])
        self.assertFalse((self.dir / "bad").exists())

    def test_temporary_files_are_removed_when_a_signal_ends_it(self):
        self.write("hello.cu", HELLO)
        self.write("clang", "#!/bin/sh\necho started >> started\nexec sleep 1000\n").chmod(0o755)
        self.env["REPRISE_CLANG"] = str(self.dir / "clang")
        driver = subprocess.Popen([NVCC, "hello.cu"], cwd=self.dir, env=self.env)
        while not (self.dir / "started").exists() or len((self.dir / "started").read_text().split()) < 2:
            self.assertIsNone(driver.poll())
            time.sleep(0.01)
        driver.send_signal(signal.SIGTERM)
        self.assertEqual(driver.wait(), -signal.SIGTERM)
        self.assertEqual(list(self.tmp.iterdir()), [])

    def test_keep_leaves_intermediate_files(self):
        self.write("hello.cu", HELLO)
        self.nvcc("--keep", "--keep-dir", "kept", "hello.cu", "-o", "hello")
        self.assertTrue((self.dir / "kept/hello.device.bc").exists())


class Messages(DriverCase):
    def test_an_error_is_said_once_at_its_place(self):
        self.write("bad.cu", "int good;\nint main() {\n  return undeclared;\n}\n")
        errors = self.nvcc("-c", "bad.cu", status=1).stderr
        self.assertEqual(errors.count("bad.cu:3:10: error: use of undeclared identifier 'undeclared'"), 1, errors)
        self.assertEqual(errors.count("error:"), 1, errors)
        self.assertIn('1 error detected in the compilation of "bad.cu".', errors)

    def test_an_error_of_the_device_alone_is_said(self):
        self.write("bad.cu", "#ifdef __CUDA_ARCH__\n#error only here\n#endif\n")
        self.assertIn("bad.cu:2:2: error: only here", self.nvcc("-c", "bad.cu", status=1).stderr)

    def test_what_the_device_compiler_refuses_is_said_at_its_line(self):
        self.write("ptx.cu", '__global__ void k() {\n  asm volatile("wgmma.fence.sync.aligned;");\n}\n')
        errors = self.nvcc("-c", "ptx.cu", status=1).stderr
        self.assertEqual(errors, "ptx.cu:2:3: error: inline PTX is not supported: wgmma.fence.sync.aligned\n")
        self.write("missing.cu", "__device__ int elsewhere();\n__global__ void k(int* p) {\n  *p = elsewhere();\n}\n")
        errors = self.nvcc("-c", "missing.cu", status=1).stderr
        self.assertIn("missing.cu:3:8: error: undefined device function elsewhere()", errors)

    def test_what_the_cpu_device_has_not_is_named_at_its_line(self):
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
            self.assertIn("large.cu:7: error: the kernel's __shared__ variables take 0xC004 bytes, 0xC000 is the most".lower(), errors.lower())
            self.assertIn("(in k(int*))", errors)
        self.nvcc("-c", "-g", "large.cu")  # may have more than what is used, if nothing is optimised

    def test_a_library_that_is_not_there_is_named(self):
        for header, name in (("thrust/no_such.h", "Thrust"), ("cub/no_such.cuh", "CUB"), ("cuda/std/ranges", "such part of libcu++")):
            self.write("a.cu", f"\n#include <{header}>\n")
            errors = self.nvcc("-c", "a.cu", status=1).stderr
            self.assertIn(f"a.cu:2:10: fatal error: '{header}' file not found", errors)
            self.assertEqual(errors.count(f"a.cu:2:10: note: Reprise has no {name}"), 1, errors)
        self.write("omp.cu", "#include <omp.h>\n")
        done = self.nvcc("-c", "omp.cu", "-Xcompiler", "-fopenmp", status=None)
        self.assertTrue(done.returncode == 0 or "omp.cu:1:10: note: OpenMP in .cu files is clang's" in done.stderr, done.stderr)
        self.write("a.cu", "#include <mine.h>\n")
        self.assertNotIn("Reprise has no", self.nvcc("-c", "a.cu", status=1).stderr)

    def test_a_kernel_that_launches_a_kernel_is_told_why_not(self):
        self.write("a.cu", "__global__ void child() {}\n__global__ void parent() {\n  child<<<1, 1>>>();\n}\n")
        errors = self.nvcc("-c", "a.cu", status=1).stderr
        self.assertIn("a.cu:3:3: note: kernels launched by kernels (dynamic parallelism) are not supported", errors)

    def test_an_error_of_the_host_alone_is_said(self):
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

    def test_a_warning_is_said_once_and_can_be_silenced_or_made_an_error(self):
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


class Refusals(DriverCase):
    def test_unknown_options(self):
        self.write("a.cu", "")
        self.assertIn("unknown option '-Wall' (an option for the host compiler goes behind -Xcompiler)", self.refused("-Wall", "a.cu"))
        self.assertIn("--no-such", self.refused("--no-such", "a.cu"))
        for joined in ("-oprogram", "-xcu"):  # nvcc wants these apart
            self.assertIn(joined, self.refused(joined, "a.cu"))

    def test_unknown_options_are_forwarded_when_asked(self):
        self.write("a.cu", "#ifndef _REENTRANT\n#error\n#endif\n")
        self.nvcc("-forward-unknown-to-host-compiler", "-pthread", "-c", "a.cu")

    def test_no_inputs(self):
        self.assertIn("no input files", self.refused("-c"))

    def test_a_missing_file(self):
        self.assertIn("no such file: 'none.cu'", self.refused("none.cu"))

    def test_a_file_of_no_known_kind(self):
        self.write("a.xyz", "")
        self.assertIn("don't know what to do with 'a.xyz'", self.refused("a.xyz"))

    def test_output_for_a_gpu(self):
        self.write("a.cu", "")
        for option in ("-ptx", "-cubin", "-fatbin", "--optix-ir"):
            self.assertIn("compiled for the CPU", self.refused(option, "a.cu"))

    def test_values_that_are_none(self):
        self.write("a.cu", "")
        for words in (["-O7"], ["-x", "fortran"], ["-cudart", "dynamic"], ["-rdc=maybe"], ["-arch=sm_x"], ["-arch=avx2"], ["-default-stream", "new"],
                      ["-t", "many"], ["-gencode", "code=sm_90"], ["-Werror", "nothing"], ["-std=c++03"]):
            self.refused(*words, "a.cu")
        self.assertIn("expects an argument", self.refused("a.cu", "-o"))
        self.assertIn("takes no argument", self.refused("a.cu", "-c=yes"))

    def test_a_missing_clang_is_named(self):
        self.write("a.cu", "")
        self.env["REPRISE_CLANG"] = "/nowhere/clang++"
        self.assertIn("REPRISE_CLANG names '/nowhere/clang++'", self.refused("a.cu"))


class Options(DriverCase):
    def compiles(self, text, *words):
        self.write("t.cu", text)
        self.nvcc("-c", "t.cu", *words)

    def preprocesses(self, text, *words):
        """Both passes read `text` without an #error. Quicker than compiling."""
        self.write("t.cu", text)
        self.nvcc("-M", "t.cu", *words)

    def test_macros_reach_both_passes(self):
        self.preprocesses("#if ONE != 1 || TWO != 2 || defined(GONE) || THREE != 3\n#error\n#endif\n",
                      "-DONE", "-D", "TWO=2,THREE=3", "-DGONE", "-U", "GONE")

    def test_a_macro_with_a_string_that_has_a_comma(self):
        self.compiles('static_assert(sizeof(TEXT) == 4, "");\n', '-DTEXT="a,b"')

    def test_include_paths(self):
        self.write("one/one.h", "#define ONE 1\n")
        self.write("two dir/two.h", "#define TWO 2\n")
        self.write("three/three.h", "#define THREE 3\nint never() {}\n")
        self.write("four.h", "#define FOUR 4\n")
        self.preprocesses('#include "one.h"\n#include <two.h>\n#include <three.h>\n#if ONE + TWO + THREE + FOUR != 10\n#error\n#endif\n',
                      "-Ione", "--include-path", "two dir", "-isystem=three", "-include", "four.h")

    def test_a_toolkits_headers_come_after_ours(self):
        self.write("toolkit/cuda_runtime_api.h", "#error NVIDIA's\n")
        self.write("toolkit/cuda_runtime.h", "#error NVIDIA's\n")
        self.write("toolkit/other.h", "#define OTHER 1\n")
        self.preprocesses("#include <cuda_runtime.h>\n#include <cuda_runtime_api.h>\n#include <other.h>\n#if !OTHER\n#error\n#endif\n", "-Itoolkit")

    def test_the_ways_to_write_an_option(self):
        check = "#if __cplusplus != 202002L\n#error\n#endif\n"
        for words in (["-std=c++20"], ["-std", "c++20"], ["--std=c++20"], ["--std", "c++20"]):
            self.preprocesses(check, *words)

    def test_options_from_files_and_the_environment(self):
        self.write("options", "-DONE=1 -D 'TWO=2'\n@more\n")
        self.write("more", '-DTHREE="3"')
        self.write("again", "-DFOUR=4")
        self.env["NVCC_PREPEND_FLAGS"] = "-DFIVE=5"
        self.env["NVCC_APPEND_FLAGS"] = "-DSIX=6"
        self.preprocesses("#if ONE + TWO + THREE + FOUR + FIVE + SIX != 21\n#error\n#endif\n", "@options", "--options-file", "again")

    def test_cuda_arch_is_what_was_asked_for(self):
        check = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != {}\n#error\n#endif\n"
        self.preprocesses(check.format(750))
        self.preprocesses(check.format(900), "-arch=sm_90")
        self.preprocesses(check.format(800), "-arch", "compute_80", "-code", "sm_80,compute_80")
        self.preprocesses(check.format(1200), "-arch=sm_120")
        self.preprocesses(check.format(900), "-gencode", "arch=compute_75,code=sm_75", "-gencode=arch=compute_90a,code=[sm_90a,compute_90a]")
        self.preprocesses("#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)\n#error\n#endif\n", "-arch=sm_90a")

    def test_what_nvcc_defines(self):
        self.preprocesses("#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ != 13 || defined(__CUDACC_RDC__)\n#error\n#endif\n")
        self.preprocesses("#ifndef __CUDACC_RDC__\n#error\n#endif\n", "-rdc=true")
        self.preprocesses("#ifndef __CUDACC_EXTENDED_LAMBDA__\n#error\n#endif\n", "--expt-extended-lambda")
        self.preprocesses("#ifndef __CUDACC_RELAXED_CONSTEXPR__\n#error\n#endif\n", "--expt-relaxed-constexpr")
        self.preprocesses("#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM\n#error\n#endif\n", "-default-stream", "per-thread")

    def test_x_cu_makes_cuda_of_any_file(self):
        self.write("k.cpp", "__global__ void k() {}\n#ifndef __CUDACC__\n#error\n#endif\n")
        self.nvcc("-x", "cu", "-c", "k.cpp")
        self.nvcc("-c", "-x=cu", "k.cpp")

    def test_standard_input_is_a_source(self):
        self.write("mine.h", "#define PTX \"mov.u64 %0, %globaltimer;\"\n")
        kernel = '#include "mine.h"\n__global__ void k(unsigned long long* t) { asm volatile(PTX : "=l"(*t)); }\n'
        self.write("rest.cpp", "int answer();\nint main() { return answer() - 42; }\n")
        self.nvcc("-x", "cu", "-", "-o", "p", text=kernel + HELLO)
        self.assertEqual(self.output_of("p"), "42\n")
        self.nvcc("-x", "c++", "-", "rest.cpp", "-o", "q", text="int answer() { return 42; }\n")
        self.output_of("q")
        self.nvcc("-x", "cu", "-c", "-MMD", "-", text=kernel)
        self.assertTrue((self.dir / "stdin.o").exists())
        self.assertEqual((self.dir / "stdin.d").read_text().split(), ["stdin.o:", "\\", "mine.h"])
        self.assertIn("void k(", self.nvcc("-x", "cu", "-E", "-", text=kernel).stdout)
        self.assertIn("<stdin>:2:20: error:", self.nvcc("-x", "cu", "-", status=1, text="\n__device__ int a = wrong;\n").stderr)
        self.assertIn("don't know what to do with '-'", self.refused("-"))
        self.assertIn("read once", self.refused("-x", "cu", "-", "-"))
        self.assertIn("not standard input", self.refused("-create-pch=a.pch", "-"))
        self.assertEqual(list(self.tmp.iterdir()), [])

    def test_a_cpp_file_is_no_cuda(self):
        self.write("h.cpp", "#ifdef __CUDACC__\n#error\n#endif\n#include <cuda_runtime.h>\nint f() { return cudaSuccess; }\n")
        self.nvcc("-c", "h.cpp")

    def test_ccbin_compiles_cpp_files(self):
        self.write("h.cpp", "#ifdef __clang__\n#error\n#endif\n")
        self.nvcc("-ccbin", "g++", "-c", "h.cpp")
        self.nvcc("-ccbin=/usr/bin", "-c", "h.cpp")
        self.assertIn("-ccbin", self.refused("-ccbin", "/nowhere", "-c", "h.cpp"))

    def test_xcompiler_reaches_the_host_and_not_the_device_code(self):
        self.preprocesses("#if !defined(__AVX2__) && !defined(__CUDA_ARCH__)\n#error\n#endif\n", "-Xcompiler", "-mavx2 -O1,-fopenmp", "--compiler-options=-fno-strict-aliasing")

    def test_options_that_tune_a_gpu_are_accepted_in_silence(self):
        self.write("a.cu", "__global__ void k() {}\n")
        done = self.nvcc("-c", "a.cu", "-m64", "-O3", "-G", "-g", "-lineinfo", "-Xptxas", "-v,-O3", "-maxrregcount", "64", "--maxrregcount=32", "-use_fast_math",
                         "--fmad=false", "-ftz=true", "-prec-div=false", "--threads", "2", "-t0", "-Wno-deprecated-gpu-targets", "--resource-usage",
                         "-diag-suppress", "177,20012", "-Xcudafe", "--diag_suppress=177,--display_error_number", "-Xnvlink=-v", "--extra-device-vectorization", "-dlto", "--split-compile=0")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_inline_ptx_with_single_and_doubled_percents(self):
        self.compiles(r"""
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

    def test_an_error_beside_inline_ptx_is_at_its_place(self):
        self.write("bad.cu", '__global__ void k(unsigned* r) {\n  asm("mov.u32 %0, %laneid;" : "=r"(*r));\n  oops();\n}\n')
        errors = self.nvcc("-c", "bad.cu", status=1).stderr
        self.assertIn("bad.cu:3:3: error:", errors)
        self.assertEqual(errors.count("error:"), 1, errors)

    def test_shared_variables_aligned_behind_the_word(self):
        self.write("mine.h", "template <class T>\n__device__ int sum(int i) {\n  __shared__ alignas(T) char more[8];\n  more[i] = 1;\n"
                             "  __syncthreads();\n  return more[i ^ 1] + __LINE__;\n}\n")
        text = ('#include <cassert>\n#include "mine.h"\n__global__ void k(int* out) {\n  __shared__ alignas(128) int a[8];\n'
                "  a[threadIdx.x] = sum<double>(threadIdx.x);\n  __syncthreads();\n"
                "  *out = a[threadIdx.x ^ 1] + (reinterpret_cast<unsigned long long>(a) %% 128 == 0 ? 35 : 0);\n%s}\n")
        self.write("a.cu", text % "" + HELLO.replace("answer<<<1, 1>>>(device)", "k<<<1, 8>>>(device)"))
        self.nvcc("-c", "a.cu", "-MMD")
        self.nvcc("a.o", "-o", "a")
        self.assertEqual(self.output_of("a"), "42\n")
        self.assertEqual((self.dir / "a.d").read_text().split(), ["a.o:", "\\", "a.cu", "\\", "mine.h"])
        self.write("wrong.cu", text % "  wrong;\n")
        errors = self.nvcc("-c", "wrong.cu", status=1).stderr
        self.assertIn("wrong.cu:8:3: error: use of undeclared identifier 'wrong'", errors)
        self.assertEqual(errors.count("error:"), 1, errors)

    def test_shared_variables_aligned_by_macros(self):
        self.write("mine.h", "#define ALIGNED(n) alignas(n)\n#define LINE ALIGNED(128)\nstruct LINE Line {\n  int x;\n};\n")
        self.write("one.h", "__device__ inline int ONE(int i) {\n  __shared__ alignas(64) int more[8];\n  more[i] = 1;\n"
                            "  __syncthreads();\n  return more[i ^ 1];\n}\n")
        text = ('#include "mine.h"\n#define ONE one\n#include "one.h"\n#undef ONE\n#define ONE another\n#include "./one.h"\n'
                "#define ROW(name) __shared__ alignas(256) int name[8]\n"
                "__device__ bool divides(int n, const void* p) { return reinterpret_cast<unsigned long long>(p) %% n == 0; }\n"
                "__global__ void k(int* out) {\n  __shared__ LINE int a[8];\n  ROW(b);\n"
                "  b[threadIdx.x] = one(threadIdx.x) + another(threadIdx.x);\n"
                "  a[threadIdx.x] = b[threadIdx.x] + alignof(Line);\n  __syncthreads();\n"
                "  *out = a[threadIdx.x ^ 1] - (divides(128, a) && divides(256, b) ? 88 : 0);\n%s}\n")
        self.write("a.cu", text % "" + HELLO.replace("answer<<<1, 1>>>(device)", "k<<<1, 8>>>(device)"))
        self.nvcc("a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "42\n")
        # What cannot be helped is told of the lines as they were written.
        self.write("wrong.cu", text % "  __shared__ [[wrong]] int c;\n")
        errors = self.nvcc("-c", "wrong.cu", status=1).stderr
        self.assertIn("__shared__ [[wrong]] int c;", errors)
        self.assertNotIn("__host__ __device__ [[wrong]]", errors)
        self.write("macro.cu", "#define MY_ALIGN alignas\nstruct MY_ALIGN(16) S {};\n__global__ void k() {\n  __shared__ MY_ALIGN(16) int a;\n  a = 1;\n}\n")
        errors = self.nvcc("-c", "macro.cu", status=1).stderr
        self.assertIn("macro.cu:4:14: error: an attribute list cannot appear here", errors)
        self.assertNotIn("_Alignas", errors)

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
                "  std::array a{1, 2, 3};\n  *out = f(30) + f(1.0f) + a[2] + open(8);\n%s}\n")
        self.write("a.cu", text % "" + HELLO.replace("answer<<<1, 1>>>(device)", "k<<<1, 1>>>(device); host = open(1)"))
        self.nvcc("a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "42\n")
        self.write("wrong.cu", text % "  wrong;\n")
        errors = self.nvcc("-c", "wrong.cu", status=1).stderr
        self.assertIn("wrong.cu:8:3: error: use of undeclared identifier 'wrong'", errors)
        self.assertEqual(errors.count("error:"), 1, errors)

    def test_help_and_version(self):
        self.assertIn("reprise-nvcc [options] file...", self.nvcc("--help").stdout)
        for spelled in ("--version", "-V"):
            self.assertIn("release 13.0, V13.0.", self.nvcc(spelled).stdout)
        self.assertIn("compute_90", self.nvcc("--list-gpu-arch").stdout.split())

    def test_every_option_in_the_help_is_one(self):
        import re
        self.write("a.cu", "")
        for line in self.nvcc("--help").stdout.splitlines():
            if not line.startswith("  -"):
                continue
            for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line[2:].split("   ")[0]):
                said = self.nvcc("--dryrun", "a.cu", option, "x", status=None).stderr
                self.assertNotIn("unknown option", said)


class DependencyFiles(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("both.h", "")
        self.write("device.h", "")
        self.write("host.h", "")
        self.write("a.cu", '#include "both.h"\n#include <cstdio>\n#ifdef __CUDA_ARCH__\n#include "device.h"\n#else\n#include "host.h"\n#endif\n')

    def check(self, rule, target, system=True):
        head, _, rest = rule.replace("\\\n", " ").partition(":")
        files = rest.split("\n")[0].split()
        self.assertEqual(head, target)
        self.assertEqual(files[0], "a.cu")
        for name in ("both.h", "device.h", "host.h"):
            self.assertEqual(files.count(name), 1, files)
        self.assertEqual(any(name.endswith("/stdio.h") for name in files), system)
        return files

    def test_MD_writes_it_beside_the_object(self):
        self.nvcc("-c", "a.cu", "-MD", "-o", "x.o")
        files = self.check((self.dir / "x.d").read_text(), "x.o")
        self.assertTrue(any(name.endswith("/cuda_runtime.h") for name in files))

    def test_MF_and_MT(self):
        self.nvcc("-c", "a.cu", "-MD", "-MF", "deps", "-MT", "some/target", "-o", "x.o")
        self.check((self.dir / "deps").read_text(), "some/target")

    def test_MMD_leaves_system_headers_out(self):
        self.nvcc("-c", "a.cu", "-MMD", "-MF", "deps")
        self.check((self.dir / "deps").read_text(), "a.o", system=False)

    def test_MP_adds_empty_rules(self):
        self.nvcc("-c", "a.cu", "-MMD", "-MP", "-MF", "deps")
        self.assertIn("\ndevice.h:\n", (self.dir / "deps").read_text())

    def test_M_prints_it(self):
        self.check(self.nvcc("-M", "a.cu").stdout, "a.o")
        self.check(self.nvcc("-MM", "a.cu").stdout, "a.o", system=False)
        self.nvcc("-M", "a.cu", "-MT", "x", "-o", "rule")
        self.check((self.dir / "rule").read_text(), "x")

    def test_host_sources_have_them_too(self):
        self.write("b.cpp", '#include "host.h"\n')
        self.nvcc("-c", "b.cpp", "-MD", "-MT", "x")
        self.assertRegex((self.dir / "b.d").read_text(), r"^x: b.cpp (.|\n)*host.h")
        self.assertIn("host.h", self.nvcc("-MM", "b.cpp").stdout)

    def test_make_understands_names_with_spaces_and_dollars(self):
        self.write("odd $name.h", "")
        self.write("odd.cu", '#include "odd $name.h"\n')
        self.nvcc("-c", "odd.cu", "-MMD")
        self.write("Makefile", "odd.o:\n\t@echo remade\ninclude odd.d\n")
        self.assertIn("up to date", self.run_in("odd.o", program="make").stdout)
        os.utime(self.dir / "odd.o", (1, 1))
        self.assertEqual(self.run_in("odd.o", program="make").stdout, "remade\n")

    def test_inline_ptx_leaves_the_rule_whole(self):
        with open(self.dir / "a.cu", "a") as source:
            source.write('__global__ void k(unsigned* r) { asm("mov.u32 %0, %laneid;" : "=r"(*r)); }\n')
        self.nvcc("-c", "a.cu", "-MD", "-MF", "deps")
        self.check((self.dir / "deps").read_text(), "a.o")


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

    def test_what_only_preprocesses_reads_the_text(self):
        self.create()
        self.write("b.cu", "int main() { return only_here(); }\n")
        self.assertIn("inline int only_here() { return 13; }", self.nvcc("-E", "--use-pch=all.pch", "b.cu").stdout)
        self.assertIn("mine.h", self.nvcc("-MM", "--use-pch=all.pch", "b.cu").stdout)

    def test_dependencies_of_the_header_and_of_what_uses_it(self):
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
        self.assertIn("reprise-nvcc: error: the precompiled header 'all.pch' does not fit: make it again", said)
        self.create()
        self.nvcc("--use-pch=all.pch", "a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "63 13\n")

    def test_other_options_are_noticed(self):
        self.create("-std=c++17")
        for options in (("-DFACTOR=7",), ("-Isomewhere",), ("-default-stream=per-thread",), ("-rdc=true",), ("-G",),
                        ("-arch=sm_80",), ("-use_fast_math",), ("-extended-lambda",), ("-Xcompiler", "-fno-exceptions")):
            line = self.refused("--use-pch=all.pch", "a.cu", "-c", "-std=c++17", *options)
            self.assertIn(f"'all.pch' was made without '{' '.join(options)}'", line)
        self.assertIn("made with '-std=c++17', which is missing here", self.refused("--use-pch=all.pch", "a.cu", "-c"))
        self.create("-I.", "-Itmp")
        self.assertIn("in another order", self.refused("--use-pch=all.pch", "a.cu", "-c", "-Itmp", "-I."))

    def test_what_a_header_cannot_see_may_differ(self):
        self.create("-O2")
        self.nvcc("-c", "--use-pch=all.pch", "a.cu", "-O3", "-g", "-Xcompiler", "-Wall", "-Werror", "all-warnings")

    def test_what_clang_finds_is_explained(self):
        self.create()
        said = self.nvcc("-c", "--use-pch=all.pch", "a.cu", "-O0", status=1).stderr
        self.assertIn("__OPTIMIZE__", said)
        self.assertIn("'all.pch' does not fit", said)

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
        self.assertIn("do not go together", self.refused("--create-pch=x.pch", "all.h", "--use-pch=all.pch"))


if __name__ == "__main__":
    unittest.main()
