// PTX special registers (%tid.x, %laneid, %globaltimer ...) as LLVM values, for nvvm intrinsics and inline PTX.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace reprise_compiler::device {

// `name` has no percent sign. Returns null for an unknown register. 32 bits wide; clocks are 64 bits wide.
llvm::Value* read_special_register(llvm::IRBuilderBase& builder, llvm::StringRef name);

// threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)
llvm::Value* linear_thread_index(llvm::IRBuilderBase& builder);

// Emits a call of a runtime function (src/kernel/kernel_abi.h) that does not access the program's data.
llvm::Value* call_runtime(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments = {});

}  // namespace reprise_compiler::device
