// Copies and memsets of many kinds and shapes, and the rule for which may become which in an update.
#pragma once

#include "graph/update/update_support.h"

namespace conformance {

template <class Params>
struct NamedShape {
  const char* name;
  Params params;
};

// Calls check("2D, then 3D", before, after, fits) for each pair of them.
template <class Params, class Fits, class Check>
void for_each_two(const std::vector<NamedShape<Params>>& shapes, Fits&& fits, Check&& check) {
  for (const auto& before : shapes) {
    for (const auto& after : shapes) {
      check(std::string(before.name) + ", then " + after.name, before.params, after.params,
            &before == &after || fits(before.params, after.params));
    }
  }
}

struct CopyOfAKind {
  void *to, *from;
  cudaMemcpyKind kind;
};

// The given kind counts, not the memory: a copy of kind cudaMemcpyDefault may change to any memory.
template <class Check>
void for_each_two_kinds(Check&& check) {
  DeviceArray<int> device(16);
  PinnedArray<int> pinned(16);
  std::vector<int> pageable(16);
  int* managed = nullptr;
  MUST(cudaMallocManaged(&managed, 64));
  std::vector<NamedShape<CopyOfAKind>> copies = {
      {"device to device", {device.get(), device.get() + 8, cudaMemcpyDeviceToDevice}},
      {"pinned to device", {device.get(), pinned.get(), cudaMemcpyHostToDevice}},
      {"pageable to device", {device.get(), pageable.data(), cudaMemcpyHostToDevice}},
      {"device to pinned", {pinned.get(), device.get(), cudaMemcpyDeviceToHost}},
      {"device to pageable", {pageable.data(), device.get(), cudaMemcpyDeviceToHost}},
      {"pinned to pinned", {pinned.get(), pinned.get() + 8, cudaMemcpyHostToHost}},
      {"pageable to pageable", {pageable.data(), pageable.data() + 8, cudaMemcpyHostToHost}}};
  const std::vector<NamedShape<CopyOfAKind>> given = copies;
  for (auto each : given) {
    each.params.kind = cudaMemcpyDefault;
    copies.push_back(each);
  }
  copies.push_back({"managed to device", {device.get(), managed, cudaMemcpyDefault}});
  copies.push_back({"device to managed", {managed, device.get(), cudaMemcpyDefault}});
  for_each_two(
      copies, [](const auto& before, const auto& after) { return before.kind == after.kind; },
      [&](const std::string& name, const auto& before, const auto& after, bool fits) {
        check(name + ", kinds " + std::to_string(before.kind) + " and " + std::to_string(after.kind), before, after,
              fits);
      });
  MUST(cudaFree(managed));
}

inline bool flat(const cudaMemcpy3DParms& params) { return params.extent.height == 1 && params.extent.depth == 1; }

inline std::vector<NamedShape<cudaMemcpy3DParms>> copies_in(char* space) {
  auto box = [space](size_t width, size_t height, size_t depth, size_t pitch, size_t x = 0) {
    cudaMemcpy3DParms params{};
    params.srcPtr = make_cudaPitchedPtr(space, pitch, pitch, height);
    params.dstPtr = make_cudaPitchedPtr(space + 2048, pitch, pitch, height);
    params.srcPos = make_cudaPos(x, 0, 0);
    params.extent = make_cudaExtent(width, height, depth);
    params.kind = cudaMemcpyDeviceToDevice;
    return params;
  };
  // The same bytes in another form: a different copy if it has several rows.
  auto heights = [&](size_t from, size_t to) {
    cudaMemcpy3DParms params = box(16, 4, 1, 32);
    params.srcPtr.ysize = from, params.dstPtr.ysize = to;
    return params;
  };
  auto by_pointer = [&](size_t depth) {
    cudaMemcpy3DParms params = box(16, depth == 1 ? 4 : 2, depth, 32);
    params.srcPtr.ptr = space + 8;
    return params;
  };
  return {{"16 bytes", box(16, 1, 1, 16)},
          {"64 bytes", box(64, 1, 1, 64)},
          {"one row", box(16, 1, 1, 32)},
          {"one row elsewhere", box(16, 1, 1, 32, 8)},
          {"a row of two slices", box(16, 1, 2, 32)},
          {"a row of two slices elsewhere", box(16, 1, 2, 32, 8)},
          {"2D", box(16, 4, 1, 32)},
          {"2D elsewhere", box(16, 4, 1, 32, 8)},
          {"2D higher", box(16, 6, 1, 32)},
          {"2D of one byte", box(1, 4, 1, 32)},
          {"2D without gaps", box(16, 4, 1, 16)},
          {"2D of memory of no height", heights(0, 0)},
          {"2D from memory of no height", heights(0, 4)},
          {"2D to memory of no height", heights(4, 0)},
          {"2D of higher memory", heights(5, 5)},
          {"2D elsewhere by the pointer", by_pointer(1)},
          {"3D", box(16, 2, 3, 32)},
          {"3D elsewhere", box(16, 2, 3, 32, 8)},
          {"3D elsewhere by the pointer", by_pointer(3)}};
}

// A copy of one row may become any other.
template <class Check>
void for_each_two_copies(char* space, Check&& check) {
  auto fits = [](const auto& before, const auto& after) { return flat(before) && flat(after); };
  for_each_two(copies_in(space), fits, check);
}

// So may a memset of one row; with several rows, only destination and value may change.
template <class Check>
void for_each_two_sets(Check&& check) {
  DeviceArray<char> space(4096);
  PinnedArray<char> pinned(4096);
  char *managed = nullptr, *at = space.get();
  char* pooled = nullptr;
  MUST(cudaMallocManaged(&managed, 4096));
  MUST(cudaMallocAsync(&pooled, 4096, 0));
  MUST(cudaDeviceSynchronize());
  const std::vector<NamedShape<cudaMemsetParams>> sets = {
      {"1 byte x 64", memset_params(at, 1, 1, 64)},
      {"elsewhere, another value", memset_params(at + 256, 2, 1, 64)},
      {"1 byte x 4", memset_params(at, 1, 1, 4)},
      {"1 byte x 2048", memset_params(at, 1, 1, 2048)},
      {"1 byte x 63", memset_params(at + 1, 1, 1, 63)},
      {"2 bytes x 64", memset_params(at, 1, 2, 64)},
      {"4 bytes x 64", memset_params(at, 1, 4, 64)},
      {"4 bytes x 16", memset_params(at, 1, 4, 16)},
      {"16 x 4", memset_params(at, 1, 1, 16, 4, 32)},
      {"16 x 4 elsewhere", memset_params(at + 512, 7, 1, 16, 4, 32)},
      {"16 x 5", memset_params(at, 1, 1, 16, 5, 32)},
      {"8 x 4", memset_params(at, 1, 1, 8, 4, 32)},
      {"16 x 4, another pitch", memset_params(at, 1, 1, 16, 4, 64)},
      {"16 x 4 of 2 bytes", memset_params(at, 1, 2, 16, 4, 64)},
      {"16 x 4 without gaps", memset_params(at, 1, 1, 16, 4, 16)},
      {"64 x 1 with a pitch", memset_params(at, 1, 1, 64, 1, 128)},
      {"16 x 4 pinned", memset_params(pinned.get(), 1, 1, 16, 4, 32)},
      {"16 x 4 managed", memset_params(managed, 1, 1, 16, 4, 32)},
      {"16 x 4 of a pool", memset_params(pooled, 1, 1, 16, 4, 32)},
      {"pinned", memset_params(pinned.get(), 1, 1, 64)},
      {"managed", memset_params(managed, 1, 1, 64)}};
  auto fits = [](const cudaMemsetParams& p, const cudaMemsetParams& q) {
    if (p.height == 1 && q.height == 1) return true;
    return p.height == q.height && p.width == q.width && p.pitch == q.pitch && p.elementSize == q.elementSize;
  };
  for_each_two(sets, fits, check);
  MUST(cudaFree(managed));
  MUST(cudaFreeAsync(pooled, 0));
}

class GraphNodeUpdate : public Graphs {
 protected:
  DeviceArray<int> cell{16};
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
};

}  // namespace conformance
