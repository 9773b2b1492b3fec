// Random changes of executable graphs (one node, enabling, whole graphs, and changes that must be refused) between and
// during launches, against a naive interpreter.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "../long_tests.h"
#include "graph_model.h"

namespace {

using model::mix;

// Both kernels, so that a node can change its function: one has a parameter more.
void mixes_one(const void* params, const reprise_launch*) {
  auto* to = reprise::test::parameter<uint64_t*>(params, 0);
  *to = mix(reprise::test::parameter<uint64_t>(params, 8), *reprise::test::parameter<uint64_t*>(params, 16));
}
void mixes_two(const void* params, const reprise_launch*) {
  auto* to = reprise::test::parameter<uint64_t*>(params, 0);
  *to = mix(reprise::test::parameter<uint64_t>(params, 8), *reprise::test::parameter<uint64_t*>(params, 16)) +
        reprise::test::parameter<uint64_t>(params, 24);
}
constexpr reprise_param four_words[] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}};
constexpr reprise_kernel update_kernels[] = {
    {"mixes_one", mixes_one, four_words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"mixes_two", mixes_two, four_words, 4, 32, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char update_stubs[2];
const void* const stub_pointers[] = {&update_stubs[0], &update_stubs[1]};
reprise::test::Registered update_module("update_model", update_kernels, 2, stub_pointers);

enum class Type { kernel, copy, set, host, empty, child };

struct Parameters {
  bool second = false;  // which kernel
  uint64_t constant = 0;
  int input = 0;  // among the cells that the node may read
};

struct HostData {
  uint64_t* to;
  const uint64_t* from;
  uint64_t constant;
};
void CUDART_CB host_function(void* data) {
  auto* self = static_cast<HostData*>(data);
  *self->to = mix(self->constant, *self->from);
}

struct Shape {
  Type type = Type::kernel;
  std::vector<int> after;      // in the order of the edges
  std::vector<int> readable;   // cells
  int cell = 0;
  std::vector<Shape> inside;   // of a child graph: one after the other
  int number = 0;              // of its parameters
};

class UpdateModel {
 public:
  UpdateModel(unsigned seed, int nodes) : random_(seed) {
    for (int i = 0; i < nodes; ++i) shapes_.push_back(random_shape(i));
    cell_count_ = next_cell_;
    EXPECT_EQ(cudaSuccess, cudaMallocHost(reinterpret_cast<void**>(&cells_), cell_count_ * sizeof(uint64_t)));
    std::fill_n(cells_, cell_count_, uint64_t{1});
    expected_.assign(cell_count_, 1);
    enabled_.assign(static_cast<size_t>(numbers_), true);
    parameters_ = random_parameters();
    graph_ = build(parameters_, &handles_);
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~UpdateModel() {
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream_));
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
    EXPECT_EQ(cudaSuccess, cudaFreeHost(cells_));
  }

  void step() {
    switch (pick(8)) {
      case 0:
      case 1: return set_one();
      case 2: return enable_one();
      case 3: return update_all();
      case 4: return fail_to_update();
      case 5: return check();
      default: return launch();
    }
  }

  void check() {
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
    for (size_t i = 0; i < cell_count_; ++i) EXPECT_EQ(expected_[i], cells_[i]) << "cell " << i;
  }

 private:
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  Shape random_shape(int index, int depth = 0) {
    static constexpr Type types[] = {Type::kernel, Type::kernel, Type::kernel, Type::copy,
                                     Type::set,    Type::host,   Type::empty,  Type::child};
    Shape shape;
    shape.type = types[pick(depth == 0 ? 8 : 6)];
    for (int i = 0; i < 3 && index > 0 && depth == 0; ++i) {
      const int other = static_cast<int>(pick(static_cast<uint32_t>(index)));
      if (std::find(shape.after.begin(), shape.after.end(), other) == shape.after.end() && pick(2)) {
        shape.after.push_back(other);
        shape.readable.push_back(shapes_[static_cast<size_t>(other)].cell);
      }
    }
    shape.readable.push_back(next_cell_++);  // that nobody writes
    shape.readable.push_back(next_cell_++);
    shape.cell = next_cell_++;
    shape.number = numbers_++;
    all_.push_back(shape);
    if (shape.type == Type::child) {
      for (uint32_t i = 0, count = pick(4); i < count; ++i) shape.inside.push_back(random_shape(0, 1));
    }
    return shape;
  }

  std::vector<Parameters> random_parameters() {
    std::vector<Parameters> made(static_cast<size_t>(numbers_));
    for (Parameters& each : made) each = random_of();
    return made;
  }
  Parameters random_of() { return {pick(2) == 0, random_(), static_cast<int>(pick(2))}; }

  const Parameters& of(const std::vector<Parameters>& all, const Shape& shape) {
    return all[static_cast<size_t>(shape.number)];
  }
  uint64_t* cell(int number) { return cells_ + number; }
  int input_of(const Shape& shape, const Parameters& p) const {
    return shape.readable[static_cast<size_t>(p.input) % shape.readable.size()];
  }

  // ---- CUDA's side ---------------------------------------------------------------------------------------------------

  struct KernelArguments {
    uint64_t* to;
    uint64_t constant;
    uint64_t* from;
    uint64_t more;
    void* pointers[4] = {&to, &constant, &from, &more};
    cudaKernelNodeParams params = {};

    KernelArguments(uint64_t* cell, const Parameters& p, uint64_t* input)
        : to(cell), constant(p.constant), from(input), more(p.constant * 3) {
      params.func = &update_stubs[p.second];
      params.gridDim = params.blockDim = dim3(1);
      params.kernelParams = pointers;
    }
    KernelArguments(const KernelArguments&) = delete;
  };
  static cudaMemsetParams set_params(uint64_t* cell, const Parameters& p) {
    cudaMemsetParams params = {};
    params.dst = cell;
    params.elementSize = 4;
    params.value = static_cast<unsigned>(p.constant);
    params.width = 2;
    params.height = 1;
    return params;
  }
  cudaHostNodeParams host_params(const Shape& shape, const Parameters& p) {
    host_data_.push_back({cell(shape.cell), cell(input_of(shape, p)), p.constant});
    return {host_function, &host_data_.back()};
  }

  cudaGraphNode_t add(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& before,
                      const std::vector<Parameters>& all, std::map<int, cudaGraphNode_t>* handles) {
    const Parameters& p = of(all, shape);
    uint64_t *to = cell(shape.cell), *from = cell(input_of(shape, p));
    cudaGraphNode_t node = nullptr;
    cudaError_t status = cudaErrorUnknown;
    switch (shape.type) {
      case Type::kernel: {
        KernelArguments arguments(to, p, from);
        status = cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &arguments.params);
        break;
      }
      case Type::copy:
        status = cudaGraphAddMemcpyNode1D(&node, graph, before.data(), before.size(), to, from, 8, cudaMemcpyDefault);
        break;
      case Type::set: {
        const cudaMemsetParams params = set_params(to, p);
        status = cudaGraphAddMemsetNode(&node, graph, before.data(), before.size(), &params);
        break;
      }
      case Type::host: {
        const cudaHostNodeParams params = host_params(shape, p);
        status = cudaGraphAddHostNode(&node, graph, before.data(), before.size(), &params);
        break;
      }
      case Type::empty: status = cudaGraphAddEmptyNode(&node, graph, before.data(), before.size()); break;
      case Type::child: return add_child(graph, shape, before, all, handles);
    }
    EXPECT_EQ(cudaSuccess, status);
    if (handles) (*handles)[shape.number] = node;
    return node;
  }

  cudaGraphNode_t add_child(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& before,
                            const std::vector<Parameters>& all, std::map<int, cudaGraphNode_t>* handles) {
    cudaGraph_t inner = nullptr, body = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
    std::vector<cudaGraphNode_t> last;
    for (const Shape& each : shape.inside) last = {add(inner, each, last, all, nullptr)};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&node, graph, before.data(), before.size(), inner));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
    if (!handles) return node;
    (*handles)[shape.number] = node;
    EXPECT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(node, &body));
    size_t count = shape.inside.size();
    std::vector<cudaGraphNode_t> nodes(count);
    if (count) EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(body, nodes.data(), &count));
    for (size_t i = 0; i < count; ++i) (*handles)[shape.inside[i].number] = nodes[i];
    return node;
  }

  cudaGraph_t build(const std::vector<Parameters>& all, std::map<int, cudaGraphNode_t>* handles,
                    const std::vector<Shape>* shapes = nullptr) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    std::vector<cudaGraphNode_t> made;
    for (const Shape& shape : shapes ? *shapes : shapes_) {
      std::vector<cudaGraphNode_t> before;
      for (int other : shape.after) before.push_back(made[static_cast<size_t>(other)]);
      made.push_back(add(graph, shape, before, all, handles));
    }
    return graph;
  }

  // ---- the operations ------------------------------------------------------------------------------------------------

  void set_one() {
    const Shape& shape = all_[pick(static_cast<uint32_t>(all_.size()))];
    const cudaGraphNode_t node = handles_.at(shape.number);
    const Parameters p = random_of();
    uint64_t *to = cell(shape.cell), *from = cell(input_of(shape, p));
    cudaError_t status = cudaSuccess;
    switch (shape.type) {
      case Type::kernel: {
        KernelArguments arguments(to, p, from);
        status = cudaGraphExecKernelNodeSetParams(exec_, node, &arguments.params);
        break;
      }
      case Type::copy: status = cudaGraphExecMemcpyNodeSetParams1D(exec_, node, to, from, 8, cudaMemcpyDefault); break;
      case Type::set: {
        cudaMemsetParams params = set_params(to, p);
        params.height = 2;
        params.pitch = 8;
        EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec_, node, &params));
        params = set_params(to, p);
        status = cudaGraphExecMemsetNodeSetParams(exec_, node, &params);
        break;
      }
      case Type::host: {
        const cudaHostNodeParams params = host_params(shape, p);
        status = cudaGraphExecHostNodeSetParams(exec_, node, &params);
        break;
      }
      case Type::empty: return;
      case Type::child: return set_child(shape, node);
    }
    EXPECT_EQ(cudaSuccess, status);
    parameters_[static_cast<size_t>(shape.number)] = p;
  }

  void set_child(const Shape& found, cudaGraphNode_t node) {
    const Shape& shape = *std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& s) { return s.number == found.number; });
    std::vector<Parameters> next = parameters_;
    for (const Shape& each : shape.inside) next[static_cast<size_t>(each.number)] = random_of();
    cudaGraph_t inner = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
    std::vector<cudaGraphNode_t> last;
    for (const Shape& each : shape.inside) last = {add(inner, each, last, next, nullptr)};
    EXPECT_EQ(cudaSuccess, cudaGraphExecChildGraphNodeSetParams(exec_, node, inner));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
    parameters_ = next;
  }

  void enable_one() {
    const Shape& shape = all_[pick(static_cast<uint32_t>(all_.size()))];
    const bool can = shape.type == Type::kernel || shape.type == Type::copy || shape.type == Type::set;
    const bool enabled = pick(2);
    EXPECT_EQ(can ? cudaSuccess : cudaErrorInvalidValue,
              cudaGraphNodeSetEnabled(exec_, handles_.at(shape.number), enabled));
    if (!can) return;
    enabled_[static_cast<size_t>(shape.number)] = enabled;
    unsigned told = 7;
    EXPECT_EQ(cudaSuccess, cudaGraphNodeGetEnabled(exec_, handles_.at(shape.number), &told));
    EXPECT_EQ(enabled, told != 0);
  }

  void update_all() {
    std::vector<Parameters> next = random_parameters();
    cudaGraph_t other = build(next, nullptr);
    cudaGraphExecUpdateResultInfo info = {};
    EXPECT_EQ(cudaSuccess, cudaGraphExecUpdate(exec_, other, &info));
    EXPECT_EQ(cudaGraphExecUpdateSuccess, info.result);
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
    parameters_ = next;
  }

  // Other parameters everywhere, and one thing that cannot be: none of it may show.
  void fail_to_update() {
    std::vector<Shape> shapes = shapes_;
    Shape& changed = shapes[pick(static_cast<uint32_t>(shapes.size()))];
    cudaGraphExecUpdateResult expected = cudaGraphExecUpdateErrorNodeTypeChanged;
    if (pick(2)) {
      changed.type = changed.type == Type::kernel ? Type::empty : Type::kernel;
    } else if (pick(2)) {
      shapes.push_back(shapes.back());
      expected = cudaGraphExecUpdateErrorTopologyChanged;
    } else if (!changed.after.empty()) {
      changed.after.pop_back();
      expected = cudaGraphExecUpdateErrorTopologyChanged;
    } else {
      return;
    }
    cudaGraph_t other = build(random_parameters(), nullptr, &shapes);
    cudaGraphExecUpdateResultInfo info = {};
    EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec_, other, &info));
    EXPECT_EQ(expected, info.result);
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
  }

  void launch() {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, stream_));
    interpret(shapes_);
  }

  // ---- the naive interpreter -----------------------------------------------------------------------------------------

  void interpret(const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      const Parameters& p = of(parameters_, shape);
      uint64_t& to = expected_[static_cast<size_t>(shape.cell)];
      const uint64_t from = expected_[static_cast<size_t>(input_of(shape, p))];
      if (!enabled_[static_cast<size_t>(shape.number)]) continue;
      switch (shape.type) {
        case Type::kernel: to = mix(p.constant, from) + (p.second ? p.constant * 3 : 0); break;
        case Type::copy: to = from; break;
        case Type::set: to = (p.constant & 0xffffffff) * 0x100000001u; break;
        case Type::host: to = mix(p.constant, from); break;
        case Type::empty: break;
        case Type::child: interpret(shape.inside); break;
      }
    }
  }

  std::mt19937_64 random_;
  int next_cell_ = 0, numbers_ = 0;
  std::vector<Shape> shapes_, all_;
  size_t cell_count_ = 0;
  uint64_t* cells_ = nullptr;
  std::deque<HostData> host_data_;
  std::vector<Parameters> parameters_;
  std::vector<bool> enabled_;
  std::vector<uint64_t> expected_;
  std::map<int, cudaGraphNode_t> handles_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

TEST(UpdateModel, RandomChangesBetweenLaunchesThatMayBeQueued) {
  const unsigned graphs = repetitions(40, 1000, 2000);
  for (unsigned seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    UpdateModel model(seed, 1 + static_cast<int>(seed % 30));
    for (int i = 0; i < 100 && !testing::Test::HasFailure(); ++i) model.step();
    model.check();
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
