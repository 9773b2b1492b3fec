// Memory pools and statistics.
#include <cuda_runtime_api.h>
#include <nanobind/stl/pair.h>
#include <reprise/mem_pool.h>

#include "casters.h"

namespace reprise::python {
namespace {

nb::dict dict_of(const PoolStatistics& all) {
  nb::dict result;
  result["allocated_bytes.all.current"] = all.live;
  result["allocated_bytes.all.peak"] = all.peak_live;
  result["reserved_bytes.all.current"] = all.reserved;
  result["reserved_bytes.all.peak"] = all.peak_reserved;
  result["segment.all.current"] = all.segments;
  result["allocation.all.allocated"] = all.allocations;
  return result;
}

class PoolScope {
 public:
  explicit PoolScope(const MemPool& pool) : pool_(pool.handle()) {}
  PoolScope(const PoolScope&) = delete;
  PoolScope& operator=(const PoolScope&) = delete;
  void enter() { scopes_.push_back(std::make_unique<UseMemPool>(pool_)); }
  void leave() {
    if (!scopes_.empty()) scopes_.pop_back();
  }

 private:
  PoolHandle pool_;
  std::vector<std::unique_ptr<UseMemPool>> scopes_;
};

}  // namespace

void bind_memory(nb::module_& m) {
  nb::class_<PoolHandle>(m, "PoolHandle", "Refers to a pool of device memory that graphs share.")
      .def_prop_ro("id", &PoolHandle::id)
      .def("memory_stats", [](const PoolHandle& self) { return dict_of(self.statistics()); })
      .def(
          "__eq__", [](const PoolHandle& a, const PoolHandle& b) { return a == b; }, nb::is_operator())
      .def("__hash__", &PoolHandle::id)
      .def("__repr__", [](const PoolHandle& self) { return "<graph pool " + std::to_string(self.id()) + ">"; });
  nb::class_<MemPool>(m, "MemPool", nb::dynamic_attr(),
                      "A pool of device memory, optionally of a fixed size. It keeps its memory until it is destroyed.")
      .def(
          "__init__",
          [](MemPool* self, std::optional<std::size_t> fixed_bytes) {
            fixed_bytes ? new (self) MemPool(*fixed_bytes) : new (self) MemPool();
          },
          nb::kw_only(), "fixed_bytes"_a = nb::none())
      .def_prop_ro("_handle", &MemPool::handle)
      .def_prop_ro("id", &MemPool::id)
      .def_prop_ro("device", [](const MemPool&) { return device_object(); })
      .def("release_unused", &MemPool::release_unused, Waits())
      .def("memory_stats", [](const MemPool& self) { return dict_of(self.statistics()); });
  nb::class_<PoolScope>(m, "use_mem_pool",
                        "with use_mem_pool(pool): eager allocations of this thread come from `pool`.")
      .def(nb::init<const MemPool&>(), "pool"_a, nb::keep_alive<1, 2>())
      .def("__enter__", [](PoolScope& self) { self.enter(); })
      .def("__exit__", [](PoolScope& self, nb::args) { self.leave(); });
  m.def("graph_pool_handle", &graph_pool_handle, "A new pool, for graphs to share.");
  m.def("_memory_stats", [] { return dict_of(memory_statistics()); });
  m.def("_reset_peak_memory_stats", &reset_peak_memory_statistics);
  m.def("_empty_cache", &empty_cache, Waits());
  m.def("_mem_get_info", [] {
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "asking for the memory of the device");
    return std::make_pair(free, total);
  });
  m.def("_device_count", [] {
    int count = 0;
    check_cuda(cudaGetDeviceCount(&count), "counting the devices");
    return count;
  });
  m.def("_current_device", [] {
    int device = 0;
    check_cuda(cudaGetDevice(&device), "asking for the current device");
    return device;
  });
  m.def("_set_device", [](int device) { check_cuda(cudaSetDevice(device), "making a device current"); }, "device"_a);
  m.def(
      "_device_properties",
      [](int device) {
        cudaDeviceProp all;
        check_cuda(cudaGetDeviceProperties(&all, device), "asking for the properties of a device");
        nb::dict result;
        result["name"] = std::string(all.name);
        result["major"] = all.major;
        result["minor"] = all.minor;
        result["total_memory"] = all.totalGlobalMem;
        result["multi_processor_count"] = all.multiProcessorCount;
        result["warp_size"] = all.warpSize;
        return result;
      },
      "device"_a);
}

}  // namespace reprise::python
