// argmax and argmin.
#include <type_traits>

#include "kernels/device/element.h"
#include "kernels/device/launch.h"
#include "kernels/reduction/reduce.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

// The better of two elements; of equal ones the first. NaN is better than any number.
template <class C>
__device__ bool better(C a, std::int64_t a_at, C b, std::int64_t b_at) {
  if (a != a || b != b) return a != a && (b == b || a_at < b_at);
  return a > b || (a == b && a_at < b_at);
}

// One block per result of [outer, length, inner] -> [outer, inner].
template <class C, class From>
__global__ void find_best(std::int64_t* out, From from, unsigned length, unsigned inner, C sign) {
  __shared__ C values[threads_per_block];
  __shared__ std::int64_t places[threads_per_block];
  unsigned o = blockIdx.x / inner, within = blockIdx.x - o * inner;
  std::size_t line = static_cast<std::size_t>(o) * length * inner + within;
  C best = 0;
  unsigned at = length;
  for (unsigned j = threadIdx.x; j < length; j += threads_per_block) {
    C value = sign * from[line + static_cast<std::size_t>(j) * inner];
    // The first of equal elements wins.
    bool takes = at == length || value > best || (value != value && best == best);
    best = takes ? value : best;
    at = takes ? j : at;
  }
  values[threadIdx.x] = best;
  places[threadIdx.x] = at;
  __syncthreads();
  for (unsigned width = threads_per_block / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      unsigned other = threadIdx.x + width;
      bool theirs = places[other] != length;
      if (theirs && (places[threadIdx.x] == length ||
                     better<C>(values[other], places[other], values[threadIdx.x], places[threadIdx.x]))) {
        values[threadIdx.x] = values[other];
        places[threadIdx.x] = places[other];
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = places[0];
}

template <class C, class From>
void launch(std::int64_t* to, From from, unsigned results, unsigned length, unsigned inner, int sign) {
  find_best<C, From>
      <<<results, threads_per_block, 0, current_stream()>>>(to, from, length, inner, static_cast<C>(sign));
}

Tensor best_of(const Tensor& x, std::int64_t dim, bool keep, int sign, const char* operation) {
  int at = wrap_dimension(dim, x.sizes(), operation);
  Sizes sizes = x.sizes();
  std::int64_t outer = 1, inner = 1, length = x.dim() ? sizes[at] : 1;
  for (int i = 0; i < x.dim(); ++i) (i < at ? outer : i > at ? inner : length) *= i == at ? 1 : sizes[i];
  check(length > 0, operation, ": there is nothing to choose from along dimension ", at, " of ", sizes);
  if (x.dim()) {
    if (keep) {
      sizes[at] = 1;
    } else {
      sizes.erase(at);
    }
  }
  Tensor out = empty(sizes, DType::i64);
  if (out.numel() == 0) return out;
  Tensor dense = contiguous(x);
  unsigned results = static_cast<unsigned>(outer * inner), n = static_cast<unsigned>(length),
           step = static_cast<unsigned>(inner);
  std::int64_t* to = out.data<std::int64_t>();
  if (x.dtype() == DType::f32) {
    launch<float>(to, static_cast<const float*>(dense.data()), results, n, step, sign);
  } else if (x.dtype() == DType::f64) {
    launch<double>(to, static_cast<const double*>(dense.data()), results, n, step, sign);
  } else if (is_floating(x.dtype())) {
    launch<float>(to, Elements<float>{dense.data(), x.dtype()}, results, n, step, sign);
  } else {
    launch<std::int64_t>(to, Elements<std::int64_t>{dense.data(), x.dtype()}, results, n, step, sign);
  }
  check_launch(operation);
  return out;
}

}  // namespace

Tensor argmax(const Tensor& x, std::int64_t dim, bool keep) { return best_of(x, dim, keep, 1, "argmax"); }
Tensor argmin(const Tensor& x, std::int64_t dim, bool keep) { return best_of(x, dim, keep, -1, "argmin"); }
Tensor argmax(const Tensor& x) { return argmax(reshape(x, {-1}), 0); }
Tensor argmin(const Tensor& x) { return argmin(reshape(x, {-1}), 0); }

}  // namespace reprise::kernels
