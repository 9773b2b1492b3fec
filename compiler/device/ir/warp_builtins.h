// Expresses the warp operations of PTX and of nvvm intrinsics in device builtins.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace reprise_compiler::device {

enum class ShuffleMode { index = 0, up = 1, down = 2, exclusive_or = 3 };

ShuffleMode shuffle_mode(llvm::StringRef ptx_name);  // "idx", "up", "down", "bfly"

struct ShuffleOperands {
  ShuffleMode mode;
  llvm::Value *mask, *value, *lane_or_delta, *width;
};

// PTX's clamp operand holds 32 - width in bits 8 to 12.
llvm::Value* width_of_clamp(llvm::IRBuilderBase& builder, llvm::Value* clamp);
llvm::Value* emit_shuffle(llvm::IRBuilderBase& builder, const ShuffleOperands& operands);  // 32 or 64 bits

// The lane that `lane` reads from, which is itself if the source is out of range, and whether it is in range.
struct SourceLane {
  llvm::Value *lane, *in_range;
};
SourceLane source_lane(llvm::IRBuilderBase& builder, llvm::Value* mode, llvm::Value* lane, llvm::Value* lane_or_delta,
                       llvm::Value* width);
llvm::Value* shuffle_in_range(llvm::IRBuilderBase& builder, const ShuffleOperands& operands);

// kind: "all", "any", "uni" (i1) or "ballot" (i32). `predicate` is i1.
llvm::Value* emit_vote(llvm::IRBuilderBase& builder, llvm::StringRef kind, llvm::Value* mask, llvm::Value* predicate);
// { i32 mask, i1 all equal }
llvm::Value* emit_match_all(llvm::IRBuilderBase& builder, llvm::Value* mask, llvm::Value* value);
// operation: "add", "min", "max", "umin", "umax", "and", "or", "xor"
llvm::Value* emit_reduce(llvm::IRBuilderBase& builder, llvm::StringRef operation, llvm::Value* mask,
                         llvm::Value* value);

// Reduces the elements of a <32 x i32> whose bit is set in `lanes`; operation codes as in __reprise_reduce32.
llvm::Value* reduce_lanes(llvm::IRBuilderBase& builder, llvm::Value* operation, llvm::Value* values,
                          llvm::Value* lanes);

// PTX prmt: selects bytes of two words.
llvm::Value* emit_byte_permute(llvm::IRBuilderBase& builder, llvm::Value* low, llvm::Value* high,
                               llvm::Value* selector);

}  // namespace reprise_compiler::device
