#!/usr/bin/env python3
"""Output files and their locations; removal of intermediate files."""
import filecmp
import signal
import subprocess
import time
import unittest

from driver_case import DriverCase, HELLO, NVCC


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


if __name__ == "__main__":
    unittest.main()
