// Random nests of IF, ELSE, WHILE and SWITCH nodes, compared with plain C++. Kernels set conditions always, sometimes
// or never; conditions have a default that each launch assigns, or keep their value; they belong to the body that
// uses them or to the whole graph. Bodies hold kernels, copies, memsets, empty nodes, child graphs and conditional
// nodes, in sequence or in parallel branches on different cells, and are filled node by node or by capture.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <memory>

#include "graph_model.h"
#include "long_tests.h"

namespace {

using model::mix;
using reprise_runtime::test::parameter;

// Kernels mix cells and set conditions from them; each loop counts down a cell of its own.
void mix_cell(const void* params, const reprise_launch*) {
  uint64_t* cell = parameter<uint64_t*>(params, 0);
  *cell = mix(*cell, parameter<uint64_t>(params, 8));
}
void choose(const void* params, const reprise_launch*) {
  const uint64_t value = *parameter<uint64_t*>(params, 8) >> 20;
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0),
                                  static_cast<uint32_t>(value % parameter<uint64_t>(params, 16)));
}
void start_loop(const void* params, const reprise_launch*) {
  uint64_t* left = parameter<uint64_t*>(params, 8);
  *left = parameter<uint64_t>(params, 16);
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), *left != 0);
}
void end_round(const void* params, const reprise_launch*) {
  uint64_t* left = parameter<uint64_t*>(params, 8);
  *left -= 1;
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), *left != 0);
}
void choose_sometimes(const void* params, const reprise_launch* launch) {
  if (*parameter<uint64_t*>(params, 8) >> 40 & 1) choose(params, launch);
}
// A loop that starts because of its default, and has run the expected number of iterations when the count is 0 again.
void count_round(const void* params, const reprise_launch*) {
  uint64_t* count = parameter<uint64_t*>(params, 8);
  *count = (*count + 1) % parameter<uint64_t>(params, 16);
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), *count != 0);
}
enum Kernel { runs_mix, runs_choose, runs_start, runs_end_round, runs_choose_sometimes, runs_count_round };
constexpr reprise_param words[] = {{0, 8}, {8, 8}, {16, 8}};
constexpr reprise_kernel condition_kernels[] = {
    {"mix_cell", mix_cell, words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"choose", choose, words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"start_loop", start_loop, words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"end_round", end_round, words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"choose_sometimes", choose_sometimes, words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"count_round", count_round, words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char condition_stubs[6];
const void* const stub_pointers[] = {&condition_stubs[0], &condition_stubs[1], &condition_stubs[2],
                                     &condition_stubs[3], &condition_stubs[4], &condition_stubs[5]};
reprise_runtime::test::Registered condition_module("conditional_model", condition_kernels, 6, stub_pointers);

struct Statement {
  enum Kind { mixes, copies, sets, nothing, branches, switches, loops, child, beside } kind = mixes;
  enum Set { always, sometimes, never };  // before the node; a loop's is set after each round in any case
  uint64_t *cell = nullptr, *other = nullptr;
  uint64_t constant = 0;
  Set set = always;
  bool assigned = false;       // the default, at each launch
  uint32_t initial = 0;        // the default
  bool of_whole = false;       // the condition is the outermost graph's
  bool captured = false;       // bodies are, as far as they can be
  mutable uint32_t value = 0;  // of the condition, as it is now
  std::vector<std::vector<Statement>> bodies;
};
using Program = std::vector<Statement>;

class ConditionalModel {
 public:
  explicit ConditionalModel(unsigned seed) : random_(seed) {
    EXPECT_EQ(cudaSuccess, cudaMallocHost(reinterpret_cast<void**>(&cells_), cell_count * sizeof(uint64_t)));
    // Loop counters are 0.
    for (size_t i = 0; i < 16; ++i) cells_[i] = random_();
    for (size_t i = 16; i < cell_count; ++i) cells_[i] = 0;
    program_ = random_program(4);
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    add(graph_, program_);
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
  }
  ~ConditionalModel() {
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
    EXPECT_EQ(cudaSuccess, cudaFreeHost(cells_));
  }

  void launch_and_check() {
    std::vector<uint64_t> before(cells_, cells_ + cell_count);
    begin(program_);
    interpret(program_);
    std::vector<uint64_t> expected(cells_, cells_ + cell_count);
    std::copy(before.begin(), before.end(), cells_);
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, nullptr));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    EXPECT_EQ(expected, std::vector<uint64_t>(cells_, cells_ + cell_count));
  }

 private:
  static constexpr size_t cell_count = 1024;

  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  uint64_t* random_cell() { return cells_ + first_ + pick(range_); }

  Program random_program(int depth) {
    Program program(1 + pick(4));
    for (Statement& each : program) {
      each.kind = static_cast<Statement::Kind>(pick(depth <= 0 ? 4 : range_ > 1 ? 9 : 8));
      each.set = static_cast<Statement::Set>(pick(3));
      each.assigned = pick(2);
      each.of_whole = pick(2);
      each.captured = pick(2);
      each.cell = random_cell();
      each.other = random_cell();
      each.constant = random_();
      size_t bodies = 0;
      if (each.kind == Statement::branches) bodies = 1 + pick(2);
      if (each.kind == Statement::switches) bodies = 1 + pick(4);
      if (each.kind == Statement::child) bodies = 1;
      if (each.kind == Statement::loops) {
        bodies = 1;
        each.constant = each.set == Statement::always ? pick(4) : 1 + pick(4);
        each.cell = cells_ + 16 + loops_++ % (cell_count - 16);  // which nothing else touches
      }
      if (each.kind == Statement::beside) {
        each.bodies = random_branches(depth - 1);
        continue;
      }
      each.initial = pick(static_cast<uint32_t>(bodies) + 1);
      for (size_t i = 0; i < bodies; ++i) {
        // Graphs with conditional nodes cannot become child graphs.
        each.bodies.push_back(random_program(each.kind == Statement::child ? 0 : depth - 1));
      }
    }
    return program;
  }

  // Two branches, each with half of the cells.
  std::vector<Program> random_branches(int depth) {
    const uint32_t first = first_, range = range_;
    std::vector<Program> branches;
    range_ = range / 2;
    branches.push_back(random_program(depth));
    first_ = first + range / 2;
    range_ = range - range / 2;
    branches.push_back(random_program(depth));
    first_ = first;
    range_ = range;
    return branches;
  }

  // How many values a condition may have: one more than there are bodies, so that sometimes none runs.
  static uint64_t values(const Statement& each) {
    return each.kind == Statement::branches ? 2 : each.bodies.size() + 1;
  }

  // Each launch assigns the defaults.
  static void begin(const Program& program) {
    for (const Statement& each : program) {
      if (each.assigned) each.value = each.initial;
      for (const Program& body : each.bodies) begin(body);
    }
  }

  static bool sets(const Statement& each) {
    return each.set == Statement::always || (each.set == Statement::sometimes && (*each.cell >> 40 & 1));
  }

  void interpret(const Program& program) {
    for (const Statement& each : program) {
      const bool chooses = each.kind == Statement::branches || each.kind == Statement::switches;
      if (chooses && sets(each)) each.value = static_cast<uint32_t>((*each.cell >> 20) % values(each));
      const size_t value = each.value;
      switch (each.kind) {
        case Statement::nothing:
          break;
        case Statement::mixes:
          *each.cell = mix(*each.cell, each.constant);
          break;
        case Statement::copies:
          *each.cell = *each.other;
          break;
        case Statement::sets:
          *each.cell = (each.constant & 0xff) * 0x0101010101010101u;
          break;
        case Statement::branches:
          if (value) {
            interpret(each.bodies[0]);
          } else if (each.bodies.size() == 2) {
            interpret(each.bodies[1]);
          }
          break;
        case Statement::switches:
          if (value < each.bodies.size()) interpret(each.bodies[value]);
          break;
        case Statement::loops:
          if (each.set != Statement::always) {
            while (each.value != 0) {
              interpret(each.bodies[0]);
              *each.cell = (*each.cell + 1) % each.constant;
              each.value = *each.cell != 0;
            }
            break;
          }
          for (*each.cell = each.constant; *each.cell != 0; *each.cell -= 1) interpret(each.bodies[0]);
          each.value = 0;
          break;
        case Statement::child:
          interpret(each.bodies[0]);
          break;
        case Statement::beside:
          for (const Program& branch : each.bodies) interpret(branch);
          break;
      }
    }
  }

  // The last node of the chain so far; null at its start.
  cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t last, int which, uint64_t a, uint64_t b, uint64_t c) {
    void* arguments[] = {&a, &b, &c};
    cudaKernelNodeParams params = {};
    params.func = &condition_stubs[which];
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, &last, last != nullptr, &params));
    return node;
  }

  cudaGraphNode_t add(cudaGraph_t graph, const Program& program, cudaGraphNode_t last = nullptr) {
    for (const Statement& each : program) last = add(graph, each, last);
    return last;
  }

  static bool can_be_captured(const Program& program) {
    return std::all_of(program.begin(), program.end(),
                       [](const Statement& each) { return each.kind < Statement::nothing; });
  }

  // The contents of a body, as calls on a stream.
  void capture(cudaGraph_t body, const Program& program) {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    EXPECT_EQ(cudaSuccess,
              cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    for (const Statement& each : program) {
      if (each.kind == Statement::mixes) {
        uint64_t cell = address(each.cell), constant = each.constant;
        void* arguments[] = {&cell, &constant};
        EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&condition_stubs[runs_mix], 1, 1, arguments, 0, stream));
      } else if (each.kind == Statement::copies) {
        EXPECT_EQ(cudaSuccess, cudaMemcpyAsync(each.cell, each.other, 8, cudaMemcpyDefault, stream));
      } else {
        EXPECT_EQ(cudaSuccess, cudaMemsetAsync(each.cell, static_cast<int>(each.constant & 0xff), 8, stream));
      }
    }
    cudaGraph_t filled = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &filled));
    EXPECT_EQ(body, filled);
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  }

  static uint64_t address(const uint64_t* cell) { return reinterpret_cast<uint64_t>(cell); }

  cudaGraphNode_t add(cudaGraph_t graph, const Statement& each, cudaGraphNode_t last) {
    cudaGraphNode_t node = nullptr;
    switch (each.kind) {
      case Statement::mixes:
        return kernel(graph, last, runs_mix, address(each.cell), each.constant, 0);
      case Statement::nothing:
        EXPECT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&node, graph, &last, last != nullptr));
        return node;
      case Statement::copies:
        EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNode1D(&node, graph, &last, last != nullptr, each.cell, each.other, 8,
                                                        cudaMemcpyDefault));
        return node;
      case Statement::sets: {
        cudaMemsetParams params = {};
        params.dst = each.cell;
        params.elementSize = 1;
        params.value = static_cast<unsigned>(each.constant & 0xff);
        params.width = 8;
        params.height = 1;
        EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph, &last, last != nullptr, &params));
        return node;
      }
      case Statement::child: {
        cudaGraph_t inner = nullptr;
        EXPECT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
        add(inner, each.bodies[0]);
        EXPECT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&node, graph, &last, last != nullptr, inner));
        EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
        return node;
      }
      case Statement::beside: {
        cudaGraphNode_t ends[2] = {add(graph, each.bodies[0], last), add(graph, each.bodies[1], last)};
        EXPECT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&node, graph, ends, 2));
        return node;
      }
      default:
        return add_conditional(graph, each, last);
    }
  }

  cudaGraphNode_t add_conditional(cudaGraph_t graph, const Statement& each, cudaGraphNode_t last) {
    cudaGraphConditionalHandle condition = 0;
    EXPECT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&condition, each.of_whole ? graph_ : graph, each.initial,
                                                            each.assigned ? cudaGraphCondAssignDefault : 0));
    const bool loop = each.kind == Statement::loops;
    if (each.set == Statement::always) {
      last = loop ? kernel(graph, last, runs_start, condition, address(each.cell), each.constant)
                  : kernel(graph, last, runs_choose, condition, address(each.cell), values(each));
    } else if (each.set == Statement::sometimes && !loop) {
      last = kernel(graph, last, runs_choose_sometimes, condition, address(each.cell), values(each));
    }
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = condition;
    params.conditional.type = loop                               ? cudaGraphCondTypeWhile
                              : each.kind == Statement::branches ? cudaGraphCondTypeIf
                                                                 : cudaGraphCondTypeSwitch;
    params.conditional.size = static_cast<unsigned>(each.bodies.size());
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddNode(&node, graph, &last, nullptr, last != nullptr, &params));
    for (size_t i = 0; i < each.bodies.size(); ++i) {
      cudaGraph_t body = params.conditional.phGraph_out[i];
      if (each.captured && !loop && can_be_captured(each.bodies[i])) {
        capture(body, each.bodies[i]);
        continue;
      }
      cudaGraphNode_t end = add(body, each.bodies[i]);
      if (loop) {
        kernel(body, end, each.set == Statement::always ? runs_end_round : runs_count_round, condition,
               address(each.cell), each.constant);
      }
    }
    return node;
  }

  std::mt19937_64 random_;
  uint64_t* cells_ = nullptr;
  uint32_t first_ = 0, range_ = 16;  // the cells that the current part may use
  size_t loops_ = 0;
  Program program_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

TEST(ConditionalModel, RandomNestsDoWhatPlainControlFlowDoes) {
  const unsigned graphs = repetitions(200, 3000, 5000);
  for (unsigned seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    ConditionalModel model(seed);
    for (int i = 0; i < 5; ++i) model.launch_and_check();
    if (testing::Test::HasFailure()) break;
  }
}

// A loop of a million iterations uses no memory, and other streams progress meanwhile.
TEST(ConditionalModel, AMillionRoundsBesideOtherWork) {
  uint64_t* cells = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocHost(reinterpret_cast<void**>(&cells), 4 * sizeof(uint64_t)));
  cells[0] = cells[1] = 0;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle condition = 0;
  ASSERT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
  auto add = [&](cudaGraph_t to, cudaGraphNode_t after, int which, uint64_t last) {
    uint64_t left = reinterpret_cast<uint64_t>(cells), handle = condition;
    void* arguments[] = {&handle, &left, &last};
    cudaKernelNodeParams params = {};
    params.func = &condition_stubs[which];
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, to, &after, after != nullptr, &params));
    return node;
  };
  const cudaGraphNode_t start = add(graph, nullptr, runs_start, 1'000'000);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddNode(&node, graph, &start, nullptr, 1, &params));
  add(params.conditional.phGraph_out[0], nullptr, runs_end_round, 0);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t loop = nullptr, beside = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&loop, cudaStreamNonBlocking));
  ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, loop));
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(cudaSuccess, cudaMemsetAsync(cells + 1, i, 8, beside));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(beside));
  }
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(loop));
  EXPECT_EQ(0u, cells[0]);
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(loop));
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(beside));
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  EXPECT_EQ(cudaSuccess, cudaFreeHost(cells));
}

}  // namespace
