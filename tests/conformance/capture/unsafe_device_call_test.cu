// Calls on the device, on functions and on graphs, made while a stream captures.
#include "capture/unsafe_calls.h"

namespace {

const UnsafeCallTable& device_queries() {
  static const UnsafeCallTable all = {
      {{"cudaGetDevice",
        [](Things&) {
          int d;
          return cudaGetDevice(&d);
        }},
       Rule::safe},
      {{"cudaGetDeviceCount",
        [](Things&) {
          int d;
          return cudaGetDeviceCount(&d);
        }},
       Rule::safe},
      {{"cudaGetDeviceProperties",
        [](Things&) {
          cudaDeviceProp p;
          return cudaGetDeviceProperties(&p, 0);
        }},
       Rule::safe},
      {{"cudaDeviceGetAttribute",
        [](Things&) {
          int v;
          return cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0);
        }},
       Rule::safe},
      {{"cudaDeviceGetLimit",
        [](Things&) {
          size_t v;
          return cudaDeviceGetLimit(&v, cudaLimitStackSize);
        }},
       Rule::safe},
      {{"cudaDeviceGetCacheConfig",
        [](Things&) {
          cudaFuncCache c;
          return cudaDeviceGetCacheConfig(&c);
        }},
       Rule::safe},
      {{"cudaDeviceGetStreamPriorityRange",
        [](Things&) {
          int a, b;
          return cudaDeviceGetStreamPriorityRange(&a, &b);
        }},
       Rule::safe},
      {{"cudaGetDeviceFlags",
        [](Things&) {
          unsigned f;
          return cudaGetDeviceFlags(&f);
        }},
       Rule::safe},
      {{"cudaDeviceCanAccessPeer",
        [](Things&) {
          int v;
          return cudaDeviceCanAccessPeer(&v, 0, 0);
        }},
       Rule::safe},
      {{"cudaRuntimeGetVersion",
        [](Things&) {
          int v;
          return cudaRuntimeGetVersion(&v);
        }},
       Rule::safe},
      {{"cudaGetLastError", [](Things&) { return cudaGetLastError(); }}, Rule::safe},
  };
  return all;
}

const UnsafeCallTable& device_settings() {
  static const UnsafeCallTable all = {
      {{"cudaDeviceSynchronize", [](Things&) { return cudaDeviceSynchronize(); }}, Rule::device},
      {{"cudaSetDevice", [](Things&) { return cudaSetDevice(0); }}, Rule::safe},
      {{"cudaInitDevice", [](Things&) { return cudaInitDevice(0, 0, 0); }}, Rule::safe},
      {{"cudaDeviceSetLimit",
        [](Things&) {
          size_t v = 1024;
          (void)cudaDeviceGetLimit(&v, cudaLimitStackSize);
          return cudaDeviceSetLimit(cudaLimitStackSize, v);
        }},
       Rule::unsafe},
      {{"cudaDeviceSetLimit of the printf buffer",
        [](Things&) {
          size_t v = 1024;
          (void)cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize);
          return cudaDeviceSetLimit(cudaLimitPrintfFifoSize, v);
        }},
       Rule::unsafe},
      {{"cudaDeviceSetCacheConfig", [](Things&) { return cudaDeviceSetCacheConfig(cudaFuncCachePreferNone); }},
       Rule::unsafe},
      {{"cudaSetDeviceFlags", [](Things&) { return cudaSetDeviceFlags(cudaDeviceScheduleAuto); }}, Rule::safe},
      {{"cudaCtxResetPersistingL2Cache", [](Things&) { return cudaCtxResetPersistingL2Cache(); }}, Rule::safe},
  };
  return all;
}

const UnsafeCallTable& function_calls() {
  static const UnsafeCallTable all = {
      {{"cudaFuncSetAttribute",
        [](Things&) {
          return cudaFuncSetAttribute(reinterpret_cast<const void*>(mark), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      1024);
        }},
       Rule::safe},
      {{"cudaFuncGetAttributes",
        [](Things&) {
          cudaFuncAttributes a;
          return cudaFuncGetAttributes(&a, reinterpret_cast<const void*>(mark));
        }},
       Rule::safe},
      {{"cudaFuncSetCacheConfig",
        [](Things&) { return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(mark), cudaFuncCachePreferNone); }},
       Rule::safe},
      {{"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        [](Things&) {
          int n;
          return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, reinterpret_cast<const void*>(mark), 32, 0);
        }},
       Rule::safe},
      {{"cudaFuncGetName",
        [](Things&) {
          const char* n;
          return cudaFuncGetName(&n, reinterpret_cast<const void*>(mark));
        }},
       Rule::safe},
      {{"cudaGetFuncBySymbol",
        [](Things&) {
          cudaFunction_t f;
          return cudaGetFuncBySymbol(&f, reinterpret_cast<const void*>(mark));
        }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& graph_calls() {
  static const UnsafeCallTable all = {
      {{"cudaGraphCreate",
        [](Things& t) {
          return create<cudaGraph_t>(t, [&](auto* made) { return cudaGraphCreate(made, 0); }, cudaGraphDestroy);
        }},
       Rule::safe},
      {{"cudaGraphDestroy",
        [](Things&) {
          cudaGraph_t g = nullptr;
          (void)cudaGraphCreate(&g, 0);
          return cudaGraphDestroy(g);
        }},
       Rule::safe},
      {{"cudaGraphAddEmptyNode",
        [](Things& t) {
          cudaGraphNode_t n;
          return cudaGraphAddEmptyNode(&n, t.graph, nullptr, 0);
        }},
       Rule::safe},
      {{"cudaGraphAddMemsetNode",
        [](Things& t) {
          cudaGraphNode_t n;
          auto p = memset_params(t.device.get(), 0, 1, 64);
          return cudaGraphAddMemsetNode(&n, t.graph, nullptr, 0, &p);
        }},
       Rule::safe},
      {{"cudaGraphClone",
        [](Things& t) {
          return create<cudaGraph_t>(t, [&](auto* made) { return cudaGraphClone(made, t.graph); }, cudaGraphDestroy);
        }},
       Rule::safe},
      {{"cudaGraphConditionalHandleCreate",
        [](Things& t) {
          cudaGraphConditionalHandle h;
          return cudaGraphConditionalHandleCreate(&h, t.graph, 0, 0);
        }},
       Rule::safe},
      {{"cudaGraphKernelNodeSetParams",
        [](Things& t) {
          int id = 3;
          void* a[] = {&id};
          auto p = kernel_params(mark, a);
          return cudaGraphKernelNodeSetParams(t.node, &p);
        }},
       Rule::safe},
      {{"cudaUserObjectCreate",
        [](Things& t) {
          return create<cudaUserObject_t>(
              t,
              [&](auto* made) {
                return cudaUserObjectCreate(made, nullptr, [](void*) {}, 1, cudaUserObjectNoDestructorSync);
              },
              [](auto made) { return cudaUserObjectRelease(made, 1); });
        }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& executable_graph_calls() {
  static const UnsafeCallTable all = {
      {{"cudaGraphExecUpdate",
        [](Things& t) {
          cudaGraphExecUpdateResultInfo i{};
          return cudaGraphExecUpdate(t.exec, t.graph, &i);
        }},
       Rule::safe},
      {{"cudaGraphExecKernelNodeSetParams",
        [](Things& t) {
          int id = 3;
          void* a[] = {&id};
          auto p = kernel_params(mark, a);
          return cudaGraphExecKernelNodeSetParams(t.exec, t.node, &p);
        }},
       Rule::safe},
      {{"cudaGraphInstantiate",
        [](Things& t) {
          return create<cudaGraphExec_t>(
              t, [&](auto* made) { return cudaGraphInstantiate(made, t.graph, 0); }, cudaGraphExecDestroy);
        }},
       Rule::unsafe},
      {{"cudaGraphExecDestroy",
        [](Things& t) {
          auto e = cudaGraphExecDestroy(t.exec);
          if (e == cudaSuccess) (void)cudaGraphInstantiate(&t.exec, t.graph, 0);
          return e;
        }},
       Rule::unsafe},
      {{"cudaGraphInstantiateWithFlags",
        [](Things& t) {
          return create<cudaGraphExec_t>(
              t, [&](auto* made) { return cudaGraphInstantiateWithFlags(made, t.graph, 0); }, cudaGraphExecDestroy);
        }},
       Rule::unsafe},
      {{"cudaGraphInstantiateWithParams",
        [](Things& t) {
          cudaGraphExec_t x = nullptr;
          cudaGraphInstantiateParams p{};
          auto e = cudaGraphInstantiateWithParams(&x, t.graph, &p);
          if (x) t.later.push_back([=] { (void)cudaGraphExecDestroy(x); });
          return e;
        }},
       Rule::unsafe},
      {{"cudaGraphInstantiate of null",
        [](Things& t) {
          cudaGraphExec_t x = nullptr;
          (void)t;
          return cudaGraphInstantiate(&x, nullptr, 0);
        }},
       Rule::unsafe_and_wrong},
      {{"cudaGraphNodeSetEnabled", [](Things& t) { return cudaGraphNodeSetEnabled(t.exec, t.node, 1); }}, Rule::safe},
      {{"cudaGraphExecGetFlags",
        [](Things& t) {
          unsigned long long f;
          return cudaGraphExecGetFlags(t.exec, &f);
        }},
       Rule::safe},
      {{"cudaGraphLaunch in another stream", [](Things& t) { return cudaGraphLaunch(t.exec, t.non_blocking); }},
       Rule::safe},
      {{"cudaGraphUpload in another stream", [](Things& t) { return cudaGraphUpload(t.exec, t.non_blocking); }},
       Rule::safe},
  };
  return all;
}

}  // namespace

TEST_P(UnsafeCalls, ThatQueryTheDevice) { ask(device_queries()); }
TEST_P(UnsafeCalls, ThatSetUpTheDevice) { ask(device_settings()); }
TEST_P(UnsafeCalls, OnFunctions) { ask(function_calls()); }
TEST_P(UnsafeCalls, OnGraphs) { ask(graph_calls()); }
TEST_P(UnsafeCalls, OnExecutableGraphs) { ask(executable_graph_calls()); }
IN_EVERY_SITUATION(UnsafeCalls);
