#!/usr/bin/env python3
"""Installs a build tree to a fresh prefix and builds users' projects with what is there.

    REPRISE_BUILD=build tests/install/install_test.py [Case.test ...]
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.path.abspath(os.environ.get("REPRISE_BUILD", "build"))
PROJECTS = pathlib.Path(__file__).resolve().parent


class Install(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.prefix = self.dir / "prefix"
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA", "NVCC", "CMAKE", "LD_", "MAKE", "MFLAGS"))}
        self.run_in(self.dir, "cmake", "--install", BUILD, "--prefix", self.prefix)

    def run_in(self, directory, *words):
        done = subprocess.run([str(word) for word in words], cwd=directory, env=self.env, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def project(self, name):
        return pathlib.Path(shutil.copytree(PROJECTS / name, self.dir / name))

    def build(self, source, *settings, generator="Ninja"):
        build = source / "build"
        self.run_in(source, "cmake", "-S", source, "-B", build, "-G", generator, "-DCMAKE_BUILD_TYPE=Release", *settings)
        self.run_in(source, "cmake", "--build", build)
        return build

    def test_nothing_installed_names_the_build_tree(self):
        for path in self.prefix.rglob("*"):
            if path.suffix in {".cmake", ".so", ".a"} and path.is_file() and path.stat().st_size < 100000:
                self.assertNotIn(BUILD.encode(), path.read_bytes(), path)

    def test_a_cmake_project_with_find_package(self):
        source = self.project("find_package")
        build = self.build(source, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertEqual(self.run_in("/", build / "app"), "17 with CUDA 13000\n")
        # A header's change is seen, also through a library's interface.
        header = source / "include/scale.h"
        header.write_text(header.read_text() + "#undef FACTOR\n#define FACTOR 4\n")
        self.run_in(source, "cmake", "--build", build)
        self.assertEqual(self.run_in("/", build / "app"), "22 with CUDA 13000\n")
        self.assertIn("no work to do", self.run_in(source, "ninja", "-C", build))

    def test_the_same_with_makefiles(self):
        build = self.build(self.project("find_package"), f"-DCMAKE_PREFIX_PATH={self.prefix}", generator="Unix Makefiles")
        self.assertEqual(self.run_in("/", build / "app"), "17 with CUDA 13000\n")

    def test_precompiled_headers(self):
        for generator in ("Ninja", "Unix Makefiles"):
            source = self.project("precompiled")
            build = self.build(source, f"-DCMAKE_PREFIX_PATH={self.prefix}", generator=generator)
            self.assertEqual(self.run_in("/", build / "first"), "3\n")
            self.assertEqual(self.run_in("/", build / "second"), "30\n")
            # A header's change is seen in all that use it.
            header = source / "numbers.h"
            header.write_text(header.read_text().replace("3", "47"))
            self.run_in(source, "cmake", "--build", build)
            self.assertEqual(self.run_in("/", build / "first"), "47\n")
            self.assertEqual(self.run_in("/", build / "second"), "470\n")
            if generator == "Ninja":
                self.assertIn("no work to do", self.run_in(source, "ninja", "-C", build))
            shutil.rmtree(source)

    def test_an_object_library_is_refused(self):
        source = self.project("find_package")
        listing = source / "CMakeLists.txt"
        listing.write_text(listing.read_text().replace("scale STATIC", "scale OBJECT"))
        done = subprocess.run(["cmake", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                              env=self.env, text=True, capture_output=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Make it STATIC", " ".join(done.stderr.split()))

    def test_a_makefile_with_NVCC(self):
        source = self.project("makefile")
        home = self.prefix / "lib/reprise/cuda"
        self.run_in(source, "make", f"NVCC={self.prefix}/bin/reprise-nvcc", f"CUDA_HOME={home}")
        self.assertEqual(self.run_in("/", source / "app"), "17 on 1 device\n")
        (source / "app.h").write_text((source / "app.h").read_text().replace("17", "18"))
        self.run_in(source, "make", f"CUDA_HOME={home}")
        self.assertEqual(self.run_in("/", source / "app"), "18 on 1 device\n")

    def test_a_cmake_project_of_the_language_CUDA(self):
        build = self.build(self.project("cuda_language"), f"-DCMAKE_CUDA_COMPILER={self.prefix}/bin/reprise-nvcc")
        self.assertEqual(self.run_in("/", build / "app"), "21\n")
        self.assertEqual(self.run_in("/", build / "static_app"), "21\n")
        self.assertEqual(self.run_in("/", build / "host_app"), "9.0\n")

    def test_programs_with_cublas(self):
        if not (self.prefix / "lib/libcublas.so").exists():
            self.skipTest("built without OpenBLAS")
        source = self.project("cublas")
        for libraries in (["-lcublas"], ["-cudart", "static", "-lcublas_static"]):
            self.run_in(source, self.prefix / "bin/reprise-nvcc", "product.cu", "-o", "product", *libraries)
            self.assertEqual(self.run_in("/", source / "product"), "14\n", libraries)

    def test_a_program_with_tensors(self):
        if not (self.prefix / "lib/libreprise_tensor.a").exists():
            self.skipTest("built without OpenBLAS")
        source = self.project("tensor")
        build = self.build(source, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        printed = "tensor([[ 5., 11.],\n        [11., 25.]])\n"
        self.assertEqual(self.run_in("/", build / "product"), printed)
        self.run_in(source, self.prefix / "bin/reprise-nvcc", "product.cpp", "-o", "by_hand", "-lreprise_tensor", "-lcublas")
        self.assertEqual(self.run_in(source, "./by_hand"), printed)


if __name__ == "__main__":
    unittest.main()
