#!/usr/bin/env python3
"""Drawings of graphs: the files, and the page in a browser where Chromium is installed."""
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from driver_case import DriverCase

PROGRAM = r"""
#include <cuda_runtime.h>
__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void count_down(cudaGraphConditionalHandle handle, int* left) { cudaGraphSetConditional(handle, --*left > 0); }
cudaGraph_t build(int *a, int* b, int blocks) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, second, last;
  int value = 1;
  void *fill_a[] = {&a, &value}, *fill_b[] = {&b, &value}, *both[] = {&a, &b};
  cudaKernelNodeParams params = {};
  params.blockDim = dim3(32);
  params.gridDim = dim3(blocks);
  params.func = (void*)fill;
  params.kernelParams = fill_a;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params);
  params.kernelParams = fill_b;
  params.gridDim = dim3(1);
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &params);
  cudaGraphNode_t before[] = {first, second};
  params.func = (void*)add;
  params.kernelParams = both;
  cudaGraphAddKernelNode(&last, graph, before, 2, &params);
  return graph;
}
int main() {
  int *a, *b, left = 3, *counter;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMallocManaged(&counter, 4);
  *counter = left;
  cudaGraph_t graph = build(a, b, 1), wider = build(a, b, 7);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 20; ++i) cudaGraphLaunch(exec, 0);
  cudaGraphExecUpdateResultInfo info;
  cudaGraphExecUpdate(exec, wider, &info);
  cudaGraphLaunch(exec, 0);

  cudaGraph_t loop;
  cudaGraphCreate(&loop, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, loop, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams conditional = {};
  conditional.type = cudaGraphNodeTypeConditional;
  conditional.conditional.handle = handle;
  conditional.conditional.type = cudaGraphCondTypeWhile;
  conditional.conditional.size = 1;
  cudaGraphNode_t node, inner;
  cudaGraphAddNode(&node, loop, nullptr, nullptr, 0, &conditional);
  void* arguments[] = {&handle, &counter};
  cudaKernelNodeParams params = {};
  params.blockDim = params.gridDim = dim3(1);
  params.func = (void*)count_down;
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&inner, conditional.conditional.phGraph_out[0], nullptr, 0, &params);
  cudaGraphExec_t loop_exec;
  cudaGraphInstantiate(&loop_exec, loop, 0);
  cudaGraphLaunch(loop_exec, 0);
  return cudaDeviceSynchronize();
}
"""

LARGE = r"""
#include <cuda_runtime.h>
__global__ void step(int* data) { ++*data; }
int main() {
  int* data;
  cudaMalloc(&data, 4);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t nodes[1000];
  void* arguments[] = {&data};
  cudaKernelNodeParams params = {};
  params.blockDim = params.gridDim = dim3(1);
  params.func = (void*)step;
  params.kernelParams = arguments;
  for (int i = 0; i < 1000; ++i) {
    // Two of the forty nodes before, so that there are long edges and wide rows.
    unsigned seed = i * 2654435761u, reach = i < 40 ? i : 40;
    cudaGraphNode_t before[2] = {};
    for (int k = 0; reach && k < 2; ++k) before[k] = nodes[i - 1 - (seed >> (8 * k + 4)) % reach];
    cudaGraphAddKernelNode(&nodes[i], graph, before, !reach ? 0 : before[0] == before[1] ? 1 : 2, &params);
  }
  cudaGraphExec_t exec;
  return cudaGraphInstantiate(&exec, graph, 0);
}
"""

SVG = "{http://www.w3.org/2000/svg}"


class Drawings(DriverCase):
    def draw(self, source=PROGRAM):
        self.write("prog.cu", source)
        self.nvcc("prog.cu", "-o", "prog")
        self.env["REPRISE_DRAW"] = "drawings"
        self.run_in(program=str(self.dir / "prog"))
        return self.dir / "drawings"

    def nodes(self, svg):
        """The nodes of an SVG file, by their index in the outermost graph."""
        root = ElementTree.parse(svg).getroot()
        graph = next(g for g in root.iter(SVG + "g") if g.get("class") == "graph")
        return graph, [g for g in graph if g.tag == SVG + "g"]

    def test_each_executable_graph_has_a_page_and_an_svg(self):
        folder = self.draw()
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["graph-1-update-1.html", "graph-1-update-1.svg", "graph-1.html", "graph-1.svg", "graph-2.html",
                          "graph-2.svg"])

    def test_shows_kernels_with_grid_and_measured_time_and_the_critical_path(self):
        graph, nodes = self.nodes(self.draw() / "graph-1.svg")
        texts = [node.get("data-text") for node in nodes]
        self.assertEqual(len(nodes), 3)
        self.assertTrue(texts[0].startswith("fill(int*, int)\ngrid (7,1,1), block (32,1,1)\n"), texts[0])
        self.assertRegex(texts[2], r"^add\(int\*, int const\*\)\n.*\n[0-9.]+ (ns|us|ms)$")
        critical = [i for i, node in enumerate(nodes) if "critical" in node.get("class").split()]
        self.assertIn(critical, ([0, 2], [1, 2]))
        edges = {(e.get("data-from"), e.get("data-to")) for e in graph if e.tag == SVG + "path"}
        self.assertEqual(edges, {("0", "2"), ("1", "2")})

    def test_the_body_of_a_loop_lies_inside_its_node(self):
        _, nodes = self.nodes(self.draw() / "graph-2.svg")
        self.assertEqual(len(nodes), 1)
        self.assertIn("conditional", nodes[0].get("class"))
        inner = [g.get("data-text") for g in nodes[0].iter(SVG + "g") if "node" in (g.get("class") or "").split()][1:]
        self.assertEqual(len(inner), 1)
        self.assertIn("count_down(", inner[0])

    def test_an_update_shows_what_has_changed(self):
        _, nodes = self.nodes(self.draw() / "graph-1-update-1.svg")
        changed = [node.get("data-text") for node in nodes if "changed" in node.get("class").split()]
        self.assertEqual(changed, ["fill(int*, int)\nwas grid (1,1,1), block (32,1,1)\nnow grid (7,1,1), block (32,1,1)"])

    def test_a_thousand_nodes_lie_side_by_side_and_below_what_they_depend_on(self):
        graph, nodes = self.nodes(self.draw(LARGE) / "graph-1.svg")
        self.assertEqual(len(nodes), 1000)
        rows = {}
        for edge in graph.iter(SVG + "path"):
            self.assertLess(int(nodes[int(edge.get("data-from"))].get("data-row")),
                            int(nodes[int(edge.get("data-to"))].get("data-row")))
        for node in nodes:
            x, y = map(float, re.findall(r"-?[\d.]+", node.get("transform")))
            width = float(node.find(SVG + "rect").get("width"))
            rows.setdefault(y, []).append((x, x + width))
        for row in rows.values():
            row.sort()
            for (_, end), (start, _) in zip(row, row[1:]):
                self.assertLessEqual(end, start)


@unittest.skipUnless(shutil.which("chromium"), "needs Chromium")
class InABrowser(DriverCase):
    """The page's script runs in Chromium; a script appended to the page acts as the user and writes what it sees."""

    def see(self, page, script):
        text = page.read_text().replace("</body>", f"<script>{script}</script></body>")
        acted = self.write("acted.html", text)
        done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.tmp}/profile",
                               "--virtual-time-budget=3000", "--dump-dom", f"file://{acted}"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def setUp(self):
        super().setUp()
        Drawings.draw(self)

    def test_a_search_marks_the_nodes_found(self):
        dom = self.see(self.dir / "drawings/graph-1.html", """
            search.value = "add("; search.dispatchEvent(new Event("input"));""")
        self.assertEqual(len(re.findall(r'class="node [^"]*\bfound\b', dom)), 1)
        self.assertEqual(len(re.findall(r'class="node [^"]*\bdim\b', dom)), 2)
        self.assertIn(">1 found<", dom)

    def test_a_click_shows_the_details_of_a_node(self):
        dom = self.see(self.dir / "drawings/graph-1.html", """
            all[2].querySelector("rect").dispatchEvent(new MouseEvent("click", {bubbles: true}));""")
        details = re.search(r'<aside id="details"[^>]*>(.*?)</aside>', dom, re.S).group(1)
        self.assertTrue(details.startswith("add(int*, int const*)"), details)
        self.assertIn("node 0x", details)

    def test_folding_hides_the_body_and_shrinks_the_node(self):
        dom = self.see(self.dir / "drawings/graph-2.html", """
            const before = parseFloat(all[0].querySelector("rect").getAttribute("height"));
            document.getElementById("fold").click();
            const after = parseFloat(all[0].querySelector("rect").getAttribute("height"));
            document.getElementById("unfold").click();
            const again = parseFloat(all[0].querySelector("rect").getAttribute("height"));
            document.title = `${after < before / 2} ${again === before}`;""")
        self.assertIn("<title>true true</title>", dom)

    def test_dark_mode_can_be_chosen(self):
        dom = self.see(self.dir / "drawings/graph-1.html", """
            const light = getComputedStyle(svg).backgroundColor;
            document.getElementById("theme").click();
            document.title = light + " " + getComputedStyle(svg).backgroundColor;""")
        colours = re.search(r"<title>(.*?)</title>", dom).group(1)
        self.assertIn(colours, ("rgb(255, 255, 255) rgb(22, 24, 29)", "rgb(22, 24, 29) rgb(255, 255, 255)"))


if __name__ == "__main__":
    unittest.main()
