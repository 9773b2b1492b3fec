"""Base class of the tests of reprise-nvcc's command line. REPRISE_NVCC is the path of the driver under test; every case
works in a directory of its own.

    REPRISE_NVCC=build/bin/reprise-nvcc tests/driver/linking_test.py [Case.test ...]
"""
import os
import pathlib
import subprocess
import tempfile
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
        # MAKE*: under `make test`, a make that a test starts would otherwise act as a sub-make of it.
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
        """The driver's error message, which must be a single line."""
        lines = self.nvcc(*words, status=1).stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("reprise-nvcc: error: "), lines)
        return lines[0]

    def output_of(self, program, *words):
        return self.run_in(*words, program=str(self.dir / program)).stdout
