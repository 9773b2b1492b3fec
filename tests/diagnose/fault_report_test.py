#!/usr/bin/env python3
"""The report of a fault: what it says about the kernel, the thread, the address, the line and the launch."""
import subprocess
import unittest

from driver_case import DriverCase

# Each program gets its line numbers from here: the kernel's first line is line 2.
PAST_THE_END = r"""
__global__ void scale(float* data, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i * 4096] *= factor;
}
int main() {
  float* data;
  cudaMalloc(&data, 1 << 20);
  scale<<<64, 32>>>(data, 77, 2.5f);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""

USE_AFTER_FREE = r"""
__global__ void fill(int* data) { data[threadIdx.x] = 1; }
int main() {
  int* data;
  cudaMalloc(&data, 8 << 20);
  cudaFree(data);
  fill<<<1, 8>>>(data);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""

TRAP_IN_ONE_THREAD = r"""
__global__ void check(const int* limit) {
  if (blockIdx.x == 2 && threadIdx.x == 5 && *limit == 0) __trap();
}
int main() {
  int* limit;
  cudaMalloc(&limit, 4);
  cudaMemset(limit, 0, 4);
  check<<<4, 16>>>(limit);
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
}
"""

IN_A_GRAPH = r"""
#include <cstdio>
__global__ void good(int* data) { data[0] = 1; }
__global__ void bad(int* data) { data[0] = 1; }
int main() {
  int* data;
  cudaMalloc(&data, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  good<<<1, 1, 0, stream>>>(data);
  bad<<<1, 1, 0, stream>>>(nullptr);
  good<<<1, 1, 0, stream>>>(data);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  size_t count = 3;
  cudaGraphNode_t nodes[3];
  cudaGraphGetNodes(graph, nodes, &count);
  for (cudaGraphNode_t node : nodes) std::printf("%p\n", static_cast<void*>(node));
  std::fflush(stdout);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  return cudaStreamSynchronize(stream) == cudaErrorIllegalAddress ? 0 : 1;
}
"""


def line_of(source, text):
    return 1 + source[:source.index(text)].count("\n")


class FaultReport(DriverCase):
    def fault(self, source, *options, environment=None, log=False):
        """What the program writes to stderr, or to the log."""
        self.write("prog.cu", source)
        self.nvcc("prog.cu", "-o", "prog", *options)
        self.env.pop("REPRISE_FAULTS", None)
        self.env.update(environment or {})
        if log:
            self.env["CUDA_LOG_FILE"] = str(self.dir / "log")
        self.done = self.run_in(program=str(self.dir / "prog"))
        return (self.dir / "log").read_text() if log else self.done.stderr

    def test_names_the_kernel_with_its_arguments_and_shape(self):
        report = self.fault(PAST_THE_END)
        self.assertIn("a kernel faulted: a ", report)
        self.assertIn("kernel: scale(float*, int, float)\n", report)
        self.assertRegex(report, r"arguments: float\* = 0x[0-9a-f]+, int = 77, float = 2\.5\n")
        self.assertIn("grid: (64,1,1), block: (32,1,1), device 0", report)
        self.assertIn("result: cudaErrorIllegalAddress", report)

    def test_names_the_nearest_allocation_and_the_line_that_made_it(self):
        report = self.fault(PAST_THE_END, "-g", "-O2")
        line = line_of(PAST_THE_END, "cudaMalloc")
        self.assertRegex(report, r"address: 0x[0-9a-f]+ is \d+ bytes past the end of the 1048576 bytes of device memory at "
                         rf"0x[0-9a-f]+, allocated by .* at prog.cu:{line}\n")

    def test_names_the_line_of_device_code_and_of_the_launch(self):
        report = self.fault(PAST_THE_END, "-g", "-lineinfo", "-O2")
        self.assertIn(f"at: prog.cu:{line_of(PAST_THE_END, 'data[i')} in scale(float*, int, float)+0x", report)
        self.assertRegex(report, rf"launched: main\+0x[0-9a-f]+ .* at prog.cu:{line_of(PAST_THE_END, 'scale<<<')}\n")

    def test_line_tables_alone_are_enough_for_the_line(self):
        report = self.fault(PAST_THE_END, "-lineinfo", "-O2")
        self.assertIn(f"at: prog.cu:{line_of(PAST_THE_END, 'data[i')} in scale(float*, int, float)+0x", report)

    def test_without_line_tables_it_names_the_function_and_how_to_get_the_line(self):
        report = self.fault(PAST_THE_END)
        self.assertRegex(report, r"at: scale\(float\*, int, float\)\+0x[0-9a-f]+ \(compile with -lineinfo for the line\)")

    def test_freed_memory_is_named_with_the_line_that_freed_it(self):
        report = self.fault(USE_AFTER_FREE, "-g", "-O2")
        self.assertRegex(report, r"is byte 0 of the 8388608 bytes of device memory at 0x[0-9a-f]+, freed by .* at "
                         rf"prog.cu:{line_of(USE_AFTER_FREE, 'cudaFree')}\n")
        self.assertIn("a write to 0x", report)

    def test_a_debug_build_knows_the_thread(self):
        report = self.fault(TRAP_IN_ONE_THREAD, "-G", "-g")
        self.assertIn("it called __trap()", report)
        self.assertIn("thread: (5,0,0) of block (2,0,0)", report)
        self.assertIn("result: cudaErrorLaunchFailure", report)

    def test_an_optimised_build_says_that_the_thread_is_not_known(self):
        report = self.fault(TRAP_IN_ONE_THREAD, "-O2")
        self.assertIn("thread: one of the threads of block", report.replace("the blocks", "block"))
        self.assertIn("compile with -G to know which", report)

    def test_a_thread_that_runs_as_a_fiber_is_known_without_debug_information(self):
        # A call of an unknown function that may meet the other threads makes the kernel run as fibers.
        report = self.fault(r"""
__device__ __noinline__ void all_meet() { __syncthreads(); }
__device__ __noinline__ void stays_alone() {}
__device__ void (*volatile meet)() = all_meet;
__global__ void odd(int** out) {
  meet();
  if (threadIdx.x == 7 && blockIdx.x == 1) **out = 1;
  meet();
}
int main() {
  int** out;
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  odd<<<2, 32>>>(out);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
""", "-O2")
        self.assertIn("is a null pointer", report)
        self.assertIn("thread: (7,0,0) of block (1,0,0)", report)

    def test_threads_that_wait_for_each_other_in_vain(self):
        report = self.fault(r"""
__device__ __noinline__ void all_meet() { __syncthreads(); }
__device__ void (*volatile meet)() = all_meet;
__global__ void stuck() {
  if (threadIdx.x < 16) meet();
  else __syncwarp();
}
int main() {
  stuck<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
}
""", "-O2")
        self.assertIn("block (0,0,0) cannot go on: of 32 threads", report)
        self.assertIn("kernel: stuck()", report)

    def test_a_failed_assertion_names_the_thread_and_the_kernel(self):
        report = self.fault(r"""
#include <cassert>
__global__ void checked(int n) { assert(threadIdx.x != n); }
int main() {
  checked<<<2, 8>>>(3);
  return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;
}
""")
        self.assertIn("an assertion failed", report)
        self.assertRegex(report, r"thread: \(3,0,0\) of block \([01],0,0\)")
        self.assertIn("arguments: int = 3", report)

    def test_a_stack_that_overflows_is_called_that(self):
        report = self.fault(r"""
__device__ __noinline__ int deep(int n, volatile int* use) {
  volatile int local[64];
  local[n & 63] = n;
  return n == 0 ? *use : deep(n - 1, local) + local[(n + 1) & 63];
}
__global__ void recurse(int n, int* out) { *out = deep(n, out); }
int main() {
  int* out;
  cudaMalloc(&out, 4);
  recurse<<<1, 1>>>(1 << 30, out);
  return cudaDeviceSynchronize() != cudaSuccess ? 0 : 1;
}
""")
        self.assertIn("its stack overflowed", report)
        self.assertIn("kernel: recurse(int, int*)", report)

    def test_a_node_of_a_graph_is_named(self):
        report = self.fault(IN_A_GRAPH)
        nodes = self.done.stdout.split()
        self.assertIn("kernel: bad(int*)", report)
        self.assertIn(f"graph: node {nodes[1]} of graph ", report)
        self.assertIn("in executable graph 0x", report)

    def test_a_setting_keeps_it_off_stderr_and_the_log_has_it(self):
        log = self.fault(IN_A_GRAPH, environment={"REPRISE_FAULTS": "log"}, log=True)
        self.assertEqual(self.done.stderr, "")
        self.assertIn("a kernel faulted: a write to", log)
        self.assertIn("kernel: bad(int*)", log)

    def test_a_capture_that_is_open_at_the_end_is_named(self):
        source = r"""
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}
"""
        report = self.fault(source, "-g")
        self.assertRegex(report, r"the capture of stream \d+, begun by main\+0x[0-9a-f]+ .* at prog.cu:"
                         rf"{line_of(source, 'cudaStreamBeginCapture')}, was still open when the program ended")

    def test_a_kernel_that_does_not_end_is_named_while_the_host_waits_for_it(self):
        source = r"""
__global__ void spin(volatile int* stop) { while (!*stop) ; }
int main() {
  int* stop;
  cudaMallocManaged(&stop, 4);
  *stop = 0;
  spin<<<1, 1>>>(stop);
  return cudaDeviceSynchronize();
}
"""
        self.write("prog.cu", source)
        self.nvcc("prog.cu", "-g", "-O2", "-o", "prog")
        self.env["REPRISE_LONG_KERNEL"] = "1"
        with subprocess.Popen([str(self.dir / "prog")], env=self.env, text=True, stderr=subprocess.PIPE) as process:
            said = process.stderr.readline()  # comes, or the test runs into its time limit
            process.kill()
        self.assertRegex(said, r"kernel spin\(int volatile\*\) has been running for more than \d+ s; .* kill "
                         rf"{process.pid};")

    def test_one_fault_is_reported_once(self):
        report = self.fault(PAST_THE_END)
        self.assertEqual(report.count("a kernel faulted"), 1, report)

    def test_host_code_that_touches_freed_memory(self):
        self.write("prog.cu", r"""
__global__ void nothing() {}
int main() {
  int* data;
  cudaMallocManaged(&data, 8 << 20);
  nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaFree(data);
  data[3] = 1;
}
""")
        self.nvcc("prog.cu", "-g", "-O0", "-o", "prog")
        done = self.run_in(program=str(self.dir / "prog"), status=-11)
        self.assertRegex(done.stderr, r"host code accesses 0x[0-9a-f]+, which is byte 12 of the 8388608 bytes of managed memory")
        self.assertRegex(done.stderr, r"at: main\+0x[0-9a-f]+ .*prog.cu:9")


if __name__ == "__main__":
    unittest.main()
