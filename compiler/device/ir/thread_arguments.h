// How device code receives its thread index and its launch.
//
// A kernel's body takes them as arguments after the user's own, so that loops over threads can supply them:
//     body(user arguments..., launch, shared, gridDim x y z, blockDim x y z, blockIdx x y z, threadIdx x y z, thread
//     number, lane, row length)
// where the thread number is threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), and
// the lane is the thread number modulo 32.
// A function that was not inlined takes one hidden last argument, a pointer to a thread context:
//     %reprise.thread = type { ptr launch, ptr shared, [3 x i32] block index, [3 x i32] thread index, ptr dynamic
//     shared }
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {

constexpr unsigned warp_size = 32;

enum class ThreadArgument : unsigned {
  launch,
  shared,
  grid_x,
  grid_y,
  grid_z,
  block_x,
  block_y,
  block_z,
  block_index_x,
  block_index_y,
  block_index_z,
  thread_index_x,
  thread_index_y,
  thread_index_z,
  thread_number,
  lane,        // 64 bits
  row_length,  // 64 bits: threads in a row of the block; more than blockDim.x if blocks are merged
  count
};

llvm::Argument* thread_argument(llvm::Function& body, ThreadArgument which);
inline ThreadArgument operator+(ThreadArgument a, unsigned n) { return ThreadArgument(unsigned(a) + n); }

// The body's argument that has the value of an index builtin; null for other builtins.
llvm::Value* argument_for(llvm::Function& body, Builtin builtin);

enum ContextField : unsigned {
  context_launch,
  context_shared,
  context_block_index,
  context_thread_index,
  context_dynamic_shared,
};
llvm::StructType* thread_context_type(llvm::LLVMContext& context);
llvm::StructType* launch_type(llvm::LLVMContext& context);  // reprise_launch of kernel_abi.h

enum LaunchField : unsigned {
  launch_grid,
  launch_block,
  launch_block_begin,
  launch_block_end,
  launch_shared,
  launch_scratch,
  launch_dynamic_shared,
};
// Loads a field of a launch; `index` is the axis of grid and block. The fields are constant while a thunk runs.
llvm::Value* load_launch_field(llvm::IRBuilderBase& builder, llvm::Value* launch, LaunchField field,
                               unsigned index = 0);

}  // namespace reprise_compiler::device
