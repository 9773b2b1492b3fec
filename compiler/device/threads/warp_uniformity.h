// Values that are uniform in a warp because of how threads are numbered, in blocks whose x size is a multiple of 32.
//
//   threadIdx.x = 32 * w + lane, so that threadIdx.x / 32, threadIdx.x & ~31 and threadIdx.x < 64 are one value per
//   warp
#pragma once

#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {

// True if the operation does not depend on the lane part of a thread's index.
bool ignores_lane(const llvm::Instruction& instruction, llvm::Function& body);

// True if the value is the lane.
bool is_lane(const llvm::Value* value, llvm::Function& body);

// True if the warp operation gives every lane the same result.
bool has_warp_uniform_result(const llvm::CallBase& call, llvm::Function& body);

}  // namespace reprise_compiler::device
