#!/usr/bin/env python3
"""Environment variables that configure a program: a value that cannot be used is reported once, and ignored."""
import subprocess
import unittest

from driver_case import DriverCase

PROGRAM = r"""
#include <cstdio>
__global__ void k() {}
int main() {
  int count = 0;
  size_t free_bytes = 0, total_bytes = 0;
  cudaGetDeviceCount(&count);
  for (int i = 0; i < 2; ++i) {
    k<<<1, 1>>>();
    cudaMemGetInfo(&free_bytes, &total_bytes);
    cudaDeviceSynchronize();
  }
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.bytesize = 4096;
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation);
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(k);
  kernel.gridDim = kernel.blockDim = 1;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", count, total_bytes == (512u << 20));
}
"""


class Settings(DriverCase):
    def program_with(self, **settings):
        """(stdout, stderr) of the program with these variables set."""
        if not (self.dir / "program").exists():
            self.write("program.cu", PROGRAM)
            self.nvcc("program.cu", "-o", "program")
        done = subprocess.run([self.dir / "program"], cwd=self.dir, env={**self.env, **settings}, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0)
        return done.stdout, done.stderr

    def test_good_values_are_used_in_silence(self):
        self.assertEqual(self.program_with(REPRISE_DEVICES="3", REPRISE_MEMORY="512M", REPRISE_CHECK="memory",
                                           CUDA_LAUNCH_BLOCKING="1", REPRISE_TRACE="t.json", REPRISE_TRACE_MB="1"),
                         ("3 1\n", ""))

    def test_empty_values_are_none(self):
        self.assertEqual(self.program_with(REPRISE_DEVICES="", REPRISE_MEMORY="", CUDA_LAUNCH_BLOCKING=""), ("1 0\n", ""))

    def test_each_bad_value_is_reported_once_and_ignored(self):
        for name, value, says in (
                ("REPRISE_DEVICES", "many", "a number from 1 to 64"),
                ("REPRISE_DEVICES", "0", "a number from 1 to 64"),
                ("REPRISE_DEVICES", "2x", "a number from 1 to 64"),
                ("REPRISE_MEMORY", "lots", "a number of bytes such as 512M or 4G"),
                ("REPRISE_CHECK", "memroy", "a list of kinds of checks; there is one, memory"),
                ("CUDA_LAUNCH_BLOCKING", "yes", "a number from 0 to 1")):
            with self.subTest(name=name, value=value):
                self.assertEqual(self.program_with(**{name: value}),
                                 ("1 0\n", f"reprise: {name}={value} is ignored: it must be {says}\n"))

    def test_a_bad_limit_of_the_trace(self):
        self.assertEqual(self.program_with(REPRISE_TRACE="t.json", REPRISE_TRACE_MB="-4"),
                         ("1 0\n", "reprise: REPRISE_TRACE_MB=-4 is ignored: it must be a number from 1 to 1000000000\n"))


if __name__ == "__main__":
    unittest.main()
