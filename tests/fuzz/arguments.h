// Arguments for every parameter of a call, and handling of its results.
#pragma once

#include <algorithm>
#include <map>

#include "driver_structures.h"
#include "workshop.h"

namespace fuzz {

class Arguments : private DriverStructures {
 public:
  Arguments(Random& random, Memories& memories, const Lender::Handles* lent)
      : DriverStructures(random, memories), workshop_(random) {
    lent_ = lent;
  }

  void begin_call() {
    random_.begin_call();
    if (!random_.meant_well || random_.below(workshop_age) != 0) return;
    workshop_.make(memories_);
    graph_of_[workshop_.exec] = workshop_.graph;
  }

  template <class T>
  T make(const Parameter& p) {
    if (random_.right()) {
      if (T value{}; belongs(p, value)) return value;
    }
    if constexpr (std::is_same_v<T, cudaGraphNode_t>) {
      return node_ = node(p);
    } else if constexpr (std::is_same_v<T, cudaGraphExec_t>) {
      return exec_ = Handles<T>::pick(random_);
    } else if constexpr (Opaque<T>) {
      return Handles<T>::pick(random_);
    } else if constexpr (std::is_pointer_v<T>) {
      return pointer<T>(p);
    } else {
      T value{};
      fill(value, p);
      return value;
    }
  }

  // After a call, keeps what it allocated for later calls.
  template <class T>
  void collect(const Parameter& p, T argument) {
    if constexpr (std::is_same_v<T, cudaGraphExec_t*>) {
      if (argument) exec_ = *argument;
    } else if constexpr (std::is_same_v<T, cudaGraph_t>) {
      if (p.called("cudaGraphInstantiate")) graph_of_[exec_] = argument;
    } else if constexpr (std::is_same_v<T, cudaMemAllocNodeParams*>) {
      if (argument && argument->dptr) memories_.keep_graph_memory(argument->dptr);
    } else if constexpr (std::is_same_v<T, CUDA_MEM_ALLOC_NODE_PARAMS*>) {
      if (argument && argument->dptr) memories_.keep_graph_memory(reinterpret_cast<void*>(argument->dptr));
    } else if constexpr (std::is_same_v<T, CUdeviceptr*>) {
      if (argument) collect_driver_memory(p, reinterpret_cast<void*>(*argument));
    } else if constexpr (std::is_same_v<T, void*>) {
      if (p.called("cuMemPoolExport") && p.name == "handle_out") close(*static_cast<int*>(argument));
      if (p.called("cudaMemPoolExport") && p.name == "shareableHandle") close(*static_cast<int*>(argument));
    }
    if constexpr (std::is_pointer_v<T>) {
      using Target = std::remove_pointer_t<T>;
      if constexpr (std::is_same_v<T, void**>) {
        if (argument) collect_memory(p, *argument);
      } else if constexpr (std::is_same_v<T, cudaPitchedPtr*>) {
        if (argument) memories_.keep(Memories::Kind::device, argument->ptr);
      } else if constexpr (!std::is_const_v<Target> && Opaque<Target>) {
        if (argument &&
            p.is({"pStream",     "event",    "event_out",   "extSem_out", "callback_out", "callback",    "library",
                  "object_out",  "pGraph",   "pGraphClone", "pGraphNode", "pGraphExec",   "memPool",     "kernelPtr",
                  "functionPtr", "phStream", "phEvent",     "phGraph",    "phGraphClone", "phGraphNode", "phGraphExec",
                  "pctx",        "hfunc",    "pFunc",       "pKernel",    "hmod",         "pMod",        "pLib"})) {
          Handles<Target>::keep(random_, *argument);
        }
      }
    }
  }

  // Ends a call: frees its arrays, and closes a descriptor that the call did not take.
  void end_call(bool succeeded) {
    for (void* slot : slots_) std::free(slot);
    slots_.clear();
    if (descriptor_ >= 0 && !succeeded) close(descriptor_);
    descriptor_ = -1;
  }

 private:
  // Usually a node of the type that the call's name mentions.
  cudaGraphNode_t node(const Parameter& p) {
    constexpr std::pair<std::string_view, cudaGraphNodeType> types[] = {
        {"KernelNode", cudaGraphNodeTypeKernel},         {"MemcpyNode", cudaGraphNodeTypeMemcpy},
        {"MemsetNode", cudaGraphNodeTypeMemset},         {"HostNode", cudaGraphNodeTypeHost},
        {"ChildGraphNode", cudaGraphNodeTypeGraph},      {"EventRecordNode", cudaGraphNodeTypeEventRecord},
        {"EventWaitNode", cudaGraphNodeTypeWaitEvent},   {"SignalNode", cudaGraphNodeTypeExtSemaphoreSignal},
        {"WaitNode", cudaGraphNodeTypeExtSemaphoreWait}, {"MemAllocNode", cudaGraphNodeTypeMemAlloc},
        {"MemFreeNode", cudaGraphNodeTypeMemFree}};
    cudaGraphNode_t picked = any_node(p);
    for (const auto& [name, type] : types) {
      if (!p.called(name)) continue;
      cudaGraphNodeType found{};
      for (int tries = 0; tries < (random_.right() ? 40 : 5); ++tries) {
        if (cudaGraphNodeGetType(picked, &found) == cudaSuccess && found == type) return picked;
        picked = any_node(p);
      }
    }
    return picked;
  }

  // For calls on an executable graph, usually a node of the graph that it was made from.
  cudaGraphNode_t any_node(const Parameter& p) {
    const auto from = p.called("Exec") || p.called("Enabled") ? graph_of_.find(exec_) : graph_of_.end();
    if (from == graph_of_.end() || (!random_.right() && random_.one_in(4)))
      return Handles<cudaGraphNode_t>::pick(random_);
    cudaGraphNode_t nodes[64];
    size_t count = std::size(nodes);
    if (cudaGraphGetNodes(from->second, nodes, &count) != cudaSuccess || count == 0) return nullptr;
    return nodes[random_.below(std::min(count, std::size(nodes)))];
  }

  template <class T>
  T pointer(const Parameter& p) {
    using Target = std::remove_pointer_t<T>;
    using Element = std::remove_const_t<Target>;
    if constexpr (std::is_function_v<Target>) {
      return !random_.right() && random_.one_in(4) ? nullptr : function(static_cast<T>(nullptr));
    } else if constexpr (std::is_void_v<Target>) {
      return address(p);
    } else if constexpr (std::is_same_v<T, const char*>) {
      // Some calls write to the given file.
      if (p.is({"path", "pathToFile", "fileName"})) {
        return random_.pick<const char*>({nullptr, "", "/dev/null", "/dev/null", "/no/such/folder/file"});
      }
      return random_.pick<const char*>({nullptr, "", "fuzz_kernel", "cuInit", "FFFF:00:00.0", "1:2:3:4:5"});
    } else if constexpr (std::is_same_v<T, char*>) {
      return !random_.right() && random_.one_in(8) ? nullptr : static_cast<T>(slot(4096));
    } else {
      if (!random_.right() && random_.one_in(8)) return nullptr;
      auto* array = static_cast<Element*>(slot(elements * sizeof(Element)));
      for (size_t i = 0; i < elements; ++i) fill(array[i], p);
      return array;
    }
  }

  // The meaning of a void pointer follows from its name.
  void* address(const Parameter& p) {
    if (random_.right() && p.is({"func", "entryFuncAddr"})) return &kernel_stub;
    if (random_.right() && p.is({"symbolPtr", "symbol"})) return variable_shadow;
    if (p.is({"func", "entryFuncAddr", "symbolPtr", "symbol"})) {
      return random_.pick<void*>({nullptr, &kernel_stub, &kernel_stub, &kernel_stub, variable_shadow, variable_shadow,
                                  memories_.any_or_invented()});
    }
    if (p.is({"data", "userData", "value", "code", "nvSciSyncAttrList", "shareableHandle", "dptr_out", "handle_out",
              "image", "fatCubin"}) ||
        (p.name == "ptr" && p.called("UserObject"))) {
      return random_.one_in(8) ? nullptr : slot(4096);
    }
    const bool frees = p.called("MemFreeNode") || p.called("cudaFree");
    if (frees && p.is({"dptr", "devPtr"}) && random_.one_in(3)) return memories_.graph_memory();
    if (p.called("HostRegister")) return random_.one_in(8) ? nullptr : memories_.host();
    const bool ends = frees || p.called("Unregister") || p.called("GetDevicePointer") || p.called("HostGetFlags");
    if (random_.right() && !ends) {
      return memories_.right(p.called("Prefetch") || p.called("Advise") || p.called("MemRange") || p.called("Attach"));
    }
    if (p.called("Graph")) return lasting_for(p);
    return p.called("Memcpy") ? memories_.any() : memories_.any_or_invented();
  }

  void collect_memory(const Parameter& p, void* memory) {
    if (p.called("cudaMallocManaged")) return memories_.keep(Memories::Kind::managed, memory);
    if (p.called("cudaMallocHost") || p.called("cudaHostAlloc") || p.called("cuMemAllocHost") ||
        p.called("cuMemHostAlloc")) {
      return memories_.keep(Memories::Kind::pinned, memory);
    }
    if (p.called("cudaMalloc") || p.called("ImportPointer")) memories_.keep(Memories::Kind::device, memory);
    if (p.called("IpcOpenMemHandle")) borrowed_ = memory;
  }

  void collect_driver_memory(const Parameter& p, void* memory) {
    if (p.called("cuMemAllocManaged")) return memories_.keep(Memories::Kind::managed, memory);
    if (p.called("cuMemAlloc")) memories_.keep(Memories::Kind::device, memory);
  }

  // A valid call gets objects that belong together.
  template <class T>
  bool belongs(const Parameter&, T&) {
    return false;
  }
  bool belongs(const Parameter& p, cudaGraph_t& value) {
    if (!p.called("FindInClone") && !p.called("ReleaseUserObject")) return false;
    value = p.called("Clone") ? workshop_.clone : workshop_.graph;
    return true;
  }
  bool belongs(const Parameter& p, cudaGraphNode_t& value) {
    if (!p.called("FindInClone")) return false;
    size_t one = 1;
    return cudaGraphGetNodes(workshop_.graph, &value, &one) == cudaSuccess && one == 1;
  }
  bool belongs(const Parameter&, cudaGraphExec_t& value) {
    if (random_.one_in(4)) return false;
    value = exec_ = workshop_.exec;
    return true;
  }
  bool belongs(const Parameter& p, cudaUserObject_t& value) {
    value = workshop_.object;
    return p.called("GraphReleaseUserObject");
  }
  bool belongs(const Parameter& p, cudaEvent_t& value) {
    value = p.name == "start" ? workshop_.begin : workshop_.end;
    return p.called("ElapsedTime");
  }
  bool belongs(const Parameter& p, cudaMemPool_t& value) {
    value = p.called("Import") ? workshop_.imported : workshop_.pool;
    return p.called("Import") || p.called("Export");
  }
  bool belongs(const Parameter& p, cudaMemPoolPtrExportData*& value) {
    if (!p.called("ImportPointer")) return false;
    value = static_cast<cudaMemPoolPtrExportData*>(slot(sizeof *value));
    *value = workshop_.pointer;
    return true;
  }
  bool belongs(const Parameter& p, void*& value) {
    value = p.called("ExportPointer")         ? workshop_.pool_memory
            : p.called("IpcClose")            ? borrowed_
            : p.called("ImportFromShareable") ? reinterpret_cast<void*>(static_cast<intptr_t>(workshop_.pool_file))
                                              : nullptr;
    return value != nullptr;
  }
  // A capturing stream, for the calls that need one.
  bool belongs(const Parameter& p, cudaStream_t& value) {
    if (!p.called("EndCapture") && !p.called("UpdateCapture")) return false;
    for (int tries = 0; tries < 40; ++tries) {
      value = Handles<cudaStream_t>::pick(random_);
      cudaStreamCaptureStatus status{};
      if (cudaStreamIsCapturing(value, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive) break;
    }
    return true;
  }

  static constexpr size_t workshop_age = 300;  // calls

  Workshop workshop_;
  void* borrowed_ = nullptr;  // another process's memory
  std::map<cudaGraphExec_t, cudaGraph_t> graph_of_;
  cudaGraphExec_t exec_ = nullptr;  // the one that the call at hand is about
};

}  // namespace fuzz
