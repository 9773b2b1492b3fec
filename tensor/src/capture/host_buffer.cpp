#include <reprise/host_buffer.h>

#include "capture/session.h"
#include "raw/copy.h"

#include <reprise/capture.h>
#include <reprise/cuda_graph.h>
#include <reprise/error.h>

namespace reprise {

template <class T>
HostBuffer<T>::HostBuffer(std::size_t size) : size_(size) {
  RelaxedCaptureMode relaxed;
  void* data = nullptr;
  check_cuda(cudaMallocHost(&data, size * sizeof(T)), "allocating page-locked host memory");
  data_ = std::shared_ptr<T>(static_cast<T*>(data), [](T* memory) {
    RelaxedCaptureMode relaxed;
    cudaFreeHost(memory);
  });
}

namespace {

template <class T>
void check_sizes(const Tensor& tensor, const HostBuffer<T>& buffer, const char* operation) {
  check(tensor.dtype() == dtype_of<T> && tensor.numel() == static_cast<std::int64_t>(buffer.size()), operation, ": a tensor of ",
        tensor.sizes(), " ", tensor.dtype(), " and a buffer of ", buffer.size(), " ", dtype_of<T>);
}

// Eager copies may still be under way when the last handle of the buffer goes.
template <class T>
void keep_until_done(const HostBuffer<T>& buffer) {
  if (session_of(current_stream())) {
    keep_with_graph(buffer.shared());
  } else {
    host_function([kept = buffer.shared()] {});
  }
}

}  // namespace

template <class T>
void copy_from_host(const Tensor& to, const HostBuffer<T>& from) {
  check_sizes(to, from, "copy_from_host");
  check(to.is_contiguous(), "copy_from_host: to a tensor of ", to.sizes(), " that is not contiguous");
  Overwriting here;
  check_cuda(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, current_stream()), "copy_from_host");
  keep_until_done(from);
}

template <class T>
void copy_to_host(const HostBuffer<T>& to, const Tensor& from) {
  check_sizes(from, to, "copy_to_host");
  from.body().memory->check_readable();
  Tensor dense = raw::contiguous(from);
  check_cuda(cudaMemcpyAsync(to.data(), dense.data(), to.size() * sizeof(T), cudaMemcpyDeviceToHost, current_stream()), "copy_to_host");
  keep_until_done(to);
}

void promise_host_memory(const void* data, std::size_t bytes) {
  auto session = session_of(current_stream());
  check(session != nullptr, "promise_host_memory: the current stream is not capturing");
  session->promise(range_of(data, bytes));
}

template class HostBuffer<float>;
template class HostBuffer<std::int64_t>;
template void copy_from_host(const Tensor&, const HostBuffer<float>&);
template void copy_from_host(const Tensor&, const HostBuffer<std::int64_t>&);
template void copy_to_host(const HostBuffer<float>&, const Tensor&);
template void copy_to_host(const HostBuffer<std::int64_t>&, const Tensor&);

}  // namespace reprise
