// Host memory that captured copies may use: page-locked, and kept for as long as the graphs that name it.
//
//   HostBuffer<float> batch(1024);
//   graph.capture([&] { copy_from_host(x, batch); y = model(x); copy_to_host(result, y); });
//   batch[0] = ...; graph.replay();          // each replay copies what the buffer then holds
#pragma once

#include <reprise/tensor.h>

#include <cstddef>
#include <memory>

namespace reprise {

// Copies of a HostBuffer are the same buffer. `T` is the type of a tensor's elements: float, __half, __nv_bfloat16,
// std::int64_t or bool. A copy of the user's own (cudaMemcpyAsync) that names its memory keeps it as well.
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

// Ordered on the current stream; the element types must be the same, and so must the numbers of elements.
template <class T>
void copy_from_host(const Tensor& to, const HostBuffer<T>& from);
template <class T>
void copy_to_host(const HostBuffer<T>& to, const Tensor& from);

// Host memory of the user's own, plain or page-locked (cudaMallocHost, cudaHostRegister), that copies on the current
// stream use: keep_host_memory() keeps its owner for as long as the graph that is being captured (and, where none is,
// until the stream's work so far is done); promise_host_memory() says that it will be there for as long as the graph is
// replayed. Without either, capture_end() refuses such copies.
void keep_host_memory(std::shared_ptr<const void> data, std::size_t bytes);
void promise_host_memory(const void* data, std::size_t bytes);

}  // namespace reprise
