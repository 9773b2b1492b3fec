// By how much a value grows from one thread, or one iteration of a loop, to the next.
#pragma once

#include <llvm/IR/Value.h>

#include <optional>

#include "ir/thread_arguments.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {

// Stride of `value` in threadIdx.x, in the block or inside a warp; none if it is not a constant.
std::optional<int64_t> stride_in_x(llvm::Value* value, llvm::Function& body, Level level);

// Stride of `value` in the counter of a loop.
std::optional<int64_t> stride_in(llvm::Value* value, const llvm::PHINode& counter);

}  // namespace reprise_compiler::device
