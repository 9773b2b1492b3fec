// A small SPMD program, which the generator creates, the printer writes as CUDA C++, and the interpreter runs thread by
// thread. All values are 32-bit words, so that every operation has one correct result.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spmd {

constexpr unsigned thread_variables = 5;    // v0 ..: one per thread
constexpr unsigned uniform_variables = 3;   // u0 ..: the same in all threads of a block
constexpr unsigned shared_arrays = 2;       // s0, s1: one word per thread of the block
constexpr unsigned local_size = 4;          // words of the thread's own array
constexpr unsigned input_size = 256;        // of the input that is read at random indices
constexpr unsigned long_input_size = 4096;  // of the input that is read in order
constexpr unsigned longest_stride_loop = 300;
constexpr unsigned max_threads = 256;

enum class Leaf {
  constant,
  thread_variable,
  uniform_variable,
  tid_x,
  tid_y,
  thread,
  lane,
  warp,
  block_index,
  block_threads,
  parameter,
  counter
};
enum class Operator {
  add,
  sub,
  mul,
  bit_and,
  bit_or,
  bit_xor,
  shl,
  lshr,
  ashr,
  udiv,
  urem,
  sdiv,
  ult,
  slt,
  eq,
  min,
  max
};

struct Expression {
  enum class Kind { leaf, binary, select, input, input_in_order, input_at_counter, local } kind = Kind::leaf;
  Leaf leaf = Leaf::constant;
  Operator op = Operator::add;
  uint32_t number = 0;               // constant's value, or which variable
  std::vector<Expression> operands;  // binary 2, select 3, input and local 1; input in order: a counter
};

enum class WarpOperation { shuffle, ballot, any, all, match_any, match_all, reduce, active_mask };

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind {
    assign,          // v[target] = value
    assign_uniform,  // u[target] = value
    branch,          // if (value) body else other
    loop,            // for (c[target] = 0; c[target] < value % 4; ++c[target]) body
    stride_loop,     // for (c[target] = start; c[target] < value % 300; c[target] += step) body
    leave_loop,      // if (value) break
    next_turn,       // if (value) continue
    leave_kernel,    // if (value) return
    barrier,
    barrier_reduce,  // v[target] = __syncthreads_{count,and,or}(value)
    store_shared,    // s[target][permuted thread] = value; number: the permutation
    load_shared,     // v[target] = s[number][value % threads]
    store_local,     // a[index % local_size] = value
    warp,            // v[target] = operation of the warp
    sync_warp,
    masked_warp,     // m = ballot(value2); if (value2) v[target] = operation with mask m
    add_to_counter,  // atomicAdd(&n[target], value): a shared counter
    read_counter,    // v[target] = n[number]
  } kind;
  unsigned target = 0, number = 0;
  Expression value, value2;
  WarpOperation operation = WarpOperation::ballot;
  unsigned mode = 0;  // of shuffle, or of reduce
  unsigned width = 32;
  unsigned start = 0, step = 0;  // of stride_loop
  Block body, other;
};

struct Shape {
  unsigned grid = 1, block_x = 32, block_y = 1;
  unsigned threads() const { return block_x * block_y; }
};

struct Program {
  Block body;
  Shape shape;
  uint32_t parameters[2];
};

// The same seed gives the same program.
Program generate(uint64_t seed);
std::string print(const Program& program, const std::string& name);
// out: for every thread of the grid, its thread variables at the end.
std::vector<uint32_t> interpret(const Program& program, const std::vector<uint32_t>& input);

}  // namespace spmd
