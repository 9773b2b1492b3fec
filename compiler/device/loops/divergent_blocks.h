// Blocks in divergent control flow: those between a divergent branch and the block where its paths reconverge, i.e. its
// immediate post-dominator.
#pragma once

#include <set>

#include "threads/uniformity.h"

namespace reprise_compiler::device {

// `include_exits`: also counts branches of which one side only leaves the kernel.
std::set<const llvm::BasicBlock*> divergent_blocks(llvm::Function& body, const Uniformity& uniformity,
                                                   bool include_exits);

}  // namespace reprise_compiler::device
