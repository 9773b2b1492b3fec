#!/usr/bin/env python3
"""The tool `reprise`, as it is called.

    REPRISE_BUILD=build tests/tool/tool_test.py [Case.test ...]
"""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("REPRISE_BUILD", "build")).resolve()

REFUSED = """
int main() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const cudaError_t refused = cudaStreamSynchronize(stream);
  cudaStreamEndCapture(stream, &graph);
  return refused == cudaErrorStreamCaptureUnsupported ? 7 : 1;
}
"""

GRAPH = """
__global__ void answer() {}
int main() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  answer<<<1, 1, 0, stream>>>();
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  return cudaStreamSynchronize(stream);
}
"""


class ToolCase(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name).resolve()
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA", "NVCC", "REPRISE", "LD_"))}

    def run_in(self, *words):
        return subprocess.run([str(word) for word in words], cwd=self.dir, env=self.env, text=True, capture_output=True)

    def reprise(self, *words, status=0):
        done = self.run_in(BUILD / "bin/reprise", *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def compile(self, text, name="program"):
        (self.dir / f"{name}.cu").write_text(text)
        done = self.run_in(BUILD / "bin/reprise-nvcc", f"{name}.cu", "-o", name)
        self.assertEqual(done.returncode, 0, done.stderr)


class Run(ToolCase):
    def test_arguments_and_exit_codes_are_the_programs(self):
        for separator in ([], ["--"]):
            done = self.reprise("run", *separator, "sh", "-c", 'echo "$0" "$@"; exit 41', "a b", "--trace", "-x", status=41)
            self.assertEqual((done.stdout, done.stderr), ("a b --trace -x\n", ""))

    def test_signals_are_the_programs(self):
        done = self.run_in(BUILD / "bin/reprise", "run", "--", "sh", "-c", "kill -SEGV $$")
        self.assertEqual(done.returncode, -signal.SIGSEGV)

    def test_options_become_the_runtimes_settings(self):
        shown = self.reprise("run", "--trace", "t.json", "--draw", "d", "--check", "memory", "--explain", "--summary", "--devices", "3",
                             "--memory", "1G", "env").stdout.splitlines()
        for setting in (f"REPRISE_TRACE={self.dir}/t.json", f"REPRISE_DRAW={self.dir}/d", "REPRISE_CHECK=memory",
                        "CUDA_LOG_FILE=stderr", "REPRISE_SUMMARY=1", "REPRISE_DEVICES=3", "REPRISE_MEMORY=1G"):
            self.assertIn(setting, shown)
        self.assertTrue((self.dir / "d").is_dir())
        self.assertNotIn("REPRISE", self.reprise("run", "env").stdout)

    def test_the_runtime_reads_every_setting(self):
        library = (BUILD / "lib/libreprise.so").read_bytes()
        source = (ROOT / "tools/reprise/run.cpp").read_text()
        names = re.findall(r'set_variable\("((?:REPRISE|CUDA)_\w+)"', source)
        self.assertGreater(len(names), 4)
        for name in names:
            self.assertTrue(name.encode() + b"\0" in library, f"the runtime does not know {name}")

    def test_what_cannot_be_run_is_named(self):
        self.assertIn("there is no program nothing_here", self.reprise("run", "nothing_here", status=127).stderr)
        (self.dir / "text").write_text("")
        self.assertIn("text is not executable", self.reprise("run", "./text", status=126).stderr)
        self.assertIn("no program to run", self.reprise("run", "--explain", status=2).stderr)
        self.assertIn("unknown option --trcae", self.reprise("run", "--trcae", "x", "env", status=2).stderr)
        self.assertIn("memory", self.reprise("run", "--check", "sums", "env", status=2).stderr)

    def test_a_program_without_its_runtime_gets_that_of_the_tool(self):
        (self.dir / "host.cpp").write_text("#include <cuda_runtime_api.h>\n"
                                           "int main() { int n = 0; return cudaGetDeviceCount(&n) != cudaSuccess || n != 1; }\n")
        linked = self.run_in("g++", "host.cpp", f"-I{BUILD}/include/reprise", f"-L{BUILD}/lib", "-lreprise", "-o", "host")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        self.assertEqual(self.run_in("./host").returncode, 127)
        self.reprise("run", "./host")

    def test_explain_shows_why_a_call_was_refused(self):
        self.compile(REFUSED)
        self.assertEqual(self.run_in("./program").stderr, "")
        self.assertRegex(self.reprise("explain", "./program", status=7).stderr, "cudaStreamSynchronize.*cudaErrorStreamCaptureUnsupported")

    def test_check_switches_every_kind_on(self):
        self.compile(REFUSED)
        said = self.reprise("check", "--", "./program", status=7).stderr
        self.assertNotIn("is ignored", said)
        self.assertIn("REPRISE_CHECK=memory\n", self.reprise("check", "env").stdout)

    def test_trace_writes_a_file(self):
        self.compile(GRAPH)
        self.reprise("trace", "-o", "t.json", "./program")
        self.assertIn("answer", (self.dir / "t.json").read_text())

    def test_draw_writes_a_page_for_each_graph(self):
        self.compile(GRAPH)
        self.reprise("draw", "-o", "pages", "./program")
        pages = [path.name for path in (self.dir / "pages").glob("*.html")]
        self.assertEqual(len(pages), 1)
        self.assertIn("answer", (self.dir / "pages" / pages[0]).read_text())

    def test_summary_names_the_kernels(self):
        self.compile(GRAPH)
        self.assertIn("answer", self.reprise("run", "--summary", "./program").stderr)


class Explain(ToolCase):
    def test_an_error_by_number_and_by_name(self):
        for error in ("901", "cudaErrorStreamCaptureInvalidated"):
            said = self.reprise("explain", error).stdout
            self.assertTrue(said.startswith("cudaErrorStreamCaptureInvalidated (901): "), said)
            self.assertIn("begin a new one", said)

    def test_what_is_no_error_is_a_program(self):
        self.assertIn("there is no program 99999", self.reprise("explain", "99999", status=127).stderr)


class Information(ToolCase):
    def test_both_tools_print_the_version_of_the_project(self):
        version = re.search(r"project\(Reprise VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(self.reprise("--version").stdout, f"reprise {version}\n")
        self.assertTrue(self.run_in(BUILD / "bin/reprise-nvcc", "--version").stdout.startswith(f"reprise-nvcc {version}:"))
        self.assertIn(f"## {version}", (ROOT / "CHANGELOG.md").read_text())

    def test_info_prints_places_that_exist(self):
        rows = dict(line.split(maxsplit=1) for line in self.reprise("info").stdout.splitlines())
        for name in ("prefix", "nvcc", "include", "lib", "cuda_home", "pkgconfig"):
            self.assertTrue(pathlib.Path(rows[name]).exists(), rows[name])
        self.assertIn("cores", rows["device0"])
        self.assertEqual(self.reprise("info", "cuda_home").stdout, rows["cuda_home"] + "\n")
        self.assertIn("there are version, cuda, prefix", self.reprise("info", "nothing", status=2).stderr)

    def test_without_a_subcommand_it_says_how(self):
        self.assertIn("subcommand", self.reprise(status=2).stderr)
        self.assertIn("doctor", self.reprise("--help").stdout)


class Doctor(ToolCase):
    def test_it_compiles_and_runs_a_program(self):
        said = self.reprise("doctor").stdout
        self.assertIn("ran and is right", said)
        self.assertNotIn("MISSING", said)

    def test_it_names_the_command_that_installs_what_is_missing(self):
        self.env["PATH"] = str(self.dir)
        said = self.reprise("doctor", status=1).stdout
        self.assertRegex(said, r"MISSING +binutils +ld is not on the path")
        self.assertRegex(said, r"To install what is missing:\n  sudo apt-get install.* binutils\n")

    def test_a_clang_that_is_not_there(self):
        self.env["REPRISE_CLANG"] = "/nowhere/clang++"
        self.assertRegex(self.reprise("doctor", "--quick", status=1).stdout, "MISSING +clang 19 .*REPRISE_CLANG names /nowhere/clang")
        (self.dir / "clang++").write_text("#!/bin/sh\necho clang version 14.0.6\n")
        (self.dir / "clang++").chmod(0o755)
        self.env["REPRISE_CLANG"] = str(self.dir / "clang++")
        self.assertRegex(self.reprise("doctor", "--quick", status=1).stdout, "is not clang 19: clang version 14")


class Bench(ToolCase):
    def test_every_row_has_a_figure(self):
        rows = re.findall(r"^(\S.*?) {2,}([\d.e+-]+) (us|GB/s)", self.reprise("bench").stdout, re.M)
        self.assertEqual(len(rows), 6, rows)
        for name, value, _ in rows:
            self.assertGreater(float(value), 0, name)


if __name__ == "__main__":
    unittest.main()
