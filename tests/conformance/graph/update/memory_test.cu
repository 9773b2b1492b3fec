// Updates from another graph whose operands are other memory, or which has memory nodes.
#include "graph/update/update_shapes.h"
#include "pool/pool_support.h"

namespace {

__device__ int in_a_variable[8];

// Operands must stay on one device and of one kind. A copy's pool memory cannot become other memory, nor the reverse.
TEST_F(GraphUpdate, OperandsFromOtherAllocations) {
  PinnedArray<int> pinned(8);
  DeviceArray<int> plain(8);
  std::vector<int> registered(4096), pageable(8);
  int *managed = nullptr, *pooled = nullptr;
  void* symbol = nullptr;
  MUST(cudaMallocManaged(&managed, 32));
  MUST(cudaMallocAsync(&pooled, 32, 0));
  MUST(cudaGetSymbolAddress(&symbol, in_a_variable));
  MUST(cudaHostRegister(registered.data(), registered.size() * sizeof(int), 0));
  const struct {
    const char* name;
    void* at;
  } places[] = {{"cudaMalloc", plain.get()},  {"a pool", pooled},       {"managed", managed},
                {"a variable", symbol},       {"pinned", pinned.get()}, {"registered", registered.data()},
                {"pageable", pageable.data()}};
  for (const auto& before : places) {
    for (const auto& after : places) {
      const std::string name = std::string(before.name) + ", then " + after.name;
      for (bool source : {false, true}) {
        Graph a, b;
        const auto copy = source ? a.copy(cell.get(), before.at, 8) : a.copy(before.at, cell.get(), 8);
        source ? b.copy(cell.get(), after.at, 8) : b.copy(after.at, cell.get(), 8);
        Exec exec(a);
        const bool fits = (before.at == pooled) == (after.at == pooled);
        ASK_FACT(name + (source ? ", copied from" : ", copied to"),
                 fits ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
        ASK_CASE(name + ", by one node", fits ? cudaSuccess : cudaErrorInvalidValue,
                 cudaGraphExecMemcpyNodeSetParams1D(exec, copy, source ? cell.get() : after.at,
                                                    source ? after.at : cell.get(), 8, cudaMemcpyDefault));
      }
      if (before.at == pageable.data() || after.at == pageable.data()) continue;  // which is not set
      Graph a, b;
      const auto set = a.set(before.at, 1, 8);
      b.set(after.at, 1, 8);
      Exec exec(a);
      ASK_FACT(name + ", set", std::string("Success"), update(exec, b));
      const auto params = memset_params(after.at, 2, 1, 8);
      ASK_CASE(name + ", set by one node", cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, set, &params));
    }
  }
  MUST(cudaHostUnregister(registered.data()));
  MUST(cudaFree(managed));
  MUST(cudaFreeAsync(pooled, 0));
}

// Memory that a graph allocates counts neither as pool memory nor as other memory.
TEST_F(GraphUpdate, OperandsFromGraphMemoryAndPools) {
  auto with_memory = [&](Graph& g, cudaGraphNode_t& copy, cudaGraphNode_t& set) {
    const Allocated made = add_alloc(g, 64);
    set = g.set(made.address, 1, 8, {made.node}), copy = g.copy(cell.get(), made.address, 8, {set});
    add_free(g, made.address, {copy});
    return made.address;
  };
  cudaGraphNode_t copy = nullptr, set = nullptr;
  char* const mine = with_memory(graph, copy, set);
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  MUST(cudaMemPoolCreate(&pool, &props));
  char *pooled = nullptr, *pooled_too = nullptr, *of_pool = nullptr;
  MUST(cudaMallocAsync(&pooled, 64, 0));
  MUST(cudaMallocAsync(&pooled_too, 4 << 20, 0));
  MUST(cudaMallocFromPoolAsync(&of_pool, 64, pool, 0));
  MUST(cudaDeviceSynchronize());
  PinnedArray<char> pinned(64);
  const struct {
    const char* name;
    char* at;
    int sort;
  } places[] = {{"graph memory", mine, 2},    {"the same elsewhere", mine + 8, 2},
                {"a pool", pooled, 1},        {"the same pool", pooled_too, 1},
                {"another pool", of_pool, 1}, {"cudaMalloc", reinterpret_cast<char*>(cell.get() + 4), 0},
                {"pinned", pinned.get(), 0}};
  Exec exec(graph);
  for (const auto& before : places) {
    if (before.at == mine + 8) continue;  // which belongs to nothing in another graph
    Graph plain;
    const auto node = before.at == mine ? copy : plain.copy(cell.get(), before.at, 8);
    Exec plain_exec(plain);
    for (const auto& after : places) {
      ASK_CASE(std::string(before.name) + ", then " + after.name,
               before.sort == after.sort ? cudaSuccess : cudaErrorInvalidValue,
               cudaGraphExecMemcpyNodeSetParams1D(before.at == mine ? exec : plain_exec, node, cell.get(), after.at, 8,
                                                  cudaMemcpyDefault));
    }
  }
  const auto set_params = memset_params(cell.get() + 4, 2, 1, 8);
  ASK_CASE("set, then cudaMalloc", cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, set, &set_params));
  MUST(cudaFreeAsync(pooled, 0));
  MUST(cudaFreeAsync(pooled_too, 0));
  MUST(cudaFreeAsync(of_pool, 0));
  MUST(cudaMemPoolDestroy(pool));
}

// A graph with memory nodes updates its own executable graph or, if it has none, another graph's. That one then owns
// the memory, and the graph cannot be instantiated.
TEST_F(GraphUpdate, GraphsWithMemory) {
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64;
  auto fill = [&](Graph& g) {
    cudaGraphNode_t made = nullptr, gone = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&made, g, nullptr, 0, &params));
    const auto set = g.set(params.dptr, 1, 8, {made}), copy = g.copy(cell.get(), params.dptr, 8, {set});
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&gone, g, &copy, 1, params.dptr));
    return Nodes{made, copy, gone};
  };
  Graph instantiated, inner, around;
  fill(instantiated);
  const Nodes nodes = fill(graph);
  inner.empty({inner.empty({inner.empty({inner.empty()})})});
  const auto child = around.child(inner);
  Exec exec(graph), of_other(instantiated), of_child(around);
  MUST(cudaGraphMemcpyNodeSetParams1D(nodes[1], cell.get() + 2, params.dptr, 8, cudaMemcpyDefault));
  ASK_FACT("the graph itself", std::string("Success"), update(exec, graph));
  launch(exec);
  ASK_FACT("cells", std::string("0 0 16843009 16843009 0"), cells(5));
  other.empty({other.copy(cell.get(), cell.get() + 4, 8, {other.set(cell.get(), 1, 8, {other.empty()})})});
  ASK_FACT("a graph without memory", refused("NodeTypeChanged", "3"), update(exec, other));
  const std::string not_supported = "cudaErrorNotSupported Success node - from -";
  Exec without(other);
  ASK_FACT("memory for a graph without", not_supported, update(without, graph));
  ASK_FACT("a graph of which there is another executable", not_supported, update(exec, instantiated));
  ASK_CASE("for a child graph", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(of_child, child, instantiated));
  MUST(cudaGraphExecDestroy(of_other.release()));
  // A memset of memory that the new graph allocates and frees.
  ASK_FACT("when that is gone", refused("Error", "1"), update(exec, instantiated));
  ASK_FACT("when that is gone, for a graph without", refused("NodeTypeChanged", "3"), update(without, instantiated));
  cudaGraphNodeParams any{};
  any.type = cudaGraphNodeTypeMemAlloc;
  std::memcpy(&any.alloc, &params, sizeof params);
  ASK_CASE("an allocation's parameters", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, nodes[0], &any));
  ASK_CASE("an allocation's for a free", cudaErrorInvalidValue, cudaGraphExecNodeSetParams(exec, nodes[2], &any));
  any = {};
  any.type = cudaGraphNodeTypeMemFree;
  any.free.dptr = params.dptr;
  ASK_CASE("a free's parameters", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, nodes[2], &any));
  graph.empty();
  ASK_FACT("the graph itself, grown", refused("TopologyChanged"), update(exec, graph));
}

// Letters are nodes of a chain: allocation, free, memset, kernel and copy of the memory; E is an empty node.
TEST_F(GraphUpdate, GraphsWithOtherMemory) {
  auto fill = [&](Graph& g, const std::string& letters, int value) {
    Allocated made;
    Nodes last;
    for (const char letter : letters) {
      cudaGraphNode_t node = nullptr;
      if (letter == 'a') made = add_alloc(g, 64, last), node = made.node;
      if (letter == 'f') node = add_free(g, made.address, last);
      if (letter == 's') node = g.set(made.address, value, 8, last);
      if (letter == 'k') node = g.store(made.address ? made.ints() : cell.get(), value, last);
      if (letter == 'c') node = g.copy(cell.get(), made.address, 4, last);
      if (letter == 'E') node = g.empty(last);
      last = {node};
    }
  };
  const struct {
    const char *before, *after;
    std::string expected;
  } cases[] = {{"af", "af", "Success"},
               {"a", "a", "Success"},
               {"akcf", "akcf", "Success"},
               {"aEkcf", "aEkcf", "Success"},
               {"as", "as", "Success"},
               {"asf", "asf", refused("Error", "1")},
               {"asEf", "asEf", refused("Error", "1")},
               {"akf", "asf", refused("NodeTypeChanged", "1")},
               {"EkE", "akf", refused("NodeTypeChanged", "2")},
               {"akf", "EkE", refused("NodeTypeChanged", "2")},
               {"EEEE", "akf", refused("TopologyChanged")}};
  for (const auto& each : cases) {
    Graph a, b;
    const std::string name = std::string(each.before) + " from " + each.after;
    fill(a, each.before, 1), fill(b, each.after, 2);
    Exec exec(a);
    ASK_FACT(name, each.expected, update(exec, b));
    const bool done = each.expected == "Success";
    cudaGraphExec_t own = nullptr;
    ASK_CASE(name + ", instantiated", done ? cudaErrorNotSupported : cudaSuccess, cudaGraphInstantiate(&own, b, 0));
    if (own) MUST(cudaGraphExecDestroy(own));
    if (!done) continue;
    ASK_FACT(name + ", again", each.expected, update(exec, b));
    const bool copies = std::string(each.before).find('c') != std::string::npos;
    if (!copies) continue;
    launch(exec);
    ASK_FACT(name + ", runs", std::string("2"), cells(1));
    ASK_FACT(name + ", back", each.expected, update(exec, a));
    launch(exec);
    ASK_FACT(name + ", runs back", std::string("1"), cells(1));
  }
}

// A queued launch keeps the memory that it was queued with.
TEST_F(GraphUpdate, OtherMemoryWhileALaunchIsQueued) {
  auto fill = [&](Graph& g, int value, int* to) {
    const Allocated made = add_alloc(g, 64);
    add_free(g, made.address, {g.copy(to, made.address, 4, {g.store(made.ints(), value, {made.node})})});
  };
  fill(graph, 1, cell.get()), fill(other, 2, cell.get() + 1);
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  std::atomic<int> open{0};
  MUST(cudaLaunchHostFunc(
      stream,
      [](void* gate) {
        while (static_cast<std::atomic<int>*>(gate)->load() == 0) {
        }
      },
      &open));
  MUST(cudaGraphLaunch(exec, stream));
  const std::string said = update(exec, other);
  const cudaError_t launched = cudaGraphLaunch(exec, stream);
  open = 1;
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("an update from a graph with other memory", std::string("Success"), said);
  ASK_FACT("a launch after it", cudaSuccess, launched);
  ASK_FACT("cells", std::string("1 2"), cells(2));
}

}  // namespace
