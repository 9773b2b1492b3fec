// Every cudaGraphExec*Set* call with every refused kind of parameters, node and executable graph: the error, and that
// the log names the node and the reason. unit/graph/update/refusal_test.cpp has the limits on valid parameters.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>

#include <functional>
#include <string>
#include <vector>

#include "hand_made_kernels.h"

namespace {

void nothing(const void*, const reprise_launch*) {}
constexpr reprise_param one_int[] = {{0, 4}};
constexpr reprise_kernel kernels[] = {{"plain", nothing, one_int, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"bounded", nothing, one_int, 1, 4, 0, 0, 0, 64, 0, 0, 0, 0, {}},
                                      {"clustered", nothing, one_int, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, {2, 1, 1}}};
char stubs[3];
const void* const stub_pointers[] = {&stubs[0], &stubs[1], &stubs[2]};
reprise_runtime::test::Registered module("node_refusal", kernels, 3, stub_pointers);
int variable[4];
int in_device_code[4];
const reprise_variable variables[] = {
    {"variable", in_device_code, sizeof variable, reprise_device_variable, 0, nullptr}};
const reprise_module with_variable{reprise_abi_version, 0, 1, 0, "node_refusal_variable", nullptr, variables};
struct RegisteredVariable {
  RegisteredVariable() : handle(__cudaRegisterFatBinary(&wrapper)) {
    __cudaRegisterVar(handle, reinterpret_cast<char*>(variable), nullptr, "variable", 0, sizeof variable, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    __reprise_register_module(&with_variable);
  }
  ~RegisteredVariable() {
    __cudaUnregisterFatBinary(handle);
    __reprise_unregister_module(&with_variable);
  }
  reprise_runtime::test::FatBinaryWrapper wrapper{0x466243b1, 1, "node_refusal_variable", nullptr};
  void** handle;
} registered_variable;

void must(cudaError_t status) { ASSERT_EQ(cudaSuccess, status); }

class NodeRefusal : public testing::Test {
 protected:
  void SetUp() override {
    must(cudaMalloc(reinterpret_cast<void**>(&at), 4096));
    must(cudaEventCreate(&event));
    int fd = -1;
    must(repriseCreateSemaphoreFd(&fd, repriseSemaphoreTimeline, 0));
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    description.handle.fd = fd;
    must(cudaImportExternalSemaphore(&semaphore, &description));
    must(cudaGraphCreate(&graph, 0));
    must(cudaGraphCreate(&inner, 0));
    must(cudaGraphAddEmptyNode(&inside, inner, nullptr, 0));
    const cudaKernelNodeParams plain = kernel();
    must(cudaGraphAddKernelNode(&kernel_node, graph, nullptr, 0, &plain));
    must(cudaGraphAddMemcpyNode1D(&copy_node, graph, nullptr, 0, at, at + 64, 16, cudaMemcpyDeviceToDevice));
    const cudaMemsetParams set = memset();
    must(cudaGraphAddMemsetNode(&set_node, graph, nullptr, 0, &set));
    const cudaHostNodeParams host = {[](void*) {}, nullptr};
    must(cudaGraphAddHostNode(&host_node, graph, nullptr, 0, &host));
    must(cudaGraphAddEventRecordNode(&record_node, graph, nullptr, 0, event));
    must(cudaGraphAddEventWaitNode(&wait_node, graph, nullptr, 0, event));
    const cudaExternalSemaphoreSignalNodeParams signal = {&semaphore, &signalled, 1};
    must(cudaGraphAddExternalSemaphoresSignalNode(&signal_node, graph, nullptr, 0, &signal));
    const cudaExternalSemaphoreWaitNodeParams wait = {&semaphore, &waited, 1};
    must(cudaGraphAddExternalSemaphoresWaitNode(&semaphore_wait_node, graph, nullptr, 0, &wait));
    must(cudaGraphAddChildGraphNode(&child_node, graph, nullptr, 0, inner));
    must(cudaGraphAddEmptyNode(&empty_node, graph, nullptr, 0));
    must(cudaGraphInstantiate(&exec, graph, 0));
  }
  void TearDown() override {
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
    must(cudaGraphDestroy(inner));
    must(cudaDestroyExternalSemaphore(semaphore));
    must(cudaEventDestroy(event));
    must(cudaFree(at));
  }

  cudaKernelNodeParams kernel(int which = 0) {
    cudaKernelNodeParams made = {};
    made.func = &stubs[which];
    made.gridDim = made.blockDim = dim3(2);
    made.kernelParams = arguments;
    return made;
  }
  cudaMemsetParams memset() const { return {at, 0, 1, 1, 16, 1}; }
  cudaMemcpy3DParms box(size_t height = 1) const {
    cudaMemcpy3DParms made = {};
    made.dstPtr = {at, 16, 16, height};
    made.srcPtr = {at + 64, 16, 16, height};
    made.extent = {16, height, 1};
    made.kind = cudaMemcpyDeviceToDevice;
    return made;
  }
  template <class T, class Change>
  static T changed(T what, Change&& change) {
    change(what);
    return what;
  }

  // The call is refused with the error, and its line in the log names the node and says `words`.
  void refused(cudaError_t expected, cudaGraphNode_t node, const std::string& words,
               const std::function<cudaError_t()>& call) {
    SCOPED_TRACE(words);
    cudaLogIterator position = 0;
    must(cudaLogsCurrent(&position, 0));
    EXPECT_EQ(expected, call());
    std::vector<char> text(8192);
    size_t size = text.size();
    must(cudaLogsDumpToMemory(&position, text.data(), &size, 0));
    const std::string said(text.data(), size);
    char name[32];
    std::snprintf(name, sizeof name, "node %p", static_cast<void*>(node));
    EXPECT_NE(std::string::npos, said.find(name)) << said;
    EXPECT_NE(std::string::npos, said.find(words)) << said;
    (void)cudaGetLastError();
  }
  static cudaGraphNodeParams params_of(cudaGraphNodeType type) {
    cudaGraphNodeParams made = {};
    made.type = type;
    return made;
  }
  // By the call for nodes of every type.
  void any_refused(cudaError_t error, cudaGraphNode_t node, const char* words, cudaGraphNodeParams params) {
    refused(error, node, words, [&] { return cudaGraphExecNodeSetParams(exec, node, &params); });
  }

  struct Call {
    const char* type;  // of the node that it takes
    cudaGraphNode_t fits;
    std::function<cudaError_t(cudaGraphExec_t, cudaGraphNode_t)> call;
  };
  // Each call once, with valid parameters.
  std::vector<Call> calls() {
    auto any = [](cudaGraphNodeParams params) {
      return
          [params](cudaGraphExec_t e, cudaGraphNode_t n) mutable { return cudaGraphExecNodeSetParams(e, n, &params); };
    };
    cudaGraphNodeParams same = {};
    same.type = cudaGraphNodeTypeMemcpy;
    same.memcpy.copyParams = box();
    return {
        {"a kernel node", kernel_node,
         [p = kernel()](auto e, auto n) { return cudaGraphExecKernelNodeSetParams(e, n, &p); }},
        {"a memcpy node", copy_node,
         [p = box()](auto e, auto n) { return cudaGraphExecMemcpyNodeSetParams(e, n, &p); }},
        {"a memcpy node", copy_node,
         [this](auto e, auto n) {
           return cudaGraphExecMemcpyNodeSetParams1D(e, n, at, at + 64, 16, cudaMemcpyDeviceToDevice);
         }},
        {"a memcpy node", copy_node,
         [this](auto e, auto n) {
           return cudaGraphExecMemcpyNodeSetParamsToSymbol(e, n, variable, at, 4, 0, cudaMemcpyDeviceToDevice);
         }},
        {"a memcpy node", copy_node,
         [this](auto e, auto n) {
           return cudaGraphExecMemcpyNodeSetParamsFromSymbol(e, n, at, variable, 4, 0, cudaMemcpyDeviceToDevice);
         }},
        {"a memset node", set_node,
         [p = memset()](auto e, auto n) { return cudaGraphExecMemsetNodeSetParams(e, n, &p); }},
        {"a host node", host_node,
         [](auto e, auto n) {
           const cudaHostNodeParams p = {[](void*) {}, nullptr};
           return cudaGraphExecHostNodeSetParams(e, n, &p);
         }},
        {"a child graph node", child_node,
         [this](auto e, auto n) { return cudaGraphExecChildGraphNodeSetParams(e, n, inner); }},
        {"an event record node", record_node,
         [this](auto e, auto n) { return cudaGraphExecEventRecordNodeSetEvent(e, n, event); }},
        {"an event wait node", wait_node,
         [this](auto e, auto n) { return cudaGraphExecEventWaitNodeSetEvent(e, n, event); }},
        {"semaphore signal node", signal_node,
         [this](auto e, auto n) {
           const cudaExternalSemaphoreSignalNodeParams p = {&semaphore, &signalled, 1};
           return cudaGraphExecExternalSemaphoresSignalNodeSetParams(e, n, &p);
         }},
        {"semaphore wait node", semaphore_wait_node,
         [this](auto e, auto n) {
           const cudaExternalSemaphoreWaitNodeParams p = {&semaphore, &waited, 1};
           return cudaGraphExecExternalSemaphoresWaitNodeSetParams(e, n, &p);
         }},
        {"a memcpy node", copy_node, any(same)},
        {"kernels, copies and sets", kernel_node, [](auto e, auto n) { return cudaGraphNodeSetEnabled(e, n, 1); }},
    };
  }

  char* at = nullptr;
  int argument = 0;
  void* arguments[1] = {&argument};
  cudaEvent_t event = nullptr;
  cudaExternalSemaphore_t semaphore = nullptr;
  cudaExternalSemaphoreSignalParams signalled = {};
  cudaExternalSemaphoreWaitParams waited = {};
  cudaGraph_t graph = nullptr, inner = nullptr;
  cudaGraphNode_t kernel_node, copy_node, set_node, host_node, record_node, wait_node, signal_node, semaphore_wait_node,
      child_node, empty_node, inside;
  cudaGraphExec_t exec = nullptr;
};

constexpr cudaError_t bad = cudaErrorInvalidValue;

TEST_F(NodeRefusal, WrongHandles) {
  cudaGraph_t other = nullptr;
  cudaGraphNode_t foreign = nullptr, gone = nullptr, in_child = nullptr;
  must(cudaGraphCreate(&other, 0));
  must(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0));
  must(cudaGraphAddEmptyNode(&gone, other, nullptr, 0));
  must(cudaGraphDestroyNode(gone));
  cudaGraph_t embedded = nullptr;
  must(cudaGraphChildGraphNodeGetGraph(child_node, &embedded));
  size_t one = 1;
  must(cudaGraphGetNodes(embedded, &in_child, &one));
  cudaGraphExec_t destroyed = nullptr;
  must(cudaGraphInstantiate(&destroyed, graph, 0));
  must(cudaGraphExecDestroy(destroyed));
  const auto invented_exec = reinterpret_cast<cudaGraphExec_t>(&variable);
  const auto invented = reinterpret_cast<cudaGraphNode_t>(&variable);
  int number = 0;
  for (const Call& each : calls()) {
    SCOPED_TRACE(number++);
    EXPECT_EQ(cudaSuccess, each.call(exec, each.fits));
    for (cudaGraphExec_t no_exec :
         {cudaGraphExec_t{}, destroyed, invented_exec, reinterpret_cast<cudaGraphExec_t>(graph)}) {
      refused(bad, each.fits, "is not an executable graph", [&] { return each.call(no_exec, each.fits); });
    }
    // `inside` is the node that was copied into the child graph.
    for (cudaGraphNode_t none :
         {cudaGraphNode_t{}, foreign, gone, invented, inside, reinterpret_cast<cudaGraphNode_t>(exec)}) {
      refused(bad, none, "is not one of the graph that was instantiated", [&] { return each.call(exec, none); });
    }
    for (cudaGraphNode_t wrong : {empty_node, in_child}) {
      refused(bad, wrong, each.type, [&] { return each.call(exec, wrong); });
      refused(bad, wrong, "is an empty node", [&] { return each.call(exec, wrong); });
    }
  }
  must(cudaGraphDestroy(other));
}

TEST_F(NodeRefusal, Kernels) {
  auto set = [&](cudaError_t error, const std::string& words, const cudaKernelNodeParams& params) {
    refused(error, kernel_node, words, [&] { return cudaGraphExecKernelNodeSetParams(exec, kernel_node, &params); });
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeKernel;
    std::memcpy(&any.kernel, &params, sizeof params);
    refused(error, kernel_node, words, [&] { return cudaGraphExecNodeSetParams(exec, kernel_node, &any); });
  };
  using P = cudaKernelNodeParams;
  refused(bad, kernel_node, "the parameters are null",
          [&] { return cudaGraphExecKernelNodeSetParams(exec, kernel_node, nullptr); });
  set(cudaErrorInvalidDeviceFunction, "the function is null", changed(kernel(), [](P& p) { p.func = nullptr; }));
  set(cudaErrorInvalidResourceHandle, "is not a kernel", changed(kernel(), [](P& p) { p.func = &variable; }));
  set(bad, "each side of a grid", changed(kernel(), [](P& p) { p.gridDim.y = 0; }));
  set(bad, "each side of a block", changed(kernel(), [](P& p) { p.blockDim.z = 65; }));
  set(bad, "the block has 4096 threads; the limit is 1024", changed(kernel(), [](P& p) { p.blockDim = dim3(64, 64); }));
  set(bad, "__launch_bounds__", changed(kernel(1), [](P& p) { p.blockDim = dim3(128); }));
  set(bad, "bytes of dynamic shared memory are allowed", changed(kernel(), [](P& p) { p.sharedMemBytes = 1 << 30; }));
  set(bad, "the pointer to argument 0 is null", changed(kernel(), [](P& p) { p.kernelParams = nullptr; }));
  void* null_argument[] = {nullptr};
  set(bad, "the pointer to argument 0 is null", changed(kernel(), [&](P& p) { p.kernelParams = null_argument; }));
  auto with_extra = [&](void** extra) {
    return changed(kernel(), [&](P& p) { p.kernelParams = nullptr, p.extra = extra; });
  };
  auto word = [](uintptr_t value) { return reinterpret_cast<void*>(value); };
  size_t bytes = 8;
  void *none[] = {nullptr}, *unknown[] = {word(7), &bytes, nullptr},
       *large[] = {word(1), &argument, word(2), &bytes, nullptr};
  set(bad, "`extra` has no CU_LAUNCH_PARAM_BUFFER_POINTER", with_extra(none));
  set(bad, "`extra` has an unknown entry", with_extra(unknown));
  set(bad, "the buffer in `extra` has 8 bytes; the arguments have 4", with_extra(large));
  set(bad, "both kernelParams and extra are given", changed(kernel(), [&](P& p) { p.extra = large; }));
  set(cudaErrorNotSupported, "clusters of 2 x 1 x 1", kernel(2));
}

TEST_F(NodeRefusal, Copies) {
  auto set = [&](cudaError_t error, const std::string& words, const cudaMemcpy3DParms& params) {
    refused(error, copy_node, words, [&] { return cudaGraphExecMemcpyNodeSetParams(exec, copy_node, &params); });
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeMemcpy;
    any.memcpy.copyParams = params;
    refused(error, copy_node, words, [&] { return cudaGraphExecNodeSetParams(exec, copy_node, &any); });
  };
  using P = cudaMemcpy3DParms;
  refused(bad, copy_node, "the parameters are null",
          [&] { return cudaGraphExecMemcpyNodeSetParams(exec, copy_node, nullptr); });
  set(bad, "must copy at least one byte", changed(box(), [](P& p) { p.extent.width = 0; }));
  set(bad, "the source is null", changed(box(), [](P& p) { p.srcPtr.ptr = nullptr; }));
  set(bad, "the destination is null", changed(box(), [](P& p) { p.dstPtr.ptr = nullptr; }));
  set(bad, "the destination's pitch", changed(box(), [](P& p) { p.dstPtr.pitch = 8; }));
  set(cudaErrorInvalidPitchValue, "the source's pitch", changed(box(2), [](P& p) { p.srcPtr.pitch = 8; }));
  set(bad, "the source's slices", changed(box(2), [](P& p) { p.srcPtr.ysize = 1; }));
  set(bad, "the box starts at", changed(box(), [](P& p) { p.srcPos.x = 8; }));
  set(bad, "exceeds the address space", changed(box(), [](P& p) { p.dstPos.z = ~size_t{0}; }));
  set(cudaErrorInvalidMemcpyDirection, "9 is not a cudaMemcpyKind",
      changed(box(), [](P& p) { p.kind = static_cast<cudaMemcpyKind>(9); }));
  set(cudaErrorNotSupported, "no arrays",
      changed(box(), [](P& p) { p.srcArray = reinterpret_cast<cudaArray_t>(&variable); }));
  cudaGraphNodeParams flagged = {};
  flagged.type = cudaGraphNodeTypeMemcpy;
  flagged.memcpy.copyParams = box();
  flagged.memcpy.flags = 1;
  refused(bad, copy_node, "flags and reserved must be 0",
          [&] { return cudaGraphExecNodeSetParams(exec, copy_node, &flagged); });

  auto plain = [&](cudaError_t error, const char* words, void* to, const void* from, size_t bytes,
                   int kind = cudaMemcpyDeviceToDevice) {
    refused(error, copy_node, words, [&] {
      return cudaGraphExecMemcpyNodeSetParams1D(exec, copy_node, to, from, bytes, static_cast<cudaMemcpyKind>(kind));
    });
  };
  std::vector<char> pageable(64);
  plain(bad, "must copy at least one byte", at, at + 64, 0);
  plain(bad, "the source is null", at, nullptr, 8);
  plain(bad, "the destination is null", nullptr, at, 8);
  plain(bad, "takes 8192 bytes; 4096 are left", at, at, 8192);
  plain(bad, "is ordinary host memory", pageable.data(), at, 8);
  plain(cudaErrorInvalidMemcpyDirection, "9 is not a cudaMemcpyKind", at, at + 64, 8, 9);
  plain(bad, "kind of the copy cannot change", at, at + 64, 8, cudaMemcpyHostToDevice);

  auto symbol = [&](cudaError_t error, const char* words, const void* what, size_t bytes, size_t offset,
                    cudaMemcpyKind to_kind, cudaMemcpyKind from_kind) {
    refused(error, copy_node, words, [&] {
      return cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, copy_node, what, at, bytes, offset, to_kind);
    });
    refused(error, copy_node, words, [&] {
      return cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, copy_node, at, what, bytes, offset, from_kind);
    });
  };
  const auto same = cudaMemcpyDeviceToDevice;
  symbol(cudaErrorInvalidSymbol, "is not a __device__ or __constant__ variable", &argument, 4, 0, same, same);
  symbol(bad, "8 bytes from offset 12 of a variable", variable, 8, 12, same, same);
  symbol(bad, "must copy at least one byte", variable, 0, 0, same, same);
  symbol(cudaErrorInvalidMemcpyDirection, "in a variable", variable, 4, 0, cudaMemcpyDeviceToHost,
         cudaMemcpyHostToDevice);
}

TEST_F(NodeRefusal, Sets) {
  auto set = [&](cudaError_t error, const std::string& words, const cudaMemsetParams& params) {
    refused(error, set_node, words, [&] { return cudaGraphExecMemsetNodeSetParams(exec, set_node, &params); });
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeMemset;
    std::memcpy(&any.memset, &params, sizeof params);
    refused(error, set_node, words, [&] { return cudaGraphExecNodeSetParams(exec, set_node, &any); });
  };
  using P = cudaMemsetParams;
  std::vector<char> pageable(64);
  refused(bad, set_node, "the parameters are null",
          [&] { return cudaGraphExecMemsetNodeSetParams(exec, set_node, nullptr); });
  set(bad, "width and height of a memset node must not be 0", changed(memset(), [](P& p) { p.width = 0; }));
  set(bad, "width and height of a memset node must not be 0", changed(memset(), [](P& p) { p.height = 0; }));
  set(bad, "elements of 3 bytes", changed(memset(), [](P& p) { p.elementSize = 3; }));
  set(bad, "the destination is null", changed(memset(), [](P& p) { p.dst = nullptr; }));
  set(bad, "is ordinary host memory", changed(memset(), [&](P& p) { p.dst = pageable.data(); }));
  set(bad, "takes 5000 bytes", changed(memset(), [](P& p) { p.width = 5000; }));
  set(bad, "are not aligned", changed(memset(), [&](P& p) { p.dst = at + 1, p.elementSize = 4, p.width = 4; }));
  set(bad, "the pitch 8 is less than the width 16", changed(memset(), [](P& p) { p.height = 2, p.pitch = 8; }));
  set(bad, "the rows exceed the address space",
      changed(memset(), [](P& p) { p.width = ~size_t{0}, p.elementSize = 4; }));
}

TEST_F(NodeRefusal, HostFunctionsAndEvents) {
  const cudaHostNodeParams no_function = {};
  refused(bad, host_node, "the function is null",
          [&] { return cudaGraphExecHostNodeSetParams(exec, host_node, &no_function); });
  refused(bad, host_node, "the parameters are null",
          [&] { return cudaGraphExecHostNodeSetParams(exec, host_node, nullptr); });
  any_refused(bad, host_node, "the function is null", params_of(cudaGraphNodeTypeHost));
  cudaEvent_t gone = nullptr;
  must(cudaEventCreate(&gone));
  must(cudaEventDestroy(gone));
  for (cudaEvent_t none : {cudaEvent_t{}, gone, reinterpret_cast<cudaEvent_t>(&variable)}) {
    refused(bad, record_node, "is not an event",
            [&] { return cudaGraphExecEventRecordNodeSetEvent(exec, record_node, none); });
    refused(bad, wait_node, "is not an event",
            [&] { return cudaGraphExecEventWaitNodeSetEvent(exec, wait_node, none); });
  }
  any_refused(bad, record_node, "is not an event", params_of(cudaGraphNodeTypeEventRecord));
  any_refused(bad, wait_node, "is not an event", params_of(cudaGraphNodeTypeWaitEvent));
}

TEST_F(NodeRefusal, Semaphores) {
  cudaExternalSemaphore_t none = nullptr;
  auto semaphores = [&](cudaError_t error, const char* words, cudaExternalSemaphore_t* list, unsigned flags,
                        unsigned count) {
    cudaExternalSemaphoreSignalParams signal = {};
    cudaExternalSemaphoreWaitParams wait = {};
    signal.flags = wait.flags = flags;
    const cudaExternalSemaphoreSignalNodeParams signals = {list, &signal, count};
    const cudaExternalSemaphoreWaitNodeParams waits = {list, &wait, count};
    refused(error, signal_node, words,
            [&] { return cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal_node, &signals); });
    refused(error, semaphore_wait_node, words,
            [&] { return cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, semaphore_wait_node, &waits); });
  };
  semaphores(cudaErrorInvalidResourceHandle, "semaphore 0 of 1", &none, 0, 1);
  semaphores(bad, "the list of semaphores is null or empty", nullptr, 0, 1);
  semaphores(bad, "flags must be 0, not 0x1", &semaphore, 1, 1);
  semaphores(bad, "number of semaphores", &semaphore, 0, 0);
  refused(bad, signal_node, "the parameters are null",
          [&] { return cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal_node, nullptr); });
  refused(bad, semaphore_wait_node, "the parameters are null",
          [&] { return cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, semaphore_wait_node, nullptr); });
}

TEST_F(NodeRefusal, ChildGraphs) {
  cudaGraph_t other = nullptr, updatable = nullptr;
  must(cudaGraphCreate(&other, 0));
  refused(bad, child_node, "is not a graph",
          [&] { return cudaGraphExecChildGraphNodeSetParams(exec, child_node, nullptr); });
  any_refused(bad, child_node, "is not a graph", params_of(cudaGraphNodeTypeGraph));
  refused(cudaErrorGraphExecUpdateFailure, child_node, "the number of nodes changed",
          [&] { return cudaGraphExecChildGraphNodeSetParams(exec, child_node, other); });
  cudaGraphNode_t within = nullptr;
  const cudaKernelNodeParams plain = kernel();
  must(cudaGraphAddKernelNode(&within, other, nullptr, 0, &plain));
  for (cudaGraphNode_t named : {child_node, within}) {
    refused(cudaErrorGraphExecUpdateFailure, named, "is a kernel node, not an empty node",
            [&] { return cudaGraphExecChildGraphNodeSetParams(exec, child_node, other); });
  }
  must(cudaGraphCreate(&updatable, 0));
  must(cudaGraphAddKernelNode(&within, updatable, nullptr, 0, &plain));
  cudaLaunchAttributeValue yes = {};
  yes.deviceUpdatableKernelNode.deviceUpdatable = 1;
  must(cudaGraphKernelNodeSetAttribute(within, cudaLaunchAttributeDeviceUpdatableKernelNode, &yes));
  refused(cudaErrorNotSupported, child_node, "nodes that device code may change",
          [&] { return cudaGraphExecChildGraphNodeSetParams(exec, child_node, updatable); });
  must(cudaGraphDestroy(other));
  must(cudaGraphDestroy(updatable));
}

TEST_F(NodeRefusal, ParametersOfEveryType) {
  refused(bad, kernel_node, "the parameters are null",
          [&] { return cudaGraphExecNodeSetParams(exec, kernel_node, nullptr); });
  auto reserved = params_of(cudaGraphNodeTypeEmpty);
  reserved.reserved2 = 1;
  any_refused(bad, empty_node, "bytes of the parameters that an empty node does not use", reserved);
  any_refused(bad, empty_node, "type is 99", params_of(static_cast<cudaGraphNodeType>(99)));
  for (auto type : {cudaGraphNodeTypeConditional, cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree}) {
    any_refused(bad, empty_node, "is an empty node, not a", params_of(type));
  }
  any_refused(bad, kernel_node, "is a kernel node, not an empty node", params_of(cudaGraphNodeTypeEmpty));
}

TEST_F(NodeRefusal, NodesThatCannotBeDisabled) {
  for (cudaGraphNode_t each :
       {host_node, record_node, wait_node, signal_node, semaphore_wait_node, child_node, empty_node}) {
    refused(bad, each, "only kernels, copies and sets can be disabled",
            [&] { return cudaGraphNodeSetEnabled(exec, each, 0); });
  }
}

}  // namespace
