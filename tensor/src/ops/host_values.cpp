// Copies of values between the host and tensors.
#include <reprise/capture.h>
#include <reprise/current_stream.h>
#include <reprise/factories.h>
#include <reprise/host_values.h>
#include <reprise/tensor.h>

#include "kernels/device/device_error.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/factories.h"

namespace reprise {
namespace {

// Waits for work of other streams on the tensor, so that reading it gives what was computed, whichever stream is
// current. Before conversions, which run on the current stream and would become part of its capture.
const Tensor& complete(const Tensor& x, const char* operation) {
  check(x.numel() == 0 || !is_capturing(current_stream()), operation,
        ": the current stream is capturing, so there is no value yet: it is computed when the graph is "
        "launched. Read it after a replay");
  x.body().memory->check_readable();
  x.body().memory->wait_for_other_streams(current_stream());
  return x;
}

// Copies the elements of a contiguous tensor, which may be in memory of the host, to the host and waits for the copy.
void read(const Tensor& x, void* to, const char* operation) {
  cudaStream_t stream = current_stream();
  // The stream is not capturing, and waiting for it is safe during captures of other threads, even in global mode.
  RelaxedCaptureMode relaxed;
  check_cuda(cudaMemcpyAsync(to, x.data(), x.numel() * size_of(x.dtype()), cudaMemcpyDefault, stream), operation);
  check_cuda(cudaStreamSynchronize(stream), operation);
  kernels::check_device_error();
}

// The type to which elements are converted before they are read as `T`.
template <class T>
constexpr DType read_as = dtype_of<T>;

// The representation of T in the memory of a tensor; elements of std::vector<bool> have no address.
template <class T>
struct Stored {
  using type = T;
};
template <>
struct Stored<bool> {
  using type = char;
};

// The element type of from_vector: numbers of the host that have no type of their own in PyTorch get its defaults.
template <class T>
struct Made {
  using type = typename Stored<T>::type;
  static constexpr DType dtype = dtype_of<T>;
};
template <>
struct Made<double> {
  using type = float;
  static constexpr DType dtype = DType::f32;
};
template <>
struct Made<int> {
  using type = std::int64_t;
  static constexpr DType dtype = DType::i64;
};

}  // namespace

template <class T>
T Tensor::item() const {
  check(numel() == 1, "item: a tensor of ", sizes(), " does not have exactly one element");
  typename Stored<T>::type value;
  read(kernels::to(complete(*this, "item"), read_as<T>), &value, "item");
  return static_cast<T>(value);
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  Tensor dense = kernels::contiguous(kernels::to(complete(*this, "to_vector"), read_as<T>));
  std::vector<typename Stored<T>::type> values(static_cast<std::size_t>(numel()));
  if (!values.empty()) read(dense, values.data(), "to_vector");
  return std::vector<T>(values.begin(), values.end());
}

template <class T>
Tensor kernels::from_vector(const std::vector<T>& values, const Sizes& sizes) {
  check(static_cast<std::int64_t>(values.size()) == product(sizes), "from_vector: ", values.size(),
        " values do not fill ", sizes);
  cudaStream_t stream = current_stream();
  check(!is_capturing(stream),
        "from_vector: the current stream is capturing, and every replay would read the host vector again, when it is "
        "gone. Create the tensor before the capture and copy_ to it");
  Tensor made = kernels::empty(sizes, Made<T>::dtype);
  std::vector<typename Made<T>::type> stored(values.begin(), values.end());
  if (stored.empty()) return made;
  check_cuda(
      cudaMemcpyAsync(made.data(), stored.data(), stored.size() * sizeof stored[0], cudaMemcpyHostToDevice, stream),
      "from_vector");
  return made;
}

template <class T>
Tensor from_vector(const std::vector<T>& values, const Sizes& sizes) {
  return kernels::from_vector(values, sizes);
}

Tensor from_host(const void* values, const Sizes& sizes, DType dtype) {
  check(!is_capturing(current_stream()),
        "from_host: the current stream is capturing, and every replay would read the host's memory again. Create the "
        "tensor before the capture and copy_ to it");
  Tensor made = kernels::empty(sizes, dtype);
  if (made.numel() == 0) return made;
  RelaxedCaptureMode relaxed;
  check_cuda(
      cudaMemcpyAsync(made.data(), values, made.numel() * size_of(dtype), cudaMemcpyHostToDevice, current_stream()),
      "from_host");
  return made;
}

void copy_to_host(void* to, const Tensor& x) {
  const Tensor dense = kernels::contiguous(complete(x, "copy_to_host"));
  if (x.numel() != 0) read(dense, to, "copy_to_host");
}

#define REPRISE_HOST_TYPE(T)                                                    \
  template T Tensor::item<T>() const;                                           \
  template std::vector<T> Tensor::to_vector<T>() const;                         \
  template Tensor kernels::from_vector<T>(const std::vector<T>&, const Sizes&); \
  template Tensor from_vector<T>(const std::vector<T>&, const Sizes&);
REPRISE_HOST_TYPE(float)
REPRISE_HOST_TYPE(double)
REPRISE_HOST_TYPE(int)
REPRISE_HOST_TYPE(std::int64_t)
REPRISE_HOST_TYPE(std::int16_t)
REPRISE_HOST_TYPE(std::int8_t)
REPRISE_HOST_TYPE(std::uint8_t)
REPRISE_HOST_TYPE(bool)
#undef REPRISE_HOST_TYPE

}  // namespace reprise
