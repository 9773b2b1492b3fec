#include "ir/diagnostic.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>

namespace reprise_compiler::device {
namespace {

[[noreturn]] void stop() {
  llvm::errs().flush();
  std::exit(1);
}

void print_file(const llvm::DIScope& scope, unsigned line, unsigned column) {
  llvm::errs() << scope.getFilename();
  if (line) llvm::errs() << ':' << line;
  if (column) llvm::errs() << ':' << column;
  llvm::errs() << ": ";
}

}  // namespace

void fail_at(const llvm::Instruction& where, const llvm::Twine& message) {
  const llvm::DILocation* location = where.getDebugLoc();
  if (!location) fail_in(*where.getFunction(), message);
  print_file(*location->getScope(), location->getLine(), location->getColumn());
  llvm::errs() << "error: " << message << "\n";
  while ((location = location->getInlinedAt())) {
    print_file(*location->getScope(), location->getLine(), location->getColumn());
    llvm::errs() << "note: called from here\n";
  }
  stop();
}

void fail_in(const llvm::Function& where, const llvm::Twine& message) {
  if (const llvm::DISubprogram* subprogram = where.getSubprogram()) print_file(*subprogram, subprogram->getLine(), 0);
  llvm::errs() << "error: " << message << " (in " << readable_name(where.getName()) << ")\n";
  stop();
}

void fail(const llvm::Twine& message) {
  llvm::errs() << "reprise-device-cc: error: " << message << "\n";
  stop();
}

std::string readable_name(llvm::StringRef mangled) { return llvm::demangle(mangled); }

}  // namespace reprise_compiler::device
