// Errors in the user's program, reported with file and line.
#pragma once

#include <llvm/ADT/Twine.h>
#include <llvm/IR/Instruction.h>

namespace reprise_compiler::device {

// Prints "file:line:column: error: message" and exits.
[[noreturn]] void fail_at(const llvm::Instruction& where, const llvm::Twine& message);
[[noreturn]] void fail_in(const llvm::Function& where, const llvm::Twine& message);
[[noreturn]] void fail(const llvm::Twine& message);

// Demangled name for messages: "scan<float>(float*, int)".
std::string readable_name(llvm::StringRef mangled);

}  // namespace reprise_compiler::device
