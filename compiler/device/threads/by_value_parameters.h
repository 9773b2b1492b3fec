// Lowers structs that a kernel takes by value.
//
//   define void @k(ptr byval(%S) %s)           define void @k(ptr %s)                  only read: the packed bytes
//     ... use of %s ...                  ->    define void @k(ptr %s)                  written: a copy per thread
//                                                %s.copy = alloca %S; memcpy %s.copy, %s
#pragma once

#include <llvm/IR/Function.h>

namespace reprise_compiler::device {

void lower_by_value_parameters(llvm::Function& body);

}  // namespace reprise_compiler::device
