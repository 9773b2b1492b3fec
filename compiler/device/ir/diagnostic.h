// Errors about the user's program, at the user's own file and line.
#pragma once

#include <llvm/ADT/Twine.h>
#include <llvm/IR/Instruction.h>

namespace reprise_compiler::device {

// Prints "file:line:column: error: message" and ends the compilation.
[[noreturn]] void fail_at(const llvm::Instruction& where, const llvm::Twine& message);
[[noreturn]] void fail_in(const llvm::Function& where, const llvm::Twine& message);
[[noreturn]] void fail(const llvm::Twine& message);

// The name as the user wrote it, for messages: "scan<float>(float*, int)" from its mangled form.
std::string readable_name(llvm::StringRef mangled);

}  // namespace reprise_compiler::device
