// Changes to and queries of the control flow of a kernel's body before it is split.
#pragma once

#include <llvm/IR/Function.h>

#include <set>
#include <vector>

#include "ir/builtin.h"
#include "regions/early_exit.h"

namespace reprise_compiler::device {

// Makes all returns branch to one block, which it returns.
llvm::BasicBlock* unify_returns(llvm::Function& body);

// Blocks from which a call of a builtin is reachable for which `is` holds.
std::set<const llvm::BasicBlock*> blocks_leading_to(llvm::Function& body, bool (*is)(Builtin));

// Deletes blocks that only leaving threads reached. Keeps detached exits, which are unreachable at this point, and the
// end, which is unreachable if all threads leave from inside a loop: the region graph refers to it.
void drop_unreachable(llvm::Function& body, llvm::BasicBlock* end, const std::vector<EarlyExit>& exits);

}  // namespace reprise_compiler::device
