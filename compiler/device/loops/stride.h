// How much a value changes from one thread, or from one turn of a loop, to the next.
#pragma once

#include <llvm/IR/Value.h>

#include <optional>

#include "ir/thread_arguments.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {

// By how much `value` grows when threadIdx.x does by one, in the block or inside a warp; none where that is not a
// constant.
std::optional<int64_t> stride_in_x(llvm::Value* value, llvm::Function& body, Level level);

// The same for the counter of a loop.
std::optional<int64_t> stride_in(llvm::Value* value, const llvm::PHINode& counter);

}  // namespace reprise_compiler::device
