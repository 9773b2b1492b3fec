#!/usr/bin/env python3
"""An installed toolkit of NVIDIA's is hidden: programs do not get its headers and libraries unless its folder is named."""
import os
import unittest

from driver_case import DriverCase

# Toolkit headers that Reprise does not have.
HEADERS = ["cufft.h", "cusparse.h", "nccl.h", "cudnn.h", "nvrtc.h", "nvml.h", "cuda_gl_interop.h"]


class ForeignToolkit(DriverCase):
    def test_toolkit_headers_in_system_directories_are_hidden(self):
        asks = "".join(f"#if __has_include(<{header}>)\n#error {header} of a foreign toolkit\n#endif\n" for header in HEADERS)
        self.write("a.cu", asks + "#include <vector>\n#include <stdio.h>\n#include <pthread.h>\n#include <gtest/gtest.h>\n")
        self.write("b.cpp", asks + "#include <vector>\n#include <cuda_runtime.h>\n")
        self.nvcc("-c", "a.cu")
        self.nvcc("-c", "b.cpp")

    def test_a_missing_header_is_explained(self):
        self.write("a.cu", "#include <cufft.h>\n")
        said = self.nvcc("-c", "a.cu", status=1).stderr
        self.assertIn("'cufft.h' file not found", said)
        self.assertIn("Reprise has no cuFFT", said)

    def test_a_folder_that_is_named_is_read(self):
        self.write("toolkit/cufft.h", "#define FOUND 1\n")
        self.write("a.cu", "#include <cufft.h>\nstatic_assert(FOUND, \"\");\n")
        self.nvcc("-c", "a.cu", "-Itoolkit")
        self.nvcc("-c", "a.cu", "-isystem", "toolkit")

    def test_a_library_that_reprise_lacks_is_refused(self):
        self.write("a.cu", "int main() {}\n")
        self.env["LIBRARY_PATH"] = str(self.dir / "elsewhere")
        self.write("empty.c", "")
        os.mkdir(self.dir / "elsewhere")
        self.nvcc("-shared", "-Xcompiler", "-fPIC", "empty.c", "-o", "elsewhere/libcufft.so")
        said = self.refused("a.cu", "-lcufft", "-o", "a")
        self.assertIn("-lcufft: Reprise has no cuFFT", said)
        self.nvcc("a.cu", "-Lelsewhere", "-lcufft", "-o", "a")
        self.nvcc("a.cu", "-lcudart", "-lcublas", "-lcurand", "-lnvToolsExt", "-lm", "-o", "a")


if __name__ == "__main__":
    unittest.main()
