// Widens 32-bit index arithmetic that cannot wrap to 64 bits, so that LLVM sees that consecutive threads access
// consecutive addresses.
//
//   %i = add nsw i32 %row, %x32                  %row64 = sext i32 %row to i64      (once per row)
//   %w = sext i32 %i to i64            ->        %w = add nsw i64 %row64, %x
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

void widen_indices(llvm::Function& function);

}  // namespace reprise_compiler::device
