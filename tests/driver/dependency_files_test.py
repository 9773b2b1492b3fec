#!/usr/bin/env python3
"""Dependency files: -M, -MM, -MD, -MMD, -MF, -MT and -MP."""
import os
import unittest

from driver_case import DriverCase


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


if __name__ == "__main__":
    unittest.main()
