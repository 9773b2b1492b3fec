#include "ir/remark.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/raw_ostream.h>

#include "ir/diagnostic.h"

namespace reprise_compiler::device {

void remark(const DeviceModule& module, const Kernel& kernel, const llvm::DebugLoc& where, const std::string& text) {
  if (!module.options.remarks) return;
  const llvm::DILocation* location = where.get();
  if (location) llvm::errs() << location->getFilename() << ':' << location->getLine() << ": ";
  llvm::errs() << "remark: " << readable_name(kernel.name) << ' ' << text << '\n';
}

}  // namespace reprise_compiler::device
