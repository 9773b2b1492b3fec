#include "threads/inline_budget.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "ir/builtin.h"

namespace reprise_compiler::device {
namespace {

// Instructions of a kernel after inlining. The largest kernels of CUB have some 20,000.
constexpr uint64_t budget = 60'000;
constexpr uint64_t smallest_kept = 50;  // a call costs as much as a few instructions
constexpr uint64_t saturated = uint64_t(1) << 40;

struct Node {
  uint64_t own = 0;                      // instructions, without those of callees
  std::vector<llvm::Function*> callees;  // one entry per call
  bool synchronizes = false;             // or calls a function that does
  bool kept = false;                     // stays a call
  uint64_t expanded = 0;                 // instructions after inlining
  uint64_t copies = 0;                   // number of copies that inlining makes
};

class CallGraph {
 public:
  explicit CallGraph(DeviceModule& module) {
    for (const Kernel& kernel : module.kernels) visit(kernel.body);
    for (const Kernel& kernel : module.kernels) roots_.push_back(kernel.body);
  }

  std::vector<llvm::Function*> functions_to_keep() {
    std::vector<llvm::Function*> kept;
    for (std::size_t next = 0; next < roots_.size();) {
      measure(roots_[next]);
      llvm::Function* function = nullptr;
      if (nodes_[roots_[next]].expanded > budget) {
        function = most_copied(false);
        if (!function) function = most_copied(true);
      }
      if (!function) {
        ++next;
        continue;
      }
      nodes_[function].kept = true;
      roots_.push_back(function);
      kept.push_back(function);
    }
    return kept;
  }

 private:
  // Post-order: callees come before callers, except in recursions, which are never inlined.
  void visit(llvm::Function* function) {
    if (!nodes_.insert({function, Node{}}).second) return;
    Node node;
    for (llvm::Instruction& instruction : llvm::instructions(*function)) {
      ++node.own;
      node.synchronizes |= is_synchronization(builtin_of(instruction));
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration()) continue;
      visit(callee);
      node.synchronizes |= nodes_[callee].synchronizes;
      node.callees.push_back(callee);
    }
    nodes_[function] = std::move(node);
    post_order_.push_back(function);
  }

  // Counts what inlining makes of one root, and the copies of each function in it.
  void measure(llvm::Function* root) {
    for (llvm::Function* function : post_order_) {
      Node& node = nodes_[function];
      node.expanded = node.own;
      node.copies = function == root;
      for (llvm::Function* callee : node.callees)
        if (!nodes_[callee].kept) node.expanded = std::min(saturated, node.expanded + nodes_[callee].expanded);
    }
    for (llvm::Function* function : llvm::reverse(post_order_))
      for (llvm::Function* callee : nodes_[function].callees)
        if (!nodes_[callee].kept)
          nodes_[callee].copies = std::min(saturated, nodes_[callee].copies + nodes_[function].copies);
  }

  // A large function with many copies: leaving it as a call shortens the root by copies times size. Of a chain of
  // functions that double, one in the middle leaves both parts short.
  llvm::Function* most_copied(bool synchronizing) {
    llvm::Function* most = nullptr;
    uint64_t largest = 0;
    for (llvm::Function* function : post_order_) {
      const Node& node = nodes_[function];
      if (node.kept || node.copies < 2 || node.synchronizes != synchronizing || node.expanded < smallest_kept) continue;
      const uint64_t smaller = std::min(node.copies, node.expanded);
      if (smaller > largest) largest = smaller, most = function;
    }
    return most;
  }

  llvm::DenseMap<llvm::Function*, Node> nodes_;
  std::vector<llvm::Function*> post_order_;
  std::vector<llvm::Function*> roots_;
};

}  // namespace

std::vector<llvm::Function*> functions_over_inline_budget(DeviceModule& module) {
  return CallGraph(module).functions_to_keep();
}

}  // namespace reprise_compiler::device
