#!/usr/bin/env python3
"""The script for gdb: backtraces without the runtime's frames."""
import shutil
import unittest

from driver_case import DriverCase, PREFIX

PROGRAM = r"""
__device__ void deep(int* data, int value) { data[threadIdx.x] = value; }
__global__ void scale(int* data) { deep(data, 2); }
int main() {
  int* data;
  cudaMalloc(&data, 256);
  scale<<<1, 4>>>(data);
  return cudaDeviceSynchronize();
}
"""


@unittest.skipUnless(shutil.which("gdb"), "needs gdb")
class Gdb(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("prog.cu", PROGRAM)
        self.nvcc("-g", "prog.cu", "-o", "prog")

    def gdb(self, *commands):
        words = ["-nx", "-batch", "-x", PREFIX / "share/reprise/gdb.py", "-ex", "set breakpoint pending on",
                 "-ex", "break deep if threadIdx.x == 2", "-ex", "run"]
        for command in commands:
            words += ["-ex", command]
        return self.run_in(*words, self.dir / "prog", program="gdb", status=None).stdout

    def test_a_backtrace_in_a_kernel_has_no_frames_of_the_runtime(self):
        text = self.gdb("bt")
        self.assertRegex(text, r"#0 +.*deep ?\(")
        self.assertRegex(text, r"#1 +.*scale ?\(")
        self.assertNotIn("reprise_runtime::", text)
        self.assertNotIn("start_thread", text)

    def test_all_frames_can_be_shown(self):
        self.assertIn("reprise_runtime::", self.gdb("bt -no-filters"))

    def test_the_thread_is_visible(self):
        self.assertIn("x = 2", self.gdb("print threadIdx"))


if __name__ == "__main__":
    unittest.main()
