// Plain values for parameters, chosen by type and name: numbers, enumerators, handles, functions, and the pointers
// inside arrays.
//
// Pointers that CUDA dereferences are null or valid, and as long as the numbers beside them say: arrays have
// `elements` elements, counts are at most that, and sizes and pitches of copies stay within Memories::reach. All
// other values are arbitrary.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

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

class Values {
 protected:
  Values(Random& random, Memories& memories) : random_(random), memories_(memories) {}

  // ---- numbers ------------------------------------------------------------------------------------------------------

  size_t bytes(const Parameter& p) {
    if (random_.right()) return p.called("AttachMem") ? 0 : random_.pick<size_t>({1, 16, 64});
    if (p.called("Malloc") || p.called("HostAlloc")) {
      return random_.pick<size_t>({0, 1, 100, 512, 4096, 70000, 300000, 3000000, size_t{1} << 46, SIZE_MAX});
    }
    return random_.pick<size_t>({0, 1, 3, 16, 64, 100, 255, 4096, 65536});
  }

  size_t number(const Parameter& p) {
    const bool counts_items = p.called("Batch") || p.called("Capabilities") || p.called("MapResources") ||
                              p.called("SetAccess") || p.called("UserObject") || p.called("SetValidDevices");
    if (random_.right()) {
      if (p.is({"numDependencies"})) return p.called("UpdateCapture") ? 0 : random_.pick<size_t>({0, 0, 0, 1});
      if (p.is({"dpitch", "spitch", "pitch"})) return 64;
      if (p.is({"width", "height"})) return random_.pick<size_t>({1, 2, 16});
      if (p.is({"dataSize", "dataSizes"})) return 4;
      if (p.is({"attrsIdxs", "prefetchLocIdxs", "offset", "sharedMem", "dynamicSMemSize"})) return 0;
    }
    if (p.name.starts_with("num") || p.name.starts_with("pNum") || p.name == "initialRefcount" ||
        (p.is({"count", "len"}) && counts_items)) {
      // Usually few: each further item may be invalid.
      return random_.right() ? 1 : random_.pick<size_t>({0, 1, 1, 1, 1, 2, 2, elements});
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
    if (p.is({"device", "peerDevice", "srcDevice", "dstDevice", "device_arr", "dev", "peerDev", "ordinal"})) {
      value = static_cast<T>(random_.right() ? random_.below(2) : random_.pick<int>({0, 0, 0, 1, 1, -1, 2, 4096}));
    } else if (p.name == "len") {
      value =
          static_cast<T>(p.called("SetValidDevices") ? random_.below(elements) : random_.pick<int>({-1, 0, 5, 13, 64}));
    } else if (p.name == "flags" && p.called("cudaEventCreate")) {
      value = static_cast<T>(random_.pick<int>({0, 0, 1, 2, 6, 6, 8, -1}));
    } else if (p.name.find("lags") != std::string_view::npos && random_.right()) {
      // These have mandatory flags.
      const bool one =
          p.called("UpdateCapture") || p.called("IpcOpen") || p.called("AttachMem") || p.called("UserObjectCreate");
      value = one ? 1 : random_.pick<T>({0, 0, 0, 1});
    } else if (p.name.find("lags") != std::string_view::npos) {
      value = static_cast<T>(random_.one_in(8) ? random_.bits() : random_.below(5));
    } else {
      value = static_cast<T>(number(p));
    }
  }

  template <class T>
    requires std::is_enum_v<T>
  void fill(T& value, const Parameter&) {
    if (random_.right()) {
      value =
          static_cast<T>(std::is_same_v<T, cudaMemAllocationType> || std::is_same_v<T, cudaMemAllocationHandleType> ? 1
                         : std::is_same_v<T, cudaLaunchAttributeID> ? random_.pick<int>({1, 2, 8})
                                                                    : static_cast<int>(random_.below(5)));
      return;
    }
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
    if (random_.right() && p.is({"dptrs", "dsts"})) {
      value = memories_.right(p.called("Prefetch") || p.called("Discard"));
      return;
    }
    value = p.is({"args", "data", "kernelParams"}) ? buffer : p.is({"dptrs", "dsts"}) ? memories_.any() : nullptr;
  }
  void fill(const void*& value, const Parameter& p) {
    value = p.name != "srcs" ? nullptr : random_.right() ? memories_.right() : memories_.any();
  }
  void fill(const char*& value, const Parameter&) { value = nullptr; }

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

  // Memory for the arguments of one call.
  void* slot(size_t bytes) {
    slots_.push_back(std::calloc(1, bytes));
    return slots_.back();
  }

  Random& random_;
  Memories& memories_;
  std::vector<void*> slots_;
};

}  // namespace fuzz
