#!/usr/bin/env python3
"""Installs a build tree to a fresh prefix and builds users' projects with the installation.

    REPRISE_BUILD=build tests/install/install_test.py [Case.test ...]
"""
import os
import pathlib
import re
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

    def test_a_tree_that_was_moved_with_its_programs(self):
        old, new = self.dir / "old", self.dir / "new"
        old.mkdir()
        self.prefix.rename(old / "reprise")
        source = self.project("makefile")
        (old / "bin").mkdir()
        self.run_in(source, "make", f"NVCC={old}/reprise/bin/reprise-nvcc", f"CUDA_HOME={old}/reprise/lib/reprise/cuda")
        (source / "app").rename(old / "bin/outside")
        compile = ["reprise/bin/reprise-nvcc", "-std=c++17", source / "app.cu", source / "host.cpp", "-o"]
        self.run_in(old, *compile, "bin/app")
        self.run_in(old, *compile, "bin/static", "-cudart", "static")
        old.rename(new)
        for program in ("app", "static"):
            self.assertEqual(self.run_in("/", new / "bin" / program), "17 on 1 device\n")
        # Compiled elsewhere, it knows the old place alone.
        self.assertEqual(subprocess.run([new / "bin/outside"], env=self.env, capture_output=True).returncode, 127)
        self.env["LD_LIBRARY_PATH"] = str(new / "reprise/lib")
        self.assertEqual(self.run_in("/", new / "bin/outside"), "17 on 1 device\n")
        del self.env["LD_LIBRARY_PATH"]
        # The moved tree compiles and links with its own parts.
        self.run_in(new, *compile, "bin/again")
        dynamic = self.run_in(new, "readelf", "-d", "bin/again")
        self.assertIn(f"$ORIGIN/../reprise/lib:{new}/reprise/lib", dynamic)
        self.run_in(source, "g++", "host.cpp", "-shared", "-fPIC", f"-I{new}/reprise/include/reprise", f"-L{new}/reprise/lib",
                    "-lcudart", "-o", "libhost.so")
        self.assertIn(f"[{new}/reprise/lib/libreprise.so]", self.run_in(source, "readelf", "-d", "libhost.so"))

    def test_a_static_program_needs_the_c_library_alone(self):
        source = self.project("makefile")
        self.run_in(source, self.prefix / "bin/reprise-nvcc", "app.cu", "host.cpp", "-cudart", "static", "-o", "app")
        needed = re.findall(r"NEEDED.*\[(.*)\]", self.run_in(source, "readelf", "-d", "app"))
        self.assertLessEqual(set(needed), {"libc.so.6", "libm.so.6", "libmvec.so.1", "ld-linux-x86-64.so.2"})
        self.assertEqual(self.run_in("/", source / "app"), "17 on 1 device\n")
        # Beside another shared library it shares the C++ library.
        self.run_in(source, self.prefix / "bin/reprise-nvcc", "host.cpp", "-shared", "-Xcompiler", "-fPIC", "-o", "libhost.so",
                    "-cudart", "none")
        self.run_in(source, self.prefix / "bin/reprise-nvcc", "app.cu", "libhost.so", "-Xlinker", f"-rpath,{source}",
                    "-Xlinker", "--export-dynamic", "-cudart", "static", "-o", "app")
        self.assertIn("libstdc++.so.6", self.run_in(source, "readelf", "-d", "app"))

    def test_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("there is no pkg-config")
        moved = self.prefix.rename(self.dir / "moved")
        self.env["PKG_CONFIG_PATH"] = str(moved / "lib/pkgconfig")
        source = self.project("makefile")
        (source / "main.cpp").write_text('#include "app.h"\nint main() { return device_count() != 1; }\n')
        flags = self.run_in(source, "pkg-config", "--cflags", "--libs", "reprise").split()
        self.run_in(source, "g++", "main.cpp", "host.cpp", *flags, "-o", "main")
        self.run_in("/", source / "main")
        version = self.run_in(source, "pkg-config", "--modversion", "reprise").strip()
        self.assertIn(f"reprise-nvcc {version}:", self.run_in("/", moved / "bin/reprise-nvcc", "--version"))

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
        # CMake learns libraries from a link command of reprise-nvcc, and must not learn the path from that program to them.
        for program in ("app", "host_app"):
            self.assertNotIn("$ORIGIN", self.run_in("/", "readelf", "-d", build / program))

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
