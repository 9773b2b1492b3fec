// What is the same for all lanes of a warp by the way threads are numbered, in blocks whose x size is a multiple of 32.
//
//   threadIdx.x = 32 * w + lane, so that threadIdx.x / 32, threadIdx.x & ~31 and threadIdx.x < 64 are one value per
//   warp
#pragma once

#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {

// An operation that drops or ignores the lane of a thread's index.
bool ignores_lane(const llvm::Instruction& instruction, llvm::Function& body);

// The number of the thread in its warp.
bool is_lane(const llvm::Value* value, llvm::Function& body);

// A warp operation that gives every lane the same result.
bool gives_all_lanes_the_same(const llvm::CallBase& call, llvm::Function& body);

}  // namespace reprise_compiler::device
