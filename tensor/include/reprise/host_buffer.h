// Host memory for captured copies: page-locked, and kept alive by the graphs that use it.
//
//   HostBuffer<float> batch(1024);
//   graph.capture([&] { copy_from_host(x, batch); y = model(x); copy_to_host(result, y); });
//   batch[0] = ...; graph.replay();          // each replay copies the current contents of the buffer
#pragma once

#include <reprise/tensor.h>

#include <cstddef>
#include <memory>

namespace reprise {

// Copies of a HostBuffer share the memory. `T` is an element type of tensors: float, __half, __nv_bfloat16,
// std::int64_t or bool. A graph also keeps the buffer if the user's own cudaMemcpyAsync refers to it.
template <class T>
class HostBuffer {
 public:
  explicit HostBuffer(std::size_t size);
  HostBuffer(const std::vector<T>& values) : HostBuffer(values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) data()[i] = values[i];
  }

  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) const { return data()[index]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  const std::shared_ptr<T>& shared() const { return data_; }

 private:
  std::shared_ptr<T> data_;
  std::size_t size_;
};

// Copies on the current stream. Element types and element counts must match.
template <class T>
void copy_from_host(const Tensor& to, const HostBuffer<T>& from);
template <class T>
void copy_to_host(const HostBuffer<T>& to, const Tensor& from);

// For copies from or to other host memory, pageable or page-locked (cudaMallocHost, cudaHostRegister):
// keep_host_memory() keeps its owner alive as long as the graph being captured or, without a capture, until the
// stream's work so far is done. promise_host_memory() promises that the memory stays valid as long as the graph is
// replayed. Without either, capture_end() rejects such copies.
void keep_host_memory(std::shared_ptr<const void> data, std::size_t bytes);
void promise_host_memory(const void* data, std::size_t bytes);

}  // namespace reprise
