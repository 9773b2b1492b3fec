#!/usr/bin/env python3
"""The packages of scripts/package, looked at and unpacked. make check-packages installs them in bare systems.

    REPRISE_BUILD=build tests/install/package_test.py [Case.test ...]
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = os.path.abspath(os.environ.get("REPRISE_BUILD", "build"))
VERSION = re.search(r"project\(Reprise VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class Packages(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def run_in(self, *words):
        done = subprocess.run([str(word) for word in words], cwd=self.dir, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def package(self, kind, pattern):
        self.run_in(ROOT / "scripts/package", "--build", BUILD, "--out", self.dir / "dist", kind)
        made = list((self.dir / "dist").iterdir())
        self.assertEqual(len(made), 1)
        self.assertRegex(made[0].name, pattern)
        return made[0]

    def check_tree(self, tree):
        """The tree works where it is."""
        self.assertEqual(self.run_in(tree / "bin/reprise", "--version"), f"reprise {VERSION}\n")
        self.assertEqual(self.run_in(tree / "bin/reprise", "info", "prefix"), f"{tree}\n")
        (self.dir / "program.cu").write_text("__global__ void k(int* x) { *x = 7; }\nint main() { int* x; cudaMallocManaged(&x, 4);"
                                             " k<<<1, 1>>>(x); return cudaDeviceSynchronize() != cudaSuccess || *x != 7; }\n")
        self.run_in(tree / "bin/reprise-nvcc", "program.cu", "-o", "program")
        self.run_in("./program")
        # As CUDA_HOME, with another compiler for host code.
        toolkit = pathlib.Path(self.run_in(tree / "bin/reprise", "info", "cuda_home").strip())
        self.run_in(toolkit / "bin/nvcc", "-c", "program.cu", "-o", "program.o")
        self.run_in("g++", "program.o", f"-I{toolkit}/include", f"-L{toolkit}/lib64", "-lcudart", "-o", "linked")
        self.run_in("./linked")
        # By the name under which programs load the driver, the runtime they have already.
        (self.dir / "driver.cpp").write_text("#include <cuda_runtime_api.h>\n#include <dlfcn.h>\nint main() { int n; cudaGetDeviceCount(&n);"
                                             f" void* driver = dlopen(\"{tree}/lib/libcuda.so.1\", RTLD_NOW);"
                                             " return !driver || dlsym(driver, \"cudaGetDeviceCount\") != (void*)&cudaGetDeviceCount; }\n")
        self.run_in("g++", "driver.cpp", f"-I{toolkit}/include", f"-L{toolkit}/lib64", "-lcudart", "-o", "driver")
        self.run_in("./driver")
        self.assertFalse((tree / "include/cccl").exists(), "NVIDIA's headers are not ours to pass on")

    def test_a_wheel(self):
        wheel = self.package("wheel", rf"^reprise-{VERSION}-\w+-\w+-manylinux_2_\d+_x86_64\.whl$")
        with zipfile.ZipFile(wheel) as files:
            record = files.read(f"reprise-{VERSION}.dist-info/RECORD").decode().splitlines()
            self.assertEqual({line.rsplit(",", 2)[0] for line in record}, set(files.namelist()))
            for line in record:
                name, digest, size = line.rsplit(",", 2)
                if digest:
                    data = files.read(name)
                    made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((digest, int(size)), (f"sha256={made}", len(data)), name)
        self.run_in(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", "site", wheel)
        self.check_tree(self.dir / "site/reprise_tree/tree")
        self.assertEqual(self.run_in("env", "PYTHONPATH=site", sys.executable, "-m", "reprise_tree", "--version"), f"reprise {VERSION}\n")

    def test_a_deb(self):
        if not shutil.which("dpkg-shlibdeps"):
            self.skipTest("there is no dpkg-shlibdeps (dpkg-dev)")
        deb = self.package("deb", rf"^reprise_{VERSION}_amd64\.deb$")
        depends = self.run_in("dpkg-deb", "-f", deb, "Depends")
        for package in ("libc6 ", "libllvm19", "clang-19", "binutils"):
            self.assertIn(package, depends)
        self.assertNotIn("boost", depends)
        self.run_in("dpkg-deb", "-x", deb, "root")
        self.check_tree(self.dir / "root/usr/lib/reprise")
        for program in ("reprise", "reprise-nvcc"):
            self.assertEqual((self.dir / "root/usr/bin" / program).resolve(), self.dir / "root/usr/lib/reprise/bin" / program)


if __name__ == "__main__":
    unittest.main()
