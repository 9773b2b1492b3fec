// Cost of launching a graph from a kernel, and of updating a node from a kernel. Prints a table; see RESULTS.md.
//
//   bench_device_launch [seconds for each row]
#include "kernel_nodes.h"

namespace {

using namespace bench;

constexpr uint64_t tail_launch = uint64_t{1} << 56, fire_and_forget = uint64_t{2} << 56;  // as device code passes them
constexpr uint64_t updates = 1000;

// Launches its own graph as its tail until the counter reaches zero.
void relaunch(const void* params, const reprise_launch* launch) {
  uint64_t* left = parameter<uint64_t*>(params, 0);
  if (--*left == 0) return;
  (void)__reprise_graph_launch(launch, __reprise_current_graph(launch), tail_launch);
}
// Launches the graphs of a list in the mode of the second argument.
void launch_list(const void* params, const reprise_launch* launch) {
  const auto& list = *parameter<const std::vector<cudaGraphExec_t>*>(params, 0);
  for (cudaGraphExec_t each : list) {
    (void)__reprise_graph_launch(launch, reinterpret_cast<uint64_t>(each), parameter<uint64_t>(params, 8));
  }
}
void update_node(const void* params, const reprise_launch*) {
  for (uint64_t i = 0; i < updates; ++i)
    (void)__reprise_graph_node_set_parameter(parameter<uint64_t>(params, 0), 8, &i, 8);
}

constexpr reprise_kernel kernels[] = {kernel_of_words("store", store, 3), kernel_of_words("relaunch", relaunch, 1),
                                      kernel_of_words("launch_list", launch_list, 2),
                                      kernel_of_words("update_node", update_node, 1)};
char store_stub, relaunch_stub, launch_list_stub, update_node_stub;
const void* const stubs[] = {&store_stub, &relaunch_stub, &launch_list_stub, &update_node_stub};
reprise_runtime::test::Registered module("bench_device_launch", kernels, 4, stubs);

cudaGraphExec_t one_kernel(const Arguments& arguments, unsigned long long flags, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  add(graph, {}, arguments);
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, flags));
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphDestroy(graph));
  return exec;
}

void measure_all(cudaStream_t stream, uint64_t* cells) {
  constexpr uint64_t tails = 5'000;
  constexpr int graphs = 100;
  const auto flag = cudaGraphInstantiateFlagDeviceLaunch;
  cudaGraphExec_t own_tail = one_kernel(Arguments(&relaunch_stub, address(cells)), flag, stream);
  std::vector<cudaGraphExec_t> list;
  for (int i = 0; i < graphs; ++i)
    list.push_back(one_kernel(Arguments(&store_stub, address(cells + 8), 1, 1), flag, stream));
  cudaGraphExec_t tail_list = one_kernel(Arguments(&launch_list_stub, address(&list), tail_launch), 0, stream);
  cudaGraphExec_t forget_list = one_kernel(Arguments(&launch_list_stub, address(&list), fire_and_forget), 0, stream);

  cudaGraph_t with_node = nullptr;
  MUST(cudaGraphCreate(&with_node, 0));
  cudaGraphNode_t node = add(with_node, {}, Arguments(&store_stub, address(cells + 8), 1, 1));
  cudaLaunchAttributeValue updatable = {};
  updatable.deviceUpdatableKernelNode.deviceUpdatable = 1;
  MUST(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &updatable));
  cudaGraphExec_t updated = nullptr;
  MUST(cudaGraphInstantiate(&updated, with_node, 0));
  cudaGraphExec_t updater =
      one_kernel(Arguments(&update_node_stub, address(updatable.deviceUpdatableKernelNode.devNode)), 0, stream);

  auto run = [&](cudaGraphExec_t exec) {
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  };
  const std::vector<Row> rows = measure({[&] {
                                           cells[0] = tails;
                                           run(own_tail);
                                         },
                                         [&] { run(tail_list); }, [&] { run(forget_list); },
                                         [&] {
                                           for (cudaGraphExec_t each : list) run(each);
                                         },
                                         [&] { run(updater); }});
  const char* const names[] = {"a graph that is its own tail", "tails, a hundred graphs", "fire and forget, a hundred",
                               "the same, launched by the host", "update of a node parameter"};
  const double counts[] = {tails, graphs, graphs, graphs, updates};
  std::printf("\nfrom kernels, graphs of one kernel: ns each, best (median)\n");
  for (size_t i = 0; i < rows.size(); ++i)
    std::printf("%-34s%12.1f (%6.1f)\n", names[i], rows[i].best / counts[i], rows[i].median / counts[i]);
  list.insert(list.end(), {own_tail, tail_list, forget_list, updated, updater});
  for (cudaGraphExec_t exec : list) MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(with_node));
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) seconds_for_a_row = std::atof(arguments[1]);
  uint64_t* cells = nullptr;
  MUST(cudaMallocHost(reinterpret_cast<void**>(&cells), 16 * sizeof(uint64_t)));
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  measure_all(stream, cells);
  MUST(cudaStreamDestroy(stream));
  MUST(cudaFreeHost(cells));
}
