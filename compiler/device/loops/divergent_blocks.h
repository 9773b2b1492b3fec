// Blocks that some threads run while others have gone another way: those between a branch on which threads differ and
// the place where they meet again.
#pragma once

#include <set>

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// `with_leaving`: also where the others only leave the kernel, for good.
std::set<const llvm::BasicBlock*> parted_blocks(llvm::Function& body, const Uniformity& uniformity, bool with_leaving);

}  // namespace reprise_compiler::device
