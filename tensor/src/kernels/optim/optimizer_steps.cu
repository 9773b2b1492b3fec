#include <cmath>

#include "kernels/device/dependent_launch.h"
#include "kernels/device/element.h"
#include "kernels/device/row_group.h"
#include "kernels/optim/optimizer_steps.h"
#include "kernels/optim/tensor_table.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/factories.h"

namespace reprise::kernels {
namespace {

// In a tensor of four i64, all zero at first.
struct StepState {
  long long steps;
  double beta1_power, beta2_power;  // beta to the power of the number of steps
  unsigned blocks_done;
};
static_assert(sizeof(StepState) == 32, "as many bytes as the tensor has");

template <int lists>
bool is_all_f32(const TensorTable<lists>& table) {
  for (int k = 0; k < lists; ++k) {
    for (int i = 0; i < table.count; ++i) {
      if (table.dtype[k][i] != DType::f32) return false;
    }
  }
  return true;
}

// One tensor of each list, read and written as f32.
template <bool f32, int lists>
struct Row {
  void* data[lists];
  DType dtype[lists];

  __device__ float get(int list, std::int64_t i) const {
    if (f32) return static_cast<const float*>(data[list])[i];
    return load<float>(static_cast<const char*>(data[list]) + i * bytes_of(dtype[list]), dtype[list], 0);
  }
  __device__ void set(int list, std::int64_t i, float value) const {
    if (f32) {
      static_cast<float*>(data[list])[i] = value;
    } else {
      store<float>(static_cast<char*>(data[list]) + i * bytes_of(dtype[list]), dtype[list], 0, value);
    }
  }
};

template <int lists>
__device__ int row_of(const TensorTable<lists>& table, unsigned block) {
  int low = 0, high = table.count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (table.first_block[middle] <= block) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// The chunk of one tensor of each list that a block processes.
template <bool f32, int lists>
struct Chunk {
  using Table = TensorTable<lists>;
  Row<f32, lists> row;
  std::int64_t begin;
  int count;

  __device__ explicit Chunk(const Table& table) {
    const int r = row_of(table, blockIdx.x);
    for (int k = 0; k < lists; ++k) {
      row.data[k] = table.data[k][r];
      row.dtype[k] = table.dtype[k][r];
    }
    begin = static_cast<std::int64_t>(blockIdx.x - table.first_block[r]) * Table::chunk;
    const std::int64_t left = table.numel[r] - begin;
    count = left < Table::chunk ? static_cast<int>(left) : Table::chunk;
  }

  // Calls each(row, i) for the thread's elements.
  template <class Each>
  __device__ void for_each(Each each) const {
    if constexpr (Table::threads == 1) {
      for (int k = 0; k < count; ++k) each(row, begin + k);
    } else {
      for (int step = 0; step < Table::chunk / Table::threads; ++step) {
        const int k = step * Table::threads + threadIdx.x;
        if (k < count) each(row, begin + k);
      }
    }
  }
};

template <bool f32, int lists, class Each>
__device__ void for_each_element(const TensorTable<lists>& table, Each each) {
  Chunk<f32, lists>(table).for_each(each);
}

// The last block to have read the state increments the step count.
__device__ void count_step(StepState* state, double beta1, double beta2) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&state->blocks_done, 1u) + 1 < gridDim.x) return;
  state->blocks_done = 0;
  state->beta1_power = state->steps == 0 ? beta1 : state->beta1_power * beta1;
  state->beta2_power = state->steps == 0 ? beta2 : state->beta2_power * beta2;
  state->steps += 1;
}

// Lists: parameter, gradient and, if used, momentum.
template <bool f32, int lists>
__global__ void sgd_kernel(TensorTable<lists> table, const float* learning_rate, SgdOptions options, StepState* state,
                           bool counts, const float* skip) {
  wait_for_prior_grids();
  if (skip && *skip != 0) return;
  const float rate = *learning_rate;
  const bool first = state && state->steps == 0;
  const float share = first ? 1 : 1 - options.dampening;
  for_each_element<f32>(table, [&](const Row<f32, lists>& row, std::int64_t i) {
    const float parameter = row.get(0, i);
    float step = options.maximize ? -row.get(1, i) : row.get(1, i);
    step += options.weight_decay * parameter;
    if constexpr (lists == 3) {
      const float momentum = options.momentum * row.get(2, i) + share * step;
      row.set(2, i, momentum);
      step = options.nesterov ? step + options.momentum * momentum : momentum;
    }
    row.set(0, i, parameter - rate * step);
  });
  if (counts) count_step(state, 1, 1);
}

// Lists: parameter, gradient, and the running means.
template <bool f32>
__global__ void adam_kernel(TensorTable<4> table, const float* learning_rate, AdamOptions options, StepState* state,
                            bool counts, const float* skip) {
  wait_for_prior_grids();
  if (skip && *skip != 0) return;
  const bool first_step = state->steps == 0;
  const double power1 = first_step ? options.beta1 : state->beta1_power * options.beta1;
  const double power2 = first_step ? options.beta2 : state->beta2_power * options.beta2;
  const float rate = *learning_rate;
  const float beta1 = static_cast<float>(options.beta1), beta2 = static_cast<float>(options.beta2);
  const float share1 = static_cast<float>(1 - options.beta1), share2 = static_cast<float>(1 - options.beta2);
  const float step_size = static_cast<float>(rate / (1 - power1));
  const float inverse_root = static_cast<float>(1 / sqrt(1 - power2));
  const float kept = options.decoupled ? 1 - rate * options.weight_decay : 1;
  const float decay = options.decoupled ? 0 : options.weight_decay;
  for_each_element<f32>(table, [&](const Row<f32, 4>& row, std::int64_t i) {
    const float parameter = row.get(0, i);
    const float gradient = (options.maximize ? -row.get(1, i) : row.get(1, i)) + decay * parameter;
    const float first = beta1 * row.get(2, i) + share1 * gradient;
    const float second = beta2 * row.get(3, i) + share2 * gradient * gradient;
    row.set(2, i, first);
    row.set(3, i, second);
    row.set(0, i, parameter * kept - step_size * first / (sqrtf(second) * inverse_root + options.epsilon));
  });
  if (counts) count_step(state, options.beta1, options.beta2);
}

template <bool f32>
__global__ void unscale_kernel(TensorTable<1> table, const float* scale, float* found) {
  wait_for_prior_grids();
  const float factor = 1 / *scale;
  bool finite = true;
  for_each_element<f32>(table, [&](const Row<f32, 1>& row, std::int64_t i) {
    const float value = row.get(0, i);
    finite &= static_cast<bool>(isfinite(value));
    row.set(0, i, value * factor);
  });
  if (!finite) *found = 1;
}

template <bool f32>
__global__ void clip_kernel(TensorTable<1> table, const float* norm, float limit) {
  wait_for_prior_grids();
  const float factor = limit / (*norm + 1e-6f);
  if (!(factor < 1)) return;
  for_each_element<f32>(table, [&](const Row<f32, 1>& row, std::int64_t i) { row.set(0, i, row.get(0, i) * factor); });
}

constexpr int norm_threads = 256;

__device__ float sum_of_block(float value) {
  __shared__ float values[norm_threads];
  values[threadIdx.x] = value;
  __syncthreads();
  for (int half = norm_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  return values[0];
}

template <bool f32>
__global__ void squares_kernel(TensorTable<1> table, float* sums) {
  wait_for_prior_grids();
  const Chunk<f32, 1> chunk(table);
  auto square = [&](std::int64_t i) {
    const float value = chunk.row.get(0, i);
    return value * value;
  };
  if constexpr (TensorTable<1>::threads == 1) {
    sums[blockIdx.x] = RowGroup<1>::sum(chunk.count, [&](int k) { return square(chunk.begin + k); });
  } else {
    float sum = 0;
    chunk.for_each([&](const Row<f32, 1>&, std::int64_t i) { sum += square(i); });
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

__global__ void norm_kernel(const float* sums, unsigned count, float* norm) {
  wait_for_prior_grids();
  float sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) sum += sums[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *norm = sqrtf(sum);
}

const float* address_or_null(const Tensor& tensor) { return tensor.defined() ? tensor.data<float>() : nullptr; }

StepState* state_or_null(const Tensor& state) {
  return state.defined() ? reinterpret_cast<StepState*>(state.data<std::int64_t>()) : nullptr;
}

int launches_for(const std::vector<Tensor>& tensors) {
  int filled = 0;
  for (const Tensor& tensor : tensors) filled += tensor.numel() > 0;
  return (filled + TensorTable<1>::capacity - 1) / TensorTable<1>::capacity;
}

template <int lists>
void launch_sgd(const std::vector<Tensor>* const (&tensors)[lists], const Tensor& learning_rate,
                const SgdOptions& options, const Tensor& state, const Tensor& skip) {
  int left = launches_for(*tensors[0]);
  in_tables("SGD", tensors, [&](const TensorTable<lists>& table) {
    const bool counts = --left == 0 && state.defined();
    auto kernel = is_all_f32(table) ? sgd_kernel<true, lists> : sgd_kernel<false, lists>;
    launch_dependent("SGD", kernel, {table.blocks(), table.threads}, table, learning_rate.data<float>(), options,
                     state_or_null(state), counts, address_or_null(skip));
  });
}

}  // namespace

Tensor new_step_state() { return zeros({sizeof(StepState) / sizeof(std::int64_t)}, DType::i64); }

void sgd_step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients,
              const std::vector<Tensor>& momenta, const Tensor& learning_rate, const SgdOptions& options,
              const Tensor& state, const Tensor& skip) {
  if (momenta.empty()) {
    launch_sgd<2>({&parameters, &gradients}, learning_rate, options, state, skip);
  } else {
    launch_sgd<3>({&parameters, &gradients, &momenta}, learning_rate, options, state, skip);
  }
}

void adam_step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients,
               const std::vector<Tensor>& first, const std::vector<Tensor>& second, const Tensor& learning_rate,
               const AdamOptions& options, const Tensor& state, const Tensor& skip) {
  int left = launches_for(parameters);
  in_tables<4>("Adam", {&parameters, &gradients, &first, &second}, [&](const TensorTable<4>& table) {
    const bool counts = --left == 0;
    auto kernel = is_all_f32(table) ? adam_kernel<true> : adam_kernel<false>;
    launch_dependent("Adam", kernel, {table.blocks(), table.threads}, table, learning_rate.data<float>(), options,
                     state_or_null(state), counts, address_or_null(skip));
  });
}

void unscale_(const std::vector<Tensor>& tensors, const Tensor& scale, const Tensor& found) {
  in_tables<1>("unscaling gradients", {&tensors}, [&](const TensorTable<1>& table) {
    auto kernel = is_all_f32(table) ? unscale_kernel<true> : unscale_kernel<false>;
    launch_dependent("unscaling gradients", kernel, {table.blocks(), table.threads}, table, scale.data<float>(),
                     found.data<float>());
  });
}

Tensor total_norm(const std::vector<Tensor>& tensors) {
  std::int64_t blocks = 0;
  for (const Tensor& tensor : tensors) blocks += (tensor.numel() + TensorTable<1>::chunk - 1) / TensorTable<1>::chunk;
  const Tensor sums = empty({blocks > 0 ? blocks : 1});
  float* next = sums.data<float>();
  in_tables<1>("the norm of gradients", {&tensors}, [&](const TensorTable<1>& table) {
    auto kernel = is_all_f32(table) ? squares_kernel<true> : squares_kernel<false>;
    launch_dependent("the norm of gradients", kernel, {table.blocks(), table.threads}, table, next);
    next += table.blocks();
  });
  Tensor norm = empty({});
  launch_dependent("the norm of gradients", norm_kernel, {1, norm_threads}, sums.data<float>(),
                   static_cast<unsigned>(blocks), norm.data<float>());
  return norm;
}

void clip_(const std::vector<Tensor>& tensors, const Tensor& norm, double limit) {
  in_tables<1>("clipping gradients", {&tensors}, [&](const TensorTable<1>& table) {
    auto kernel = is_all_f32(table) ? clip_kernel<true> : clip_kernel<false>;
    launch_dependent("clipping gradients", kernel, {table.blocks(), table.threads}, table, norm.data<float>(),
                     static_cast<float>(limit));
  });
}

}  // namespace reprise::kernels
