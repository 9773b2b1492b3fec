// The problems to compute. All contenders use the same arrays, so that none has better placed memory.
#pragma once

#include <cstddef>

namespace bench {

enum class Kind {
  saxpy,
  grid_stride_saxpy,
  sin_exp,
  stencil,
  reduction,
  shuffle_reduction,
  scan,
  matmul,
  jacobi,
  dense_jacobi,
  timed_wait,
  chosen_bound,
  volatile_counter,
  empty
};

struct Problem {
  Kind kind;
  int n;  // elements, or the side of a square
  const float* a;
  const float* b;  // unused by most
  float* out;
  size_t a_count, b_count, out_count;
};

// Block shapes, and the share of a block.
constexpr int line = 256;                          // one-dimensional kernels
constexpr int patch_width = 32, patch_height = 8;  // stencil and Jacobi step
constexpr int tile = 16;                           // matmul
constexpr int warp = 32;
constexpr float factor = 0.5f;
constexpr int chunk = 4096;                 // chosen bound: elements of a block
constexpr long long wait_cycles = 300'000;  // timed wait
constexpr int counted = 64;                 // volatile counter

struct Contender {
  const char* name;
  bool (*prepare)(const Problem&);  // not timed; false: the contender lacks this problem
  void (*run)(const Problem&);      // returns when the result is in `out`
};

// The columns of the table.
extern const Contender plain, plain_vector_maths, cuda_native, cuda_default, opencl;

// Number of threads of each contender.
int thread_count();

}  // namespace bench
