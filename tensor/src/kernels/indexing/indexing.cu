#include "kernels/device/dependent_launch.h"
#include "kernels/device/device_error.h"
#include "kernels/device/element.h"
#include "kernels/indexing/indexing.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

// A contiguous tensor as [outer, length, inner].
struct Lines {
  unsigned outer, length, inner;

  Lines(const Sizes& sizes, int dim) : outer(1), length(1), inner(1) {
    for (int i = 0; i < sizes.size(); ++i)
      (i < dim ? outer : i > dim ? inner : length) *= static_cast<unsigned>(sizes[i]);
  }
  std::int64_t count() const { return std::int64_t(outer) * inner; }
};

// The indices along the lines: a list for each line, or one for all.
struct Indices {
  const std::int64_t* data;
  unsigned length, inner;
  bool shared;

  __device__ std::int64_t at(unsigned outer, unsigned i, unsigned within) const {
    return shared ? data[i] : data[(std::size_t(outer) * length + i) * inner + within];
  }
};

template <class T>
__global__ void gather_elements(T* to, const T* from, Indices indices, Lines lines, DeviceError* error,
                                const char* what) {
  wait_for_prior_grids();
  const std::size_t n = std::size_t(lines.outer) * indices.length * lines.inner;
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned within = static_cast<unsigned>(i % lines.inner);
  const std::size_t line = i / lines.inner;
  const unsigned at = static_cast<unsigned>(line % indices.length),
                 outer = static_cast<unsigned>(line / indices.length);
  const std::int64_t index = indices.at(outer, at, within);
  const bool inside = index >= 0 && index < lines.length;
  to[i] = inside ? from[(std::size_t(outer) * lines.length + index) * lines.inner + within] : T(0);
  if (!inside) report_out_of_range(error, what, index, lines.length);
}

// One thread for each line.
template <class C>
__global__ void scatter_elements(Scatter kind, void* to, const void* source, DType dtype, Indices indices, Lines lines,
                                 DeviceError* error, const char* what) {
  wait_for_prior_grids();
  const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines.outer * lines.inner) return;
  const unsigned outer = line / lines.inner, within = line % lines.inner;
  const std::size_t bytes = bytes_of(dtype);
  for (unsigned i = 0; i < indices.length; ++i) {
    const std::int64_t index = indices.at(outer, i, within);
    if (index < 0 || index >= lines.length) {
      report_out_of_range(error, what, index, lines.length);
      continue;
    }
    char* own = static_cast<char*>(to) + ((std::size_t(outer) * lines.length + index) * lines.inner + within) * bytes;
    const char* from =
        static_cast<const char*>(source) + ((std::size_t(outer) * indices.length + i) * lines.inner + within) * bytes;
    const C value = load<C>(from, dtype, 0);
    store<C>(own, dtype, 0, kind == Scatter::add ? load<C>(own, dtype, 0) + value : value);
  }
}

template <class C>
__global__ void scan_lines(Scan kind, void* to, DType to_type, const void* from, DType from_type, Lines lines) {
  wait_for_prior_grids();
  const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines.outer * lines.inner) return;
  const std::size_t first = std::size_t(line / lines.inner) * lines.length * lines.inner + line % lines.inner;
  C value = kind == Scan::sum ? C(0) : C(1);
  for (unsigned i = 0; i < lines.length; ++i) {
    const std::size_t at = first + std::size_t(i) * lines.inner;
    const C own = load<C>(static_cast<const char*>(from) + at * bytes_of(from_type), from_type, 0);
    value = kind == Scan::sum ? value + own : value * own;
    store<C>(static_cast<char*>(to) + at * bytes_of(to_type), to_type, 0, value);
  }
}

template <class C>
__device__ bool comes_before(C a, C b, bool descending) {
  const bool a_nan = a != a, b_nan = b != b;
  if (a_nan || b_nan) return descending ? a_nan && !b_nan : b_nan && !a_nan;
  return descending ? a > b : a < b;
}

// Merge sort of contiguous lines by one thread each, between two halves of the scratch memory.
template <class C>
__global__ void sort_lines(C* values, C* other_values, std::int64_t* places, std::int64_t* other_places, void* out,
                           std::int64_t* out_places, const void* from, DType dtype, unsigned length, unsigned count,
                           bool descending) {
  wait_for_prior_grids();
  const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count) return;
  const std::size_t first = std::size_t(line) * length;
  values += first, other_values += first, places += first, other_places += first;
  for (unsigned i = 0; i < length; ++i) {
    values[i] = load<C>(static_cast<const char*>(from) + (first + i) * bytes_of(dtype), dtype, 0);
    places[i] = i;
  }
  for (unsigned width = 1; width < length; width *= 2) {
    for (unsigned begin = 0; begin < length; begin += 2 * width) {
      const unsigned middle = ::min(begin + width, length), end = ::min(begin + 2 * width, length);
      unsigned left = begin, right = middle;
      for (unsigned k = begin; k < end; ++k) {
        const bool takes_right =
            left == middle || (right < end && comes_before(values[right], values[left], descending));
        const unsigned taken = takes_right ? right++ : left++;
        other_values[k] = values[taken];
        other_places[k] = places[taken];
      }
    }
    C* swapped = values;
    values = other_values, other_values = swapped;
    std::int64_t* moved = places;
    places = other_places, other_places = moved;
  }
  for (unsigned i = 0; i < length; ++i) {
    store<C>(static_cast<char*>(out) + (first + i) * bytes_of(dtype), dtype, 0, values[i]);
    out_places[first + i] = places[i];
  }
}

void check_small(const Tensor& x, const char* operation) {
  check(x.numel() < (std::int64_t(1) << 31), operation, ": ", x.sizes(), " is too large");
}

// `index` beside a tensor of `sizes`, in which it may be smaller in other dimensions.
Indices indices_of(const Tensor& index, const Sizes& sizes, int dim, const char* operation, bool& shared) {
  check(index.dtype() == DType::i64, operation, ": indices are i64, not ", index.dtype(), " of ", index.sizes());
  shared = index.dim() == 1 && sizes.size() != 1;
  check(shared || index.dim() == sizes.size(), operation, ": an index of ", index.sizes(), " for ", sizes);
  if (shared) return {index.data<std::int64_t>(), static_cast<unsigned>(index.size(0)), 1, true};
  for (int i = 0; i < sizes.size(); ++i)
    check(i == dim || index.size(i) <= sizes[i], operation, ": an index of ", index.sizes(), " for ", sizes);
  const Lines lines(index.sizes(), dim);
  return {index.data<std::int64_t>(), lines.length, lines.inner, false};
}

// The part of `x` that an index with these sizes refers to.
Tensor beside(const Tensor& x, int dim, const Sizes& sizes) {
  Tensor part = x;
  for (int i = 0; i < sizes.size(); ++i) {
    if (i != dim && sizes[i] != x.size(i)) part = narrow(part, i, 0, sizes[i]);
  }
  return part;
}

template <class T>
void launch_gather(const Tensor& to, const Tensor& from, const Indices& indices, const Lines& lines,
                   const char* operation) {
  launch_dependent(operation, gather_elements<T>, {blocks_for(to.numel()), threads_per_block},
                   static_cast<T*>(to.data()), static_cast<const T*>(from.data()), indices, lines, device_error(),
                   operation);
}

}  // namespace

Tensor gather(const Tensor& x, int dim, const Tensor& given, const char* operation) {
  const Tensor index = contiguous(given);
  bool shared = false;
  const Indices indices = indices_of(index, x.sizes(), dim, operation, shared);
  const Tensor from = contiguous(shared ? x : beside(x, dim, index.sizes()));
  check_small(from, operation);
  Sizes sizes = from.sizes();
  if (sizes.empty()) sizes = index.sizes();
  if (!sizes.empty() && x.dim() > 0) sizes[dim] = indices.length;
  Tensor y = empty(sizes, x.dtype());
  if (y.numel() == 0) return y;
  check_small(y, operation);
  const Lines lines(from.sizes(), dim);
  switch (size_of(x.dtype())) {
    case 1:
      launch_gather<std::uint8_t>(y, from, indices, lines, operation);
      break;
    case 2:
      launch_gather<std::uint16_t>(y, from, indices, lines, operation);
      break;
    case 4:
      launch_gather<std::uint32_t>(y, from, indices, lines, operation);
      break;
    default:
      launch_gather<std::uint64_t>(y, from, indices, lines, operation);
      break;
  }
  return y;
}

void scatter_(Scatter kind, const Tensor& y, int dim, const Tensor& given, const Tensor& given_source,
              const char* operation) {
  const Tensor index = contiguous(given);
  bool shared = false;
  const Indices indices = indices_of(index, y.sizes(), dim, operation, shared);
  check(given_source.dtype() == y.dtype() && given_source.dim() == y.dim(), operation, ": a source of ",
        given_source.dtype(), " ", given_source.sizes(), " for ", y.dtype(), " ", y.sizes());
  check_small(y, operation);
  Sizes wanted = shared ? y.sizes() : index.sizes();
  if (shared) wanted[dim] = indices.length;
  for (int i = 0; i < wanted.size(); ++i)
    check(given_source.size(i) >= wanted[i], operation, ": a source of ", given_source.sizes(), " for an index of ",
          index.sizes());
  Tensor source = given_source;
  for (int i = 0; i < wanted.size(); ++i) {
    if (source.size(i) != wanted[i]) source = narrow(source, i, 0, wanted[i]);
  }
  source = contiguous(source);
  if (source.numel() == 0) return;
  const bool whole = shared || beside(y, dim, index.sizes()).sizes() == y.sizes();
  const Tensor to = whole ? y : contiguous(beside(y, dim, index.sizes()));
  const Lines lines(to.sizes(), dim);
  auto launch = [&](auto kernel) {
    launch_dependent(operation, kernel, {blocks_for(lines.count()), threads_per_block}, kind, to.data(), source.data(),
                     y.dtype(), indices, lines, device_error(), operation);
  };
  const DType computed = computed_type(y.dtype());
  launch(computed == DType::f64   ? scatter_elements<double>
         : computed == DType::f32 ? scatter_elements<float>
                                  : scatter_elements<std::int64_t>);
  if (!whole) copy_(beside(y, dim, index.sizes()), to);
}

Tensor scan(Scan kind, const Tensor& x, int dim) {
  const char* operation = kind == Scan::sum ? "cumsum" : "cumprod";
  check_small(x, operation);
  const Tensor from = contiguous(x);
  Tensor y = empty(x.sizes(), is_floating(x.dtype()) ? x.dtype() : DType::i64);
  if (y.numel() == 0) return y;
  const Lines lines(x.sizes(), dim);
  auto launch = [&](auto kernel) {
    launch_dependent(operation, kernel, {blocks_for(lines.count()), threads_per_block}, kind, y.data(), y.dtype(),
                     from.data(), x.dtype(), lines);
  };
  const DType computed = computed_type(x.dtype());
  launch(computed == DType::f64   ? scan_lines<double>
         : computed == DType::f32 ? scan_lines<float>
                                  : scan_lines<std::int64_t>);
  return y;
}

Sorted sort(const Tensor& x, int dim, bool descending) {
  check_small(x, "sort");
  const int last = x.dim() - 1;
  if (x.dim() == 0 || x.numel() == 0) return {clone(x), reshape(empty(x.sizes(), DType::i64), x.sizes())};
  const Tensor from = contiguous(dim == last ? x : transpose(x, dim, last));
  const unsigned length = static_cast<unsigned>(from.sizes().back()),
                 count = static_cast<unsigned>(from.numel() / length);
  Sorted made{empty(from.sizes(), x.dtype()), empty(from.sizes(), DType::i64)};
  const DType computed = computed_type(x.dtype());
  const Tensor values = empty({2, from.numel()}, computed), places = empty({2, from.numel()}, DType::i64);
  auto launch = [&](auto kernel, auto* first) {
    std::int64_t* own = places.data<std::int64_t>();
    launch_dependent("sort", kernel, {blocks_for(count), threads_per_block}, first, first + from.numel(), own,
                     own + from.numel(), made.values.data(), made.indices.data<std::int64_t>(), from.data(), x.dtype(),
                     length, count, descending);
  };
  if (computed == DType::f64) launch(sort_lines<double>, values.data<double>());
  if (computed == DType::f32) launch(sort_lines<float>, values.data<float>());
  if (computed == DType::i64) launch(sort_lines<std::int64_t>, values.data<std::int64_t>());
  if (dim != last) {
    made.values = contiguous(transpose(made.values, dim, last));
    made.indices = contiguous(transpose(made.indices, dim, last));
  }
  return made;
}

}  // namespace reprise::kernels
