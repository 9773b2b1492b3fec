#!/usr/bin/env python3
"""Options: their effects, and errors in command lines."""
import re
import unittest

from driver_case import DriverCase, HELLO


class Refusals(DriverCase):
    def test_unknown_options(self):
        self.write("a.cu", "")
        self.assertIn("unknown option '-Wall' (pass options of the host compiler with -Xcompiler)", self.refused("-Wall", "a.cu"))
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
        self.assertIn("cannot tell the language of 'a.xyz'", self.refused("a.xyz"))

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
        self.assertIn("cannot tell the language of '-'", self.refused("-"))
        self.assertIn("read only once", self.refused("-x", "cu", "-", "-"))
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

    def test_help_and_version(self):
        self.assertIn("reprise-nvcc [options] file...", self.nvcc("--help").stdout)
        for spelled in ("--version", "-V"):
            self.assertIn("release 13.0, V13.0.", self.nvcc(spelled).stdout)
        self.assertIn("compute_90", self.nvcc("--list-gpu-arch").stdout.split())

    def test_every_option_in_the_help_is_one(self):
        self.write("a.cu", "")
        for line in self.nvcc("--help").stdout.splitlines():
            if not line.startswith("  -"):
                continue
            for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line[2:].split("   ")[0]):
                said = self.nvcc("--dryrun", "a.cu", option, "x", status=None).stderr
                self.assertNotIn("unknown option", said)


if __name__ == "__main__":
    unittest.main()
