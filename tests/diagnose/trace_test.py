#!/usr/bin/env python3
"""The trace: valid JSON whenever the process ends, and what it shows of a program."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from driver_case import DriverCase

PROGRAM = r"""
#include <nvtx3/nvToolsExt.h>
__global__ void fill(int* data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }
static void called(void*) {}
int main() {
  int *a, *b, *c, host[64] = {};
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxRangePushA("a phase \"quoted\"");
  fill<<<4, 32, 0, stream>>>(a, 1);
  cudaMemcpyAsync(b, a, 4096, cudaMemcpyDeviceToDevice, stream);
  cudaMemsetAsync(a, 0, 4096, stream);
  cudaLaunchHostFunc(stream, called, nullptr);
  cudaMallocAsync((void**)&c, 512, stream);
  cudaFreeAsync(c, stream);
  cudaStreamSynchronize(stream);
  nvtxRangePop();
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, stream>>>(a, 2);
  fill<<<1, 32, 0, stream>>>(b, 3);
  add<<<1, 32, 0, stream>>>(a, b);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 5; ++i) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host, a, 128, cudaMemcpyDeviceToHost);
  cudaFree(b);
  return host[3] == 5 ? 0 : 1;
}
"""

ENDLESS = r"""
__global__ void spin(volatile int* stop) { while (!*stop) ; }
__global__ void quick(int* data) { ++*data; }
int main() {
  int *stop, *data;
  cudaMallocManaged(&stop, 4);
  cudaMalloc(&data, 4);
  *stop = 0;
  cudaStream_t busy, other;
  cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  spin<<<1, 1, 0, busy>>>(stop);
  for (;;) {
    quick<<<1, 1, 0, other>>>(data);
    cudaStreamSynchronize(other);
  }
}
"""


class Trace(DriverCase):
    def build(self, source):
        self.write("prog.cu", source)
        self.nvcc("prog.cu", "-o", "prog")

    def events(self):
        """The file's events; the empty object that closes the list is none."""
        text = (self.dir / "trace.json").read_text()
        return [event for event in json.loads(text) if event]

    def trace(self, source=PROGRAM, **settings):
        self.build(source)
        self.env.update(REPRISE_TRACE="trace.json", **settings)
        self.run_in(program=str(self.dir / "prog"))
        return self.events()

    def named(self, events, name, **fields):
        return [e for e in events if e.get("name") == name and all(e.get(k) == v for k, v in fields.items())]

    def test_has_calls_kernels_copies_host_functions_and_memory(self):
        events = self.trace()
        for name, category in (("cudaMalloc", "call"), ("cudaGraphInstantiate", "call"), ("cudaLaunchKernel", "call"),
                               ("fill(int*, int)", "kernel"), ("copy device to device", "copy"), ("set", "set"),
                               ("host function", "host function"), ("copy device to host", "copy")):
            found = self.named(events, name, cat=category, ph="X")
            self.assertTrue(found, name)
            self.assertGreaterEqual(found[0]["dur"], 0)
        self.assertEqual(self.named(events, "copy device to device")[0]["args"]["bytes"], 4096)
        kernel = self.named(events, "fill(int*, int)", cat="kernel")[0]
        self.assertEqual((kernel["args"]["blocks"], kernel["args"]["threads"]), (4, 128))
        self.assertEqual(len(self.named(events, "allocation", ph="i")), 2)
        self.assertEqual(len(self.named(events, "free", ph="i")), 1)
        self.assertEqual(self.named(events, "allocation from pool")[0]["args"]["bytes"], 512)

    def test_every_event_has_the_fields_of_the_format(self):
        # As the Trace Event Format defines them.
        for event in self.trace():
            self.assertIn(event["ph"], "XBEiMsf", event)
            self.assertTrue(isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["name"], event)
            if event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name"))
                self.assertIsInstance(event["args"]["name"], str)
                continue
            self.assertGreaterEqual(event["ts"], 0)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
            if event["ph"] in "sf":
                self.assertIsInstance(event["id"], int)
            if event["ph"] == "f":
                self.assertEqual(event["bp"], "e")
            if event["ph"] == "i":
                self.assertEqual(event["s"], "t")

    def test_calls_of_a_thread_nest(self):
        calls = sorted((e["ts"], -e["dur"]) for e in self.trace() if e["ph"] == "X" and e["pid"] == 1)
        open_until = []
        for start, negative in calls:
            end = start - negative
            while open_until and open_until[-1] <= start + 0.001:
                open_until.pop()
            self.assertTrue(not open_until or end <= open_until[-1] + 0.002, (start, end, open_until))
            open_until.append(end)

    def test_has_ranges_of_nvtx_around_their_calls(self):
        events = self.trace()
        phase, = self.named(events, 'a phase "quoted"', cat="range")
        inside = self.named(events, "cudaLaunchHostFunc", cat="call")[0]
        outside = self.named(events, "cudaGraphInstantiate", cat="call")[0]
        self.assertLessEqual(phase["ts"], inside["ts"])
        self.assertGreaterEqual(phase["ts"] + phase["dur"], inside["ts"] + inside["dur"])
        self.assertGreater(outside["ts"], phase["ts"] + phase["dur"])

    def test_has_the_nodes_of_each_launch_on_a_track_of_their_graph(self):
        events = self.trace()
        nodes = [e for e in events if e.get("cat") == "node"]
        self.assertEqual(len(nodes), 15)
        self.assertEqual(len({e["pid"] for e in nodes}), 1)
        self.assertEqual(len({e["args"]["node"] for e in nodes}), 3)
        name, = [e for e in events if e["ph"] == "M" and e["pid"] == nodes[0]["pid"] and e["name"] == "process_name"]
        self.assertIn("executable graph", name["args"]["name"])
        self.assertEqual(len([e for e in events if e.get("cat") == "stream" and e["name"].startswith("executable graph")]), 5)

    def test_arrows_lead_from_calls_to_work_and_from_node_to_node(self):
        events = self.trace()
        starts = {(e["cat"], e["id"]): e for e in events if e["ph"] == "s"}
        ends = {(e["cat"], e["id"]): e for e in events if e["ph"] == "f"}
        self.assertEqual(starts.keys() & ends.keys(), ends.keys())
        # Three nodes in a chain: two arrows in each of five launches.
        self.assertEqual(len([key for key in ends if key[0] == "dependency"]), 10)
        for key, end in ends.items():
            self.assertLessEqual(starts[key]["ts"], end["ts"])
        kernel = self.named(events, "fill(int*, int)", cat="kernel")[0]
        self.assertTrue([e for key, e in ends.items() if key[0] == "submission" and e["ts"] == kernel["ts"] and
                         (e["pid"], e["tid"]) == (kernel["pid"], kernel["tid"])])

    def test_each_stream_has_a_track_with_its_name(self):
        events = self.trace()
        kernel = self.named(events, "fill(int*, int)", cat="kernel")[0]
        names = [e["args"]["name"] for e in events if e["ph"] == "M" and (e["pid"], e["tid"]) == (kernel["pid"], kernel["tid"])]
        self.assertEqual(names, [f"stream {kernel['tid']}"])

    def test_a_killed_process_leaves_valid_json_that_shows_what_ran(self):
        self.build(ENDLESS)
        self.env["REPRISE_TRACE"] = "trace.json"
        for wait in (0.15, 0.4, 0.7):
            process = subprocess.Popen([str(self.dir / "prog")], cwd=self.dir, env=self.env)
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            process.wait()
            events = self.events()
        self.assertTrue(self.named(events, "quick(int*)", cat="kernel"))
        # The kernel that never ended has begun.
        self.assertTrue(self.named(events, "spin(int volatile*)", ph="B"))

    def test_the_file_is_no_larger_than_its_limit_and_says_so(self):
        events = self.trace(r"""
__global__ void nothing() {}
int main() {
  for (int i = 0; i < 200; ++i) {
    for (int k = 0; k < 200; ++k) nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
  }
}
""", REPRISE_TRACE_MB="1")
        self.assertLessEqual((self.dir / "trace.json").stat().st_size, 1_000_000)
        self.assertIn("the trace ends here: REPRISE_TRACE_MB", events[-1]["name"])

    def test_a_program_that_does_nothing_leaves_an_empty_list(self):
        self.assertEqual([e for e in self.trace("int main() {}") if e["ph"] != "M"], [])


class Summary(DriverCase):
    def test_tells_the_time_by_kernel_copy_call_and_graph(self):
        self.write("prog.cu", PROGRAM)
        self.nvcc("prog.cu", "-o", "prog")
        self.env["REPRISE_SUMMARY"] = "1"
        done = self.run_in(program=str(self.dir / "prog"))
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()

        def row(end):
            found = [line.split() for line in lines if line.endswith(end)]
            self.assertEqual(len(found), 1, end)
            return found[0]

        # The table of kernels comes before the nodes of the graph. One eager launch and two nodes in five launches.
        kernels = {line.split(maxsplit=6)[6]: line.split()[2] for line in lines if re.match(r" +[0-9.]+ .*\)$", line) and
                   len(line.split()) > 6}
        self.assertEqual(kernels["fill(int*, int)"], "11")
        self.assertEqual(kernels["add(int*, int const*)"], "5")
        self.assertEqual(row(" cudaGraphLaunch")[2], "5")
        self.assertRegex(done.stderr, r"16 kernels ran, the device was idle [0-9.]+ % of the time")
        self.assertRegex(done.stderr, r"executable graph \d+ \(of graph \d+\): 3 nodes ran, 5 times; .* us a launch on one "
                         r"core, critical path [0-9.]+ us through 3 nodes")
        copies = row(" copy device to device")
        self.assertEqual(copies[6], "0.004")  # megabytes

    def test_there_is_none_unless_it_is_asked_for(self):
        self.write("prog.cu", PROGRAM)
        self.nvcc("prog.cu", "-o", "prog")
        self.assertEqual(self.run_in(program=str(self.dir / "prog")).stderr, "")


if __name__ == "__main__":
    unittest.main()
