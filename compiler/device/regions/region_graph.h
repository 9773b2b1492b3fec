// The skeleton of a kernel: what happens once for all its threads, and the regions in between, each of which every
// thread runs by itself.
//
//      entry                       start                    nodes run once:    start, syncs, branches that decide
//        |                         | region A                                  about syncs, and joins of such paths
//        A                         sync
//   __syncthreads()       ->       join <--------+          regions run for
//   +--> while (k < n)             branch k<n    |          every thread:      A, B, C
//   |      B                       | region B    |
//   |      __syncthreads()         sync ---------+
//   +------+                       | region C
//        C                         exit
//
// A region has one way in and, but for threads that exit, one way out.
#pragma once

#include <llvm/IR/Function.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "regions/early_exit.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {

struct Region {
  llvm::BasicBlock* prologue;             // a node's block: runs once, right before the threads do
  llvm::BasicBlock* entry;                // the first block that every thread runs; has no other predecessor
  llvm::BasicBlock* next = nullptr;       // the node that follows
  std::vector<llvm::BasicBlock*> blocks;  // entry included
  std::vector<llvm::BasicBlock*> exits;   // of them, those that end in ret: threads that leave
};

class Skeleton {
 public:
  // Cuts the blocks of `scope` at the calls for which `is_sync` is true. They are entered from `start` alone and left
  // to `end` alone, which are nodes themselves. On failure why() says what stands against it, and the function is left
  // in disorder. `early_exits` are set aside by the caller.
  using SyncPredicate = llvm::function_ref<bool(const llvm::Instruction&)>;
  struct Scope {
    llvm::BasicBlock *start, *end;
    std::vector<llvm::BasicBlock*> blocks;
  };
  bool build(Scope scope, SyncPredicate is_sync, const Uniformity& uniformity);
  // Regions get back the exits that were set aside.
  void attach_early_exits();

  const std::string& why() const { return why_; }
  const llvm::Instruction* where() const { return where_; }

  bool is_node(const llvm::BasicBlock* block) const { return nodes_.count(const_cast<llvm::BasicBlock*>(block)); }
  // Null for nodes.
  Region* region_of(const llvm::BasicBlock* block);
  void add_block(Region& region, llvm::BasicBlock* block);
  std::vector<Region>& regions() { return regions_; }
  std::vector<llvm::BasicBlock*> nodes() const;  // in the function's order, so that the same source gives the same code
  const std::vector<llvm::BasicBlock*>& syncs() const { return syncs_; }
  llvm::BasicBlock* start() const { return start_; }
  std::vector<EarlyExit> early_exits;
  bool threads_may_have_left = false;  // here or before

 private:
  bool fail(const llvm::Instruction* where, std::string why);
  void isolate_syncs(SyncPredicate is_sync);
  bool isolate_branches(const Uniformity& uniformity);
  void isolate_joins();
  bool make_regions();
  bool grow(Region& region);

  llvm::Function* body_ = nullptr;
  llvm::BasicBlock *start_ = nullptr, *end_ = nullptr;
  std::set<llvm::BasicBlock*> scope_;
  std::set<llvm::BasicBlock*> nodes_;
  std::vector<llvm::BasicBlock*> syncs_;
  std::vector<Region> regions_;
  std::map<const llvm::BasicBlock*, std::size_t> region_of_;
  std::string why_;
  const llvm::Instruction* where_ = nullptr;
};

}  // namespace reprise_compiler::device
