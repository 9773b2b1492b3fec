// An argument for a parameter, chosen by its type and name.
//
// What CUDA reads or writes through is null or real, and as long as the numbers beside it say: arrays have `elements`
// elements, counts are at most that, and the bytes and pitches of copies stay within Memories::reach. Everything else
// may be anything.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/external_semaphore.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>

#include "device_code.h"
#include "handles.h"
#include "memories.h"

namespace fuzz {

constexpr size_t elements = 8;

struct Parameter {
  std::string_view call, name;
  bool called(std::string_view part) const { return call.find(part) != std::string_view::npos; }
  bool is(std::initializer_list<std::string_view> names) const {
    for (std::string_view each : names) {
      if (each == name) return true;
    }
    return false;
  }
};

class Arguments {
 public:
  Arguments(Random& random, Memories& memories) : random_(random), memories_(memories) {}

  template <class T>
  T make(const Parameter& p) {
    if constexpr (Opaque<T>) {
      return Handles<T>::pick(random_);
    } else if constexpr (std::is_pointer_v<T>) {
      return pointer<T>(p);
    } else {
      T value{};
      fill(value, p);
      return value;
    }
  }

  // After a call: what it allocated for the caller is kept for later ones.
  template <class T>
  void collect(const Parameter& p, T argument) {
    if constexpr (std::is_pointer_v<T>) {
      using Target = std::remove_pointer_t<T>;
      if constexpr (std::is_same_v<T, void**>) {
        if (argument) collect_memory(p, *argument);
      } else if constexpr (std::is_same_v<T, cudaPitchedPtr*>) {
        if (argument) memories_.keep(Memories::Kind::device, argument->ptr);
      } else if constexpr (!std::is_const_v<Target> && Opaque<Target>) {
        if (argument && p.is({"pStream", "event", "event_out", "extSem_out", "callback_out", "callback", "library",
                              "object_out", "pGraph", "pGraphExec", "memPool", "kernelPtr", "functionPtr"})) {
          Handles<Target>::keep(random_, *argument);
        }
      }
    }
  }

  // Ends a call: its arrays go, and a descriptor that it did not take.
  void end_call(bool succeeded) {
    for (void* slot : slots_) std::free(slot);
    slots_.clear();
    if (descriptor_ >= 0 && !succeeded) close(descriptor_);
    descriptor_ = -1;
  }

 private:
  template <class T>
  T pointer(const Parameter& p) {
    using Target = std::remove_pointer_t<T>;
    using Element = std::remove_const_t<Target>;
    if constexpr (std::is_function_v<Target>) {
      return random_.one_in(4) ? nullptr : function(static_cast<T>(nullptr));
    } else if constexpr (std::is_void_v<Target>) {
      return address(p);
    } else if constexpr (std::is_same_v<T, const char*>) {
      // Some calls write the file they are told.
      if (p.is({"path", "pathToFile", "fileName"})) {
        return random_.pick<const char*>({nullptr, "", "/dev/null", "/dev/null", "/no/such/folder/file"});
      }
      return random_.pick<const char*>({nullptr, "", "fuzz_kernel", "cuInit", "FFFF:00:00.0", "1:2:3:4:5"});
    } else if constexpr (std::is_same_v<T, char*>) {
      return random_.one_in(8) ? nullptr : static_cast<T>(slot(4096));
    } else {
      if (random_.one_in(8)) return nullptr;
      auto* array = static_cast<Element*>(slot(elements * sizeof(Element)));
      for (size_t i = 0; i < elements; ++i) fill(array[i], p);
      return array;
    }
  }

  void* slot(size_t bytes) {
    slots_.push_back(std::calloc(1, bytes));
    return slots_.back();
  }

  // What a void pointer is depends on its name alone.
  void* address(const Parameter& p) {
    if (p.is({"func", "entryFuncAddr", "symbolPtr", "symbol"})) {
      return random_.pick<void*>({nullptr, &kernel_stub, &kernel_stub, &kernel_stub, variable_shadow, variable_shadow,
                                  memories_.any_or_invented()});
    }
    if (p.is({"data", "userData", "value", "code", "nvSciSyncAttrList", "shareableHandle"}) ||
        (p.name == "ptr" && p.called("UserObject"))) {
      return random_.one_in(8) ? nullptr : slot(4096);
    }
    if (p.called("HostRegister")) return random_.one_in(8) ? nullptr : memories_.host();
    return p.called("Memcpy") ? memories_.any() : memories_.any_or_invented();
  }

  void collect_memory(const Parameter& p, void* memory) {
    if (p.called("cudaMallocManaged")) return memories_.keep(Memories::Kind::managed, memory);
    if (p.called("cudaMallocHost") || p.called("cudaHostAlloc")) return memories_.keep(Memories::Kind::pinned, memory);
    if (p.called("cudaMalloc")) memories_.keep(Memories::Kind::device, memory);
  }

  // ---- numbers ------------------------------------------------------------------------------------------------------

  size_t bytes(const Parameter& p) {
    if (p.called("Malloc") || p.called("HostAlloc")) {
      return random_.pick<size_t>({0, 1, 100, 512, 4096, 70000, 300000, 3000000, size_t{1} << 46, SIZE_MAX});
    }
    return random_.pick<size_t>({0, 1, 3, 16, 64, 100, 255, 4096, 65536});
  }

  size_t number(const Parameter& p) {
    const bool counts_items = p.called("Batch") || p.called("Capabilities") || p.called("MapResources") ||
                              p.called("SetAccess") || p.called("UserObject") || p.called("SetValidDevices");
    if (p.name.starts_with("num") || p.name == "initialRefcount" || (p.is({"count", "len"}) && counts_items)) {
      // Mostly few: each item more is one more that may be wrong.
      return random_.pick<size_t>({0, 1, 1, 1, 1, 2, 2, elements});
    }
    if (p.is({"count", "size", "sizes", "length"})) {
      // A length beside a buffer of 4096 bytes; else bytes of memory.
      return p.called("Logs") ? random_.below(4097) : bytes(p);
    }
    if (p.is({"dataSize", "dataSizes"})) return random_.pick<size_t>({0, 3, 4, 8, 12, 4096});
    if (p.is({"attrsIdxs", "prefetchLocIdxs"})) return random_.pick<size_t>({0, 0, 0, 1, 2});
    if (p.is({"sharedMem", "dynamicSMemSize", "value", "minBytesToKeep"})) {
      return random_.pick<size_t>({0, 1, 1024, 49152, 49153, 1 << 20, SIZE_MAX});
    }
    return random_.pick<size_t>({0, 1, 2, 3, 4, 8, 16, 64, 100, 255});
  }

  template <class T>
    requires std::is_integral_v<T>
  void fill(T& value, const Parameter& p) {
    if (p.is({"device", "peerDevice", "srcDevice", "dstDevice", "device_arr"})) {
      value = static_cast<T>(random_.pick<int>({0, 0, 0, 1, 1, -1, 2, 4096}));
    } else if (p.name == "len") {
      value = static_cast<T>(p.called("SetValidDevices") ? random_.below(elements) : random_.pick<int>({-1, 0, 5, 13, 64}));
    } else if (p.name == "flags" && p.called("cudaEventCreate")) {
      value = static_cast<T>(random_.pick<int>({0, 0, 1, 2, 6, 6, 8, -1}));
    } else if (p.name.find("lags") != std::string_view::npos) {
      value = static_cast<T>(random_.one_in(8) ? random_.bits() : random_.below(5));
    } else {
      value = static_cast<T>(number(p));
    }
  }

  template <class T>
    requires std::is_enum_v<T>
  void fill(T& value, const Parameter&) {
    const int number = random_.one_in(16) ? static_cast<int>(random_.bits()) : static_cast<int>(random_.below(14)) - 1;
    std::memcpy(&value, &number, sizeof value);
  }

  void fill(float& value, const Parameter&) { value = 0; }
  void fill(char& value, const Parameter&) { value = 0; }

  // ---- pointers inside arrays and structures ------------------------------------------------------------------------

  template <Opaque T>
  void fill(T& value, const Parameter&) {
    value = Handles<T>::pick(random_);
  }

  void fill(void*& value, const Parameter& p) {
    static char buffer[4096];
    value = p.is({"args", "data"}) ? buffer : p.is({"dptrs", "dsts"}) ? memories_.any() : nullptr;
  }
  void fill(const void*& value, const Parameter& p) { value = p.name == "srcs" ? memories_.any() : nullptr; }
  void fill(const char*& value, const Parameter&) { value = nullptr; }

  // ---- structures ---------------------------------------------------------------------------------------------------

  // Those that are answers, or that no call looks into yet, are zero.
  template <class T>
    requires std::is_class_v<T> || std::is_union_v<T>
  void fill(T&, const Parameter&) {}
  template <Complete T>
  void fill(T*& value, const Parameter&) {
    value = nullptr;
  }

  void fill(dim3& value, const Parameter& p) {
    const bool block = p.name == "blockDim";
    value = dim3(random_.pick<unsigned>({0, 1, 1, 2, 3, block ? 1024u : 7u}),
                 random_.pick<unsigned>({0, 1, 1, 1, 2, block ? 2u : 70000u}),
                 random_.pick<unsigned>({1, 1, 1, 1, 3, block ? 65u : 70000u}));
  }
  void fill(cudaExtent& value, const Parameter&) { value = {random_.below(33), random_.below(33), random_.below(33)}; }
  void fill(cudaPos& value, const Parameter&) { value = {random_.below(9), random_.below(9), random_.below(9)}; }
  void fill(cudaPitchedPtr& value, const Parameter&) {
    value = {memories_.any(), random_.pick<size_t>({0, 8, 32, 40, 255}), random_.below(33), random_.below(40)};
  }
  void fill(cudaMemLocation& value, const Parameter& p) {
    fill(value.type, p);
    value.id = random_.pick<int>({0, 0, 1, -1, 4096});
  }
  void fill(cudaMemcpyAttributes& value, const Parameter& p) {
    value.srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(random_.below(5));
    value.flags = random_.one_in(8) ? static_cast<unsigned>(random_.bits()) : static_cast<unsigned>(random_.below(2));
    fill(value.srcLocHint, p);
  }
  void fill(cudaMemcpy3DParms& value, const Parameter& p) { fill_box(value, p); }
  void fill(cudaMemcpy3DPeerParms& value, const Parameter& p) { fill_box(value, p); }
  template <class T>
  void fill_box(T& value, const Parameter& p) {
    fill(value.srcPtr, p);
    fill(value.dstPtr, p);
    fill(value.srcPos, p);
    fill(value.dstPos, p);
    fill(value.extent, p);
    if (random_.one_in(16)) value.srcArray = Handles<cudaArray_t>::pick(random_);
    if constexpr (requires { value.kind; }) {
      value.kind = static_cast<cudaMemcpyKind>(random_.below(6));
    } else {
      value.srcDevice = random_.pick<int>({0, 1, -1, 4096});
      value.dstDevice = random_.pick<int>({0, 1, -1, 4096});
    }
  }
  void fill(cudaMemcpy3DOperand& value) {
    value.type = static_cast<cudaMemcpy3DOperandType>(random_.pick<int>({1, 1, 1, 2, 0}));
    if (value.type != cudaMemcpyOperandTypePointer) return;
    value.op.ptr.ptr = memories_.any();
    value.op.ptr.rowLength = random_.pick<size_t>({0, 8, 32, 64});
    value.op.ptr.layerHeight = random_.pick<size_t>({0, 8, 32, 64});
  }
  void fill(cudaMemcpy3DBatchOp& value, const Parameter& p) {
    fill(value.src);
    fill(value.dst);
    fill(value.extent, p);
    value.srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(random_.below(5));
    value.flags = static_cast<unsigned>(random_.below(3));
  }
  void fill(cudaLaunchAttribute& value) {
    value.id = static_cast<cudaLaunchAttributeID>(random_.below(18));
    for (unsigned i = 0; i < sizeof value.val / sizeof(int); ++i) {
      const int word = static_cast<int>(random_.below(4));
      std::memcpy(reinterpret_cast<char*>(&value.val) + i * sizeof word, &word, sizeof word);
    }
  }
  void fill(cudaLaunchConfig_t& value, const Parameter& p) {
    fill(value.gridDim, {p.call, "gridDim"});
    fill(value.blockDim, {p.call, "blockDim"});
    value.dynamicSmemBytes = random_.pick<size_t>({0, 100, 49153, SIZE_MAX});
    value.stream = Handles<cudaStream_t>::pick(random_);
    value.numAttrs = static_cast<unsigned>(random_.below(elements + 1));
    value.attrs = random_.one_in(8) ? nullptr : static_cast<cudaLaunchAttribute*>(slot(elements * sizeof *value.attrs));
    for (size_t i = 0; value.attrs && i < elements; ++i) fill(value.attrs[i]);
  }
  // Waits pass at once: a timeline so far ahead that every value here is reached.
  void fill(cudaExternalSemaphoreHandleDesc& value, const Parameter&) {
    value.type = static_cast<cudaExternalSemaphoreHandleType>(random_.below(12));
    value.handle.fd = random_.pick<int>({-1, 0, 1, 2, 99999});
    if (descriptor_ >= 0 || random_.one_in(2)) return;
    value.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    static_cast<void>(repriseCreateSemaphoreFd(&descriptor_, repriseSemaphoreTimeline, 1ull << 60));
    value.handle.fd = descriptor_;
  }
  void fill(cudaExternalSemaphoreSignalParams& value, const Parameter&) { fill_semaphore(value); }
  void fill(cudaExternalSemaphoreWaitParams& value, const Parameter&) { fill_semaphore(value); }
  template <class T>
  void fill_semaphore(T& value) {
    value.params.fence.value = random_.below(100);
    value.flags = static_cast<unsigned>(random_.below(2));
  }
  void fill(cudaExternalMemoryHandleDesc& value, const Parameter&) {
    value.type = static_cast<cudaExternalMemoryHandleType>(random_.below(10));
    value.handle.fd = random_.pick<int>({-1, 0, 99999});
  }
  // Sometimes a true one, of this process.
  void fill(cudaIpcMemHandle_t& value, const Parameter&) {
    if (random_.one_in(2) && cudaIpcGetMemHandle(&value, memories_.any_or_invented()) == cudaSuccess) return;
    for (char& byte : value.reserved) byte = static_cast<char>(random_.bits());
  }
  void fill(cudaIpcEventHandle_t& value, const Parameter&) {
    if (random_.one_in(2) && cudaIpcGetEventHandle(&value, Handles<cudaEvent_t>::pick(random_)) == cudaSuccess) return;
    for (char& byte : value.reserved) byte = static_cast<char>(random_.bits());
  }

  // ---- functions ----------------------------------------------------------------------------------------------------

  static cudaHostFn_t function(cudaHostFn_t) {
    return [](void*) {};
  }
  static cudaStreamCallback_t function(cudaStreamCallback_t) {
    return [](cudaStream_t, cudaError_t, void*) {};
  }
  static cudaLogsCallback_t function(cudaLogsCallback_t) {
    return [](void*, cudaLogLevel, char*, size_t) {};
  }
  static cudaAsyncCallback function(cudaAsyncCallback) {
    return [](cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t) {};
  }

  Random& random_;
  Memories& memories_;
  std::vector<void*> slots_;
  int descriptor_ = -1;
};

}  // namespace fuzz
