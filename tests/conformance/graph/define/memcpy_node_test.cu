// Memcpy nodes, 1D and 3D.
#include "graph/graph_support.h"

namespace {

std::string shown(const cudaMemcpy3DParms& p, const void* src, const void* dst) {
  std::ostringstream out;
  const auto pointer = [](const void* told, const void* given) {
    return told == nullptr ? "null" : told == given ? "given" : "other";
  };
  out << "src " << pointer(p.srcPtr.ptr, src) << " pitch " << p.srcPtr.pitch << " size " << p.srcPtr.xsize << "x"
      << p.srcPtr.ysize << " pos " << p.srcPos.x << "," << p.srcPos.y << "," << p.srcPos.z << " array "
      << (p.srcArray != nullptr) << "; dst " << pointer(p.dstPtr.ptr, dst) << " pitch " << p.dstPtr.pitch << " size "
      << p.dstPtr.xsize << "x" << p.dstPtr.ysize << " pos " << p.dstPos.x << "," << p.dstPos.y << "," << p.dstPos.z
      << " array " << (p.dstArray != nullptr) << "; extent " << p.extent.width << "x" << p.extent.height << "x"
      << p.extent.depth << " kind " << p.kind;
  return out.str();
}

class GraphMemcpyNode : public Graphs {
 protected:
  cudaError_t add(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind, cudaGraphNode_t* node = nullptr) {
    cudaGraphNode_t unused = nullptr;
    return cudaGraphAddMemcpyNode1D(node ? node : &unused, graph, nullptr, 0, dst, src, bytes, kind);
  }
  static cudaMemcpy3DParms box(void* dst, size_t dst_pitch, size_t dst_rows, const void* src, size_t src_pitch,
                               size_t src_rows, cudaExtent extent, cudaMemcpyKind kind) {
    cudaMemcpy3DParms params{};
    params.srcPtr = make_cudaPitchedPtr(const_cast<void*>(src), src_pitch, src_pitch, src_rows);
    params.dstPtr = make_cudaPitchedPtr(dst, dst_pitch, dst_pitch, dst_rows);
    params.extent = extent;
    params.kind = kind;
    return params;
  }
};

// Pageable, pinned and device memory as source and destination, with each of the five kinds and an invalid one.
TEST_F(GraphMemcpyNode, EveryKindWithEveryPairOfPlaces) {
  std::vector<int> pageable_src(4, 5), pageable_dst(4);
  PinnedArray<int> pinned_src(4), pinned_dst(4);
  DeviceArray<int> device_src(4), device_dst(4);
  const std::pair<const char*, int*> sources[] = {
      {"pageable", pageable_src.data()}, {"pinned", pinned_src.get()}, {"device", device_src.get()}};
  const std::pair<const char*, int*> targets[] = {
      {"pageable", pageable_dst.data()}, {"pinned", pinned_dst.get()}, {"device", device_dst.get()}};
  const auto is_pageable = [](const char* name) { return std::string(name) == "pageable"; };
  for (const auto& source : sources)
    for (const auto& target : targets)
      for (int kind = 0; kind <= 5; ++kind) {
        const std::vector<int> values = {kind + 1, 2, 3, 4}, blank(4, -1);
        MUST(cudaMemcpy(source.second, values.data(), 16, cudaMemcpyDefault));
        MUST(cudaMemcpy(target.second, blank.data(), 16, cudaMemcpyDefault));
        MUST(cudaDeviceSynchronize());  // a copy from pageable memory may return before its end, and the graph's stream
                                        // does not wait
        Graph one;
        cudaGraphNode_t node = nullptr;
        const std::string what = std::string(source.first) + " to " + target.first + " kind " + std::to_string(kind);
        // Only an operand that the kind calls device memory must be device memory.
        const bool fits = !(is_pageable(source.first) && (kind == 2 || kind == 3)) &&
                          !(is_pageable(target.first) && (kind == 1 || kind == 3));
        ASK_CASE(what,
                 kind == 5 ? cudaErrorInvalidMemcpyDirection
                 : fits    ? cudaSuccess
                           : cudaErrorInvalidValue,
                 cudaGraphAddMemcpyNode1D(&node, one, nullptr, 0, target.second, source.second, 16,
                                          static_cast<cudaMemcpyKind>(kind)));
        (void)cudaGetLastError();
        if (!node) continue;
        cudaMemcpy3DParms told{};
        MUST(cudaGraphMemcpyNodeGetParams(node, &told));
        EXPECT_EQ(kind, told.kind) << what;
        run(one);
        std::vector<int> got(4);
        MUST(cudaMemcpy(got.data(), target.second, 16, cudaMemcpyDefault));
        EXPECT_EQ(values, got) << what;
      }
}

TEST_F(GraphMemcpyNode, CopiesInEachDirection) {
  std::vector<int> in = {1, 2, 3, 4}, out(4);
  DeviceArray<int> first(4), second(4);
  const auto up = graph.copy(first.get(), in.data(), 16);
  const auto across = graph.copy(second.get(), first.get(), 16, {up});
  graph.copy(out.data(), second.get(), 16, {across});
  run(graph);
  EXPECT_EQ(in, out);
}

TEST_F(GraphMemcpyNode, ReadsHostMemoryWhenItRuns) {
  std::vector<int> in = {1};
  DeviceArray<int> cell(1);
  graph.copy(cell.get(), in.data(), 4);
  Exec exec(graph);
  in[0] = 2;
  MUST(cudaGraphLaunch(exec, nullptr));
  EXPECT_EQ(2, cell.read()[0]);
}

TEST_F(GraphMemcpyNode, OddArgumentsOf1DCopies) {
  DeviceArray<char> data(64);
  char host[64] = {};
  char* device = data.get();
  ASK_CASE("zero bytes", cudaErrorInvalidValue, add(device, device + 32, 0, cudaMemcpyDeviceToDevice));
  ASK_CASE("zero bytes, null pointers", cudaErrorInvalidValue, add(nullptr, nullptr, 0, cudaMemcpyDeviceToDevice));
  ASK_CASE("null destination", cudaErrorInvalidValue, add(nullptr, device, 16, cudaMemcpyDeviceToDevice));
  ASK_CASE("null source", cudaErrorInvalidValue, add(device, nullptr, 16, cudaMemcpyDeviceToDevice));
  ASK_CASE("null source, default kind", cudaErrorInvalidValue, add(device, nullptr, 16, cudaMemcpyDefault));
  ASK_CASE("beyond the allocation", cudaErrorInvalidValue,
           add(device, device, size_t{1} << 40, cudaMemcpyDeviceToDevice));
  ASK_CASE("kind 7", cudaErrorInvalidMemcpyDirection, add(device, host, 16, static_cast<cudaMemcpyKind>(7)));
  ASK_CASE("kind -1", cudaErrorInvalidMemcpyDirection, add(device, host, 16, static_cast<cudaMemcpyKind>(-1)));
  ASK_CASE("overlapping", cudaSuccess, add(device, device + 8, 32, cudaMemcpyDeviceToDevice));
  ASK_CASE("onto itself", cudaSuccess, add(device, device, 32, cudaMemcpyDeviceToDevice));
  ASK_FACT("nodes", 2, nodes_of(graph).size());
}

TEST_F(GraphMemcpyNode, TellsA1DCopyAs3DParameters) {
  DeviceArray<int> device(4);
  std::vector<int> host(4);
  cudaGraphNode_t node = nullptr;
  cudaMemcpy3DParms told{};
  MUST(add(device.get(), host.data(), 12, cudaMemcpyHostToDevice, &node));
  MUST(cudaGraphMemcpyNodeGetParams(node, &told));
  const std::string linear =
      "src given pitch 0 size 0x0 pos 0,0,0 array 0; "
      "dst given pitch 0 size 0x0 pos 0,0,0 array 0; extent 12x1x1 kind ";
  ASK_FACT("host to device, 12 bytes", linear + "1", shown(told, host.data(), device.get()));
  EXPECT_EQ(12u, told.extent.width);
  EXPECT_EQ(1u, told.extent.height);
  EXPECT_EQ(1u, told.extent.depth);
  EXPECT_EQ(host.data(), told.srcPtr.ptr);
  EXPECT_EQ(device.get(), told.dstPtr.ptr);
  ASK(cudaSuccess, cudaGraphMemcpyNodeSetParams(node, &told));
  MUST(add(device.get(), host.data(), 12, cudaMemcpyDefault, &node));
  MUST(cudaGraphMemcpyNodeGetParams(node, &told));
  ASK_FACT("default kind", linear + "4", shown(told, host.data(), device.get()));
}

TEST_F(GraphMemcpyNode, CopiesABox) {
  // 3 x 2 x 2 bytes out of a 5 x 4 x 3 volume at (1, 1, 1) into a 4 x 3 x 2 volume at (1, 1, 0).
  std::vector<char> volume(5 * 4 * 3), out(4 * 3 * 2, -1);
  for (size_t i = 0; i < volume.size(); ++i) volume[i] = static_cast<char>(i);
  DeviceArray<char> device(4 * 3 * 2);
  auto params = box(device.get(), 4, 3, volume.data(), 5, 4, make_cudaExtent(3, 2, 2), cudaMemcpyHostToDevice);
  params.srcPos = make_cudaPos(1, 1, 1);
  params.dstPos = make_cudaPos(1, 1, 0);
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &params));
  cudaMemcpy3DParms told{};
  MUST(cudaGraphMemcpyNodeGetParams(node, &told));
  ASK_FACT("told",
           std::string("src given pitch 5 size 0x4 pos 1,1,1 array 0; "
                       "dst given pitch 4 size 0x3 pos 1,1,0 array 0; extent 3x2x2 kind 1"),
           shown(told, volume.data(), device.get()));
  params = {};
  run(graph);
  out = device.read();
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) {
        const bool inside = x >= 1 && y >= 1;
        EXPECT_EQ(inside ? volume[((z + 1) * 4 + y) * 5 + x] : 0, out[(z * 3 + y) * 4 + x]) << x << y << z;
      }
}

TEST_F(GraphMemcpyNode, OddBoxesAreRefused) {
  DeviceArray<char> device(1 << 12);
  std::vector<char> host(1 << 12);
  char* d = device.get();
  char* h = host.data();
  const auto to_device = cudaMemcpyHostToDevice;
  struct Row {
    const char* name;
    cudaMemcpy3DParms params;
    cudaError_t expected;
  };
  std::vector<Row> rows = {
      {"plain", box(d, 16, 4, h, 16, 4, make_cudaExtent(16, 4, 2), to_device), cudaSuccess},
      {"width 0", box(d, 16, 4, h, 16, 4, make_cudaExtent(0, 4, 2), to_device), cudaErrorInvalidValue},
      {"height 0", box(d, 16, 4, h, 16, 4, make_cudaExtent(16, 0, 2), to_device), cudaErrorInvalidValue},
      {"depth 0", box(d, 16, 4, h, 16, 4, make_cudaExtent(16, 4, 0), to_device), cudaErrorInvalidValue},
      {"all 0", box(d, 16, 4, h, 16, 4, make_cudaExtent(0, 0, 0), to_device), cudaErrorInvalidValue},
      {"wider than the source pitch", box(d, 32, 4, h, 16, 4, make_cudaExtent(32, 4, 1), to_device),
       cudaErrorInvalidPitchValue},
      {"wider than the destination pitch", box(d, 16, 4, h, 32, 4, make_cudaExtent(32, 4, 1), to_device),
       cudaErrorInvalidPitchValue},
      {"one row wider than its pitch", box(d, 16, 4, h, 16, 4, make_cudaExtent(32, 1, 1), to_device),
       cudaErrorInvalidValue},
      {"pitch 0, one row", box(d, 0, 0, h, 0, 0, make_cudaExtent(32, 1, 1), to_device), cudaSuccess},
      {"pitch 0, two rows", box(d, 0, 0, h, 0, 0, make_cudaExtent(32, 2, 1), to_device), cudaErrorInvalidPitchValue},
      {"more rows than ysize, two slices", box(d, 16, 2, h, 16, 2, make_cudaExtent(16, 4, 2), to_device),
       cudaErrorInvalidPitchValue},
      {"more rows than ysize, one slice", box(d, 16, 2, h, 16, 2, make_cudaExtent(16, 4, 1), to_device),
       cudaErrorInvalidValue},
      {"null source", box(d, 16, 4, nullptr, 16, 4, make_cudaExtent(16, 4, 2), to_device), cudaErrorInvalidValue},
      {"null destination", box(nullptr, 16, 4, h, 16, 4, make_cudaExtent(16, 4, 2), to_device), cudaErrorInvalidValue},
      {"kind 9", box(d, 16, 4, h, 16, 4, make_cudaExtent(16, 4, 2), static_cast<cudaMemcpyKind>(9)),
       cudaErrorInvalidMemcpyDirection},
      {"device to host with a host source", box(d, 16, 4, h, 16, 4, make_cudaExtent(16, 4, 2), cudaMemcpyDeviceToHost),
       cudaErrorInvalidValue},
      {"nothing filled in", cudaMemcpy3DParms{}, cudaErrorInvalidValue},
      {"default kind", box(d, 16, 4, h, 16, 4, make_cudaExtent(16, 4, 2), cudaMemcpyDefault), cudaSuccess},
      {"beyond the allocation", box(d, 1 << 20, 4, h, 1 << 20, 4, make_cudaExtent(1 << 20, 4, 2), to_device),
       cudaErrorInvalidValue},
  };
  Graph base;
  for (const auto& row : rows) {
    Graph one;
    cudaGraphNode_t node = nullptr;
    ASK_CASE(std::string(row.name) + ": add", row.expected,
             cudaGraphAddMemcpyNode(&node, one, nullptr, 0, &row.params));
    const auto good = base.copy(d, h, 16);
    ASK_CASE(std::string(row.name) + ": set", row.expected, cudaGraphMemcpyNodeSetParams(good, &row.params));
    if (!node) continue;
    cudaMemcpy3DParms told{};
    MUST(cudaGraphMemcpyNodeGetParams(node, &told));
    auto expected = row.params;
    expected.srcPtr.xsize = expected.dstPtr.xsize = 0;  // not told
    ASK_FACT(std::string(row.name) + ": told", shown(expected, h, d), shown(told, h, d));
    cudaGraphExec_t exec = nullptr;
    ASK_CASE(std::string(row.name) + ": instantiate", cudaSuccess, cudaGraphInstantiate(&exec, one, 0));
    if (exec) MUST(cudaGraphExecDestroy(exec));
  }
}

TEST_F(GraphMemcpyNode, ParametersCanBeChanged) {
  DeviceArray<int> device(4), other(4);
  std::vector<int> in = {1, 2, 3, 4}, more = {5, 6, 7, 8};
  const auto node = graph.copy(device.get(), in.data(), 16);
  MUST(cudaGraphMemcpyNodeSetParams1D(node, other.get(), more.data(), 8, cudaMemcpyHostToDevice));
  run(graph);
  EXPECT_EQ((std::vector<int>{0, 0, 0, 0}), device.read());
  EXPECT_EQ((std::vector<int>{5, 6, 0, 0}), other.read());
  const auto params = box(device.get(), 8, 2, more.data(), 4, 4, make_cudaExtent(4, 2, 1), cudaMemcpyHostToDevice);
  MUST(cudaGraphMemcpyNodeSetParams(node, &params));
  run(graph);
  EXPECT_EQ((std::vector<int>{5, 0, 6, 0}), device.read());
  // Another direction.
  std::vector<int> out(4);
  ASK(cudaSuccess, cudaGraphMemcpyNodeSetParams1D(node, out.data(), device.get(), 16, cudaMemcpyDeviceToHost));
  run(graph);
  EXPECT_EQ((std::vector<int>{5, 0, 6, 0}), out);
  // A refused change changes nothing.
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParams1D(node, nullptr, device.get(), 16, cudaMemcpyDefault));
  cudaMemcpy3DParms told{};
  MUST(cudaGraphMemcpyNodeGetParams(node, &told));
  EXPECT_EQ(out.data(), told.dstPtr.ptr);
}

TEST_F(GraphMemcpyNode, OtherNodesHaveNoMemcpyParameters) {
  DeviceArray<int> device(4);
  const auto other = graph.empty();
  const auto copy = graph.copy(device.get(), device.get() + 2, 8);
  cudaMemcpy3DParms params{};
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(other, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(nullptr, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(copy, nullptr));
  MUST(cudaGraphMemcpyNodeGetParams(copy, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParams(other, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParams(nullptr, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParams(copy, nullptr));
  ASK(cudaErrorInvalidValue,
      cudaGraphMemcpyNodeSetParams1D(other, device.get(), device.get() + 2, 8, cudaMemcpyDefault));
  ASK(cudaErrorInvalidValue,
      cudaGraphMemcpyNodeSetParams1D(nullptr, device.get(), device.get() + 2, 8, cudaMemcpyDefault));
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr));
}

}  // namespace
