// PTX special registers (%tid.x, %laneid, %globaltimer ...) as LLVM values; shared by nvvm intrinsics and inline PTX.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace reprise_compiler::device {

// `name` without its percent sign. Null where there is no such register. 32 bits wide, or 64 for the clocks.
llvm::Value* read_special_register(llvm::IRBuilderBase& builder, llvm::StringRef name);

// threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)
llvm::Value* linear_thread_index(llvm::IRBuilderBase& builder);

// A call of one of the runtime's functions (src/kernel/kernel_abi.h) that neither reads nor writes the program's data.
llvm::Value* call_service(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments = {});

}  // namespace reprise_compiler::device
