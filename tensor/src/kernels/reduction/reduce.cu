// A reduction consists of steps [outer, length, inner] -> [outer, inner] on a contiguous tensor, one for each run of
// adjacent reduced dimensions: a sum over the first and the last of three dimensions takes two steps.
#include <limits>

#include "kernels/device/dependent_launch.h"
#include "kernels/device/element.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/operations.h"
#include "kernels/reduction/reduce.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

enum class ReduceOp { sum, prod, max, min };

// Operations on f32, each a type so that its kernel is specialised; all other element types share generic kernels.
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Larger {
  __device__ float operator()(float a, float b) const { return larger(a, b); }
};
struct Smaller {
  __device__ float operator()(float a, float b) const { return smaller(a, b); }
};
template <class C>
struct Chosen {
  ReduceOp op;
  __device__ C operator()(C a, C b) const {
    switch (op) {
      case ReduceOp::sum:
        return a + b;
      case ReduceOp::prod:
        return a * b;
      case ReduceOp::max:
        return larger(a, b);
      case ReduceOp::min:
        return smaller(a, b);
    }
    return a;
  }
};

// The `length` elements of a line are divided into `parts` parts of `part` elements: a long line is reduced to several
// partial results, which a second step reduces.
struct Step {
  unsigned outer, length, inner, part, parts;
};

struct Output {
  void* data;
  DType dtype;
  double factor;  // of floating-point results
};

template <class C>
__device__ void put(const Output& out, std::size_t at, C value) {
  if constexpr (!std::is_same_v<C, std::int64_t>) value *= static_cast<C>(out.factor);
  store<C>(static_cast<char*>(out.data) + at * bytes_of(out.dtype), out.dtype, 0, value);
}

// One thread per result. Adjacent threads read adjacent elements if inner is not 1.
template <class Combine, class C, class From>
__global__ void reduce_by_threads(Output out, From from, Step step, Combine combine, C identity) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned part = blockIdx.y;
  if (i >= step.outer * step.inner) return;
  unsigned o = i / step.inner, within = i - o * step.inner;
  unsigned first = part * step.part, last = ::min(first + step.part, step.length);
  std::size_t at = (static_cast<std::size_t>(o) * step.length + first) * step.inner + within;
  C value = identity;
  for (unsigned j = first; j < last; ++j, at += step.inner) value = combine(value, from[at]);
  put<C>(out, (static_cast<std::size_t>(o) * step.parts + part) * step.inner + within, value);
}

// One block per result; inner is 1.
template <class Combine, class C, class From>
__global__ void reduce_by_blocks(Output out, From from, Step step, Combine combine, C identity) {
  wait_for_prior_grids();
  __shared__ C values[threads_per_block];
  unsigned part = blockIdx.x % step.parts, o = blockIdx.x / step.parts;
  unsigned first = part * step.part, last = ::min(first + step.part, step.length);
  std::size_t line = static_cast<std::size_t>(o) * step.length;
  C value = identity;
  for (unsigned j = first + threadIdx.x; j < last; j += threads_per_block) value = combine(value, from[line + j]);
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned width = threads_per_block / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) values[threadIdx.x] = combine(values[threadIdx.x], values[threadIdx.x + width]);
    __syncthreads();
  }
  if (threadIdx.x == 0) put<C>(out, blockIdx.x, values[0]);
}

#ifndef REPRISE_GPU
// The same for f32 on the CPU device: one thread reduces a strip of adjacent columns, so that each row of it is a few
// vectors and memory is read in order.
constexpr unsigned strip = 32, least_columns = 16;

template <class Combine>
__global__ void reduce_columns(Output out, const float* __restrict__ from, Step step, Combine combine, float identity) {
  const unsigned strips = (step.inner + strip - 1) / strip, o = blockIdx.x / strips,
                 column = blockIdx.x % strips * strip, part = blockIdx.y;
  const unsigned first = part * step.part, last = ::min(first + step.part, step.length),
                 count = ::min(strip, step.inner - column);
  float values[strip];
#pragma unroll
  for (unsigned k = 0; k < strip; ++k) values[k] = identity;
  const float* line = from + (static_cast<std::size_t>(o) * step.length + first) * step.inner + column;
  const std::size_t to = (static_cast<std::size_t>(o) * step.parts + part) * step.inner + column;
  if (count == strip) {
    for (unsigned j = first; j < last; ++j, line += step.inner) {
#pragma unroll
      for (unsigned k = 0; k < strip; ++k) values[k] = combine(values[k], line[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < strip; ++k) put<float>(out, to + k, values[k]);
    return;
  }
  for (unsigned k = 0; k < count; ++k) {
    float value = identity;
    const float* next = line + k;
    for (unsigned j = first; j < last; ++j, next += step.inner) value = combine(value, *next);
    put<float>(out, to + k, value);
  }
}

// Contiguous lines (inner is 1): one thread reduces several, each in `lanes` partial results.
constexpr unsigned lanes = 32, numbers_of_block = 8192;

template <class Combine>
__device__ float reduce_line(const float* __restrict__ line, unsigned length, Combine combine, float identity) {
  float values[lanes];
#pragma unroll
  for (unsigned k = 0; k < lanes; ++k) values[k] = identity;
  unsigned j = 0;
  for (; j + lanes <= length; j += lanes) {
#pragma unroll
    for (unsigned k = 0; k < lanes; ++k) values[k] = combine(values[k], line[j + k]);
  }
  float value = identity;
  for (; j < length; ++j) value = combine(value, line[j]);
#pragma unroll
  for (unsigned k = 0; k < lanes; ++k) value = combine(value, values[k]);
  return value;
}

template <class Combine>
__global__ void reduce_rows(Output out, const float* __restrict__ from, Step step, Combine combine, float identity,
                            unsigned of_block) {
  const unsigned end = ::min((blockIdx.x + 1) * of_block, step.outer * step.parts);
  for (unsigned i = blockIdx.x * of_block; i < end; ++i) {
    const unsigned first = i % step.parts * step.part, last = ::min(first + step.part, step.length);
    const float* line = from + static_cast<std::size_t>(i / step.parts) * step.length + first;
    put<float>(out, i, reduce_line(line, last - first, combine, identity));
  }
}
#endif

constexpr unsigned short_line = 64;      // shorter lines are reduced by one thread
constexpr unsigned longest_part = 8192;  // for a block

template <class Combine, class C, class From>
void launch_step(const Output& out, From from, const Step& step, Combine combine, C identity) {
#ifndef REPRISE_GPU
  if constexpr (std::is_same_v<From, const float*>) {
    if (step.inner == 1) {
      const unsigned of_block = ::std::max(1u, numbers_of_block / ::std::max(step.part, 1u));
      const unsigned blocks = (step.outer * step.parts + of_block - 1) / of_block;
      launch_dependent("a reduction", reduce_rows<Combine>, {blocks, 1}, out, from, step, combine, identity, of_block);
      return;
    }
    if (step.inner >= least_columns) {
      const dim3 grid((step.inner + strip - 1) / strip * step.outer, step.parts);
      launch_dependent("a reduction", reduce_columns<Combine>, {grid, 1}, out, from, step, combine, identity);
      return;
    }
  }
#endif
  if (step.inner == 1 && step.length >= short_line) {
    launch_dependent("a reduction", reduce_by_blocks<Combine, C, From>, {step.outer * step.parts, threads_per_block},
                     out, from, step, combine, identity);
  } else {
    dim3 grid(blocks_for(static_cast<std::int64_t>(step.outer) * step.inner), step.parts);
    launch_dependent("a reduction", reduce_by_threads<Combine, C, From>, {grid, threads_per_block}, out, from, step,
                     combine, identity);
  }
}

constexpr float infinity = std::numeric_limits<float>::infinity();

void launch_f32(ReduceOp op, const Output& out, const float* x, const Step& step) {
  switch (op) {
    case ReduceOp::sum:
      return launch_step(out, x, step, Sum(), 0.f);
    case ReduceOp::prod:
      return launch_step(out, x, step, Chosen<float>{op}, 1.f);
    case ReduceOp::max:
      return launch_step(out, x, step, Larger(), -infinity);
    case ReduceOp::min:
      return launch_step(out, x, step, Smaller(), infinity);
  }
}

void launch(ReduceOp op, const Tensor& out, const Tensor& x, const Step& step, double factor, DType computed) {
  constexpr float identities[] = {0, 1, -infinity, infinity};
  constexpr std::int64_t whole_identities[] = {0, 1, std::numeric_limits<std::int64_t>::min(),
                                               std::numeric_limits<std::int64_t>::max()};
  int which = static_cast<int>(op);
  Output to{out.data(), out.dtype(), factor};
  if (computed == DType::f64) {
    launch_step(to, Elements<double>{x.data(), x.dtype()}, step, Chosen<double>{op},
                static_cast<double>(identities[which]));
  } else if (computed == DType::i64) {
    launch_step(to, Elements<std::int64_t>{x.data(), x.dtype()}, step, Chosen<std::int64_t>{op},
                whole_identities[which]);
  } else if (x.dtype() == DType::f32) {
    launch_f32(op, to, static_cast<const float*>(x.data()), step);
  } else {
    launch_step(to, Elements<float>{x.data(), x.dtype()}, step, Chosen<float>{op}, identities[which]);
  }
}

// The state shared by the steps of one reduction.
struct Plan {
  ReduceOp op;
  DType computed;  // f64, f32 or i64, the type of intermediate results
};

unsigned parts_of(const Step& step) {
  bool by_blocks = step.inner == 1 && step.length >= short_line;
  std::int64_t results = static_cast<std::int64_t>(step.outer) * step.inner;
  if (by_blocks) return std::min(1024u, (step.length + longest_part - 1) / longest_part);
  // Few long lines are divided among more threads.
  if (results < 4096 && step.length >= 512) return std::min(64u, step.length / 128);
  return 1;
}

// Whether the lines or the results exceed what one launch can process.
constexpr std::int64_t too_many = std::int64_t(1) << 31;

Tensor reduce_step(const Plan& plan, const Tensor& x, std::int64_t outer, std::int64_t length, std::int64_t inner,
                   Tensor out, double factor);

// Reduces lines that are too long in pieces, and then the results of the pieces.
Tensor reduce_long_lines(const Plan& plan, const Tensor& x, std::int64_t outer, std::int64_t length, std::int64_t inner,
                         Tensor out, double factor) {
  const std::int64_t pieces = (length + too_many / 2 - 1) / (too_many / 2), piece = (length + pieces - 1) / pieces;
  const Tensor lines = view(x, {outer, length, inner}), partial = empty({outer, pieces, inner}, plan.computed);
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t p = 0; p < pieces; ++p) {
      const std::int64_t from = p * piece, count = std::min(piece, length - from);
      reduce_step(plan, narrow(select(lines, 0, o), 0, from, count), 1, count, inner,
                  narrow(select(partial, 0, o), 0, p, 1), 1);
    }
  }
  return reduce_step(plan, partial, outer, pieces, inner, std::move(out), factor);
}

// Splits a reduction with too many results into halves.
Tensor reduce_in_halves(const Plan& plan, const Tensor& x, std::int64_t outer, std::int64_t length, std::int64_t inner,
                        Tensor out, double factor) {
  if (!out.defined()) out = empty({outer, inner}, plan.computed);
  const Tensor lines = view(x, {outer, length, inner}), results = view(out, {outer, inner});
  for (std::int64_t from : {std::int64_t(0), outer / 2}) {
    const std::int64_t count = from == 0 ? outer / 2 : outer - outer / 2;
    reduce_step(plan, narrow(lines, 0, from, count), count, length, inner, narrow(results, 0, from, count), factor);
  }
  return out;
}

// [outer, length, inner] -> [outer, inner], written to `out` if it is defined.
Tensor reduce_step(const Plan& plan, const Tensor& x, std::int64_t outer, std::int64_t length, std::int64_t inner,
                   Tensor out, double factor) {
  if (length >= too_many) return reduce_long_lines(plan, x, outer, length, inner, std::move(out), factor);
  if (outer * inner >= too_many && outer > 1)
    return reduce_in_halves(plan, x, outer, length, inner, std::move(out), factor);
  check(outer * inner < too_many, "a reduction of ", x.sizes(), " is too large");
  Step step{static_cast<unsigned>(outer), static_cast<unsigned>(length), static_cast<unsigned>(inner),
            static_cast<unsigned>(length), 1};
  unsigned parts = parts_of(step);
  if (parts > 1) {
    step.part = (step.length + parts - 1) / parts;
    step.parts = (step.length + step.part - 1) / step.part;
    Tensor partial = empty({outer, step.parts, inner}, plan.computed);
    launch(plan.op, partial, x, step, 1, plan.computed);
    return reduce_step(plan, partial, outer, step.parts, inner, std::move(out), factor);
  }
  if (!out.defined()) out = empty({outer, inner}, plan.computed);
  launch(plan.op, out, x, step, factor, plan.computed);
  return out;
}

// The reduced dimensions as a bit mask.
unsigned reduced_dimensions(const Tensor& x, const Sizes& dims, const char* operation) {
  if (dims.empty()) return (1u << x.dim()) - 1;
  unsigned reduced = 0;
  for (std::int64_t each : dims) {
    int dim = wrap_dimension(each, x.sizes(), operation);
    check(!(reduced >> dim & 1), operation, ": dimension ", dim, " of ", x.sizes(), " is named twice in ", dims);
    reduced |= 1u << dim;
  }
  return reduced;
}

Sizes reduced_sizes(const Sizes& sizes, unsigned reduced, bool keep) {
  Sizes left;
  for (int i = 0; i < sizes.size(); ++i) {
    if (!(reduced >> i & 1)) {
      left.push_back(sizes[i]);
    } else if (keep) {
      left.push_back(1);
    }
  }
  return left;
}

// Permutes the dimensions into memory order, so that a permuted tensor is not copied. The kept dimensions stay in the
// order of the result.
Tensor in_memory_order(const Tensor& x, unsigned& reduced) {
  if (x.is_contiguous()) return x;
  Sizes order;
  for (int i = 0; i < x.dim(); ++i) order.push_back(i);
  auto stride = [&](int i) { return x.strides()[static_cast<int>(order[i])]; };
  for (int i = 1; i < order.size(); ++i) {
    for (int j = i; j > 0 && stride(j) > stride(j - 1); --j) std::swap(order[j], order[j - 1]);
  }
  std::int64_t last_kept = -1;
  unsigned permuted = 0;
  for (int i = 0; i < order.size(); ++i) {
    if (reduced >> order[i] & 1) {
      permuted |= 1u << i;
    } else {
      if (order[i] < last_kept) return contiguous(x);
      last_kept = order[i];
    }
  }
  Tensor y = permute(x, order);
  if (!y.is_contiguous()) return contiguous(x);
  reduced = permuted;
  return y;
}

Tensor reduce(ReduceOp op, const Tensor& x, const Sizes& dims, bool keep, DType result, double factor,
              const char* operation) {
  unsigned reduced = reduced_dimensions(x, dims, operation);
  Tensor out = empty(reduced_sizes(x.sizes(), reduced, keep), result);
  if (out.numel() == 0) return out;
  if (x.numel() == 0) {
    check(op == ReduceOp::sum || op == ReduceOp::prod, operation, ": there is nothing to choose from in ", x.sizes());
    fill_(out, op == ReduceOp::sum ? 0 * factor : 1);
    return out;
  }
  Plan plan{op, computed_type(x.dtype())};
  Tensor from = in_memory_order(x, reduced);
  Sizes sizes = from.sizes();
  // Repeatedly reduces the innermost run of reduced dimensions.
  std::int64_t inner = 1;
  for (int i = sizes.size() - 1; i >= 0;) {
    if (!(reduced >> i & 1)) {
      inner *= sizes[i--];
      continue;
    }
    std::int64_t length = 1, outer = 1;
    for (; i >= 0 && ((reduced >> i & 1) || sizes[i] == 1); --i) {
      if (reduced >> i & 1) length *= sizes[i];
    }
    bool last = true;
    for (int j = i; j >= 0; --j) {
      outer *= sizes[j];
      if (reduced >> j & 1) last = false;
    }
    from = reduce_step(plan, from, outer, length, inner, last ? out : Tensor(), last ? factor : 1);
    if (last) return out;
  }
  // Nothing to reduce: the tensor has no dimensions.
  reduce_step(plan, from, inner, 1, 1, out, factor);
  return out;
}

// i64 for sums of integers and bool.
DType sum_type(DType dtype) { return is_floating(dtype) ? dtype : DType::i64; }

}  // namespace

Tensor sum(const Tensor& x, const Sizes& dims, bool keep) {
  return reduce(ReduceOp::sum, x, dims, keep, sum_type(x.dtype()), 1, "sum");
}
Tensor prod(const Tensor& x, const Sizes& dims, bool keep) {
  return reduce(ReduceOp::prod, x, dims, keep, sum_type(x.dtype()), 1, "prod");
}
Tensor max(const Tensor& x, const Sizes& dims, bool keep) {
  return reduce(ReduceOp::max, x, dims, keep, x.dtype(), 1, "max");
}
Tensor min(const Tensor& x, const Sizes& dims, bool keep) {
  return reduce(ReduceOp::min, x, dims, keep, x.dtype(), 1, "min");
}

Tensor mean(const Tensor& x, const Sizes& dims, bool keep) {
  check(is_floating(x.dtype()), "mean: a tensor of ", x.dtype(), " ", x.sizes(),
        " has no mean of its own type; convert it with to()");
  unsigned reduced = reduced_dimensions(x, dims, "mean");
  std::int64_t count = 1;
  for (int i = 0; i < x.dim(); ++i) {
    if (reduced >> i & 1) count *= x.sizes()[i];
  }
  return reduce(ReduceOp::sum, x, dims, keep, x.dtype(), 1.0 / static_cast<double>(count), "mean");
}

Tensor any(const Tensor& x, const Sizes& dims, bool keep) {
  return reduce(ReduceOp::max, x.dtype() == DType::boolean ? x : ne(x, 0), dims, keep, DType::boolean, 1, "any");
}

Tensor all(const Tensor& x, const Sizes& dims, bool keep) {
  return reduce(ReduceOp::min, x.dtype() == DType::boolean ? x : ne(x, 0), dims, keep, DType::boolean, 1, "all");
}

Tensor sum_to(const Tensor& grad, const Sizes& sizes) {
  if (grad.sizes() == sizes) return grad;
  check(broadcast(grad.sizes(), sizes, "sum_to") == grad.sizes(), "sum_to: ", sizes, " does not broadcast to ",
        grad.sizes());
  int more = grad.dim() - sizes.size();
  Sizes dims;
  for (int i = 0; i < grad.dim(); ++i) {
    if (i < more || (sizes[i - more] == 1 && grad.sizes()[i] != 1)) dims.push_back(i);
  }
  if (dims.empty()) return view(grad, sizes);
  return view(sum(grad, dims, true), sizes);
}

}  // namespace reprise::kernels
