#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <reprise/capture.h>
#include <reprise/cuda_graph.h>
#include <reprise/error.h>
#include <reprise/host_buffer.h>

#include "graph/host_memory.h"
#include "kernels/tensor/copy.h"

namespace reprise {

template <class T>
HostBuffer<T>::HostBuffer(std::size_t size) : size_(size) {
  RelaxedCaptureMode relaxed;
  void* data = nullptr;
  check_cuda(cudaMallocHost(&data, size * sizeof(T)), "allocating page-locked host memory");
  data_ = std::static_pointer_cast<T>(host_buffer_memory(data, size * sizeof(T), [](void* memory) {
    RelaxedCaptureMode relaxed;
    cudaFreeHost(memory);
  }));
}

namespace {

template <class T>
void check_sizes(const Tensor& tensor, const HostBuffer<T>& buffer, const char* operation) {
  check(tensor.dtype() == dtype_of<T> && tensor.numel() == static_cast<std::int64_t>(buffer.size()), operation,
        ": a tensor of ", tensor.sizes(), " ", tensor.dtype(), " and a buffer of ", buffer.size(), " ", dtype_of<T>);
}

}  // namespace

template <class T>
void copy_from_host(const Tensor& to, const HostBuffer<T>& from) {
  check_sizes(to, from, "copy_from_host");
  check(to.is_contiguous(), "copy_from_host: to a tensor of ", to.sizes(), " that is not contiguous");
  Overwriting here;
  check_cuda(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, current_stream()),
             "copy_from_host");
  keep_until_done(from.shared());
}

template <class T>
void copy_to_host(const HostBuffer<T>& to, const Tensor& from) {
  check_sizes(from, to, "copy_to_host");
  from.body().memory->check_readable();
  Tensor dense = kernels::contiguous(from);
  check_cuda(cudaMemcpyAsync(to.data(), dense.data(), to.size() * sizeof(T), cudaMemcpyDeviceToHost, current_stream()),
             "copy_to_host");
  keep_until_done(to.shared());
}

void promise_host_memory(const void* data, std::size_t bytes) {
  if (auto context = capture_context_of(current_stream())) context->promise(range_of(data, bytes));
}

void keep_host_memory(std::shared_ptr<const void> data, std::size_t bytes) {
  promise_host_memory(data.get(), bytes);
  keep_until_done(std::move(data));
}

#define REPRISE_HOST_BUFFER(T)                                       \
  template class HostBuffer<T>;                                      \
  template void copy_from_host(const Tensor&, const HostBuffer<T>&); \
  template void copy_to_host(const HostBuffer<T>&, const Tensor&);

REPRISE_HOST_BUFFER(float)
REPRISE_HOST_BUFFER(__half)
REPRISE_HOST_BUFFER(__nv_bfloat16)
REPRISE_HOST_BUFFER(std::int64_t)
REPRISE_HOST_BUFFER(bool)

#undef REPRISE_HOST_BUFFER

}  // namespace reprise
