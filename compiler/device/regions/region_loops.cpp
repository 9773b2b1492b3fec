#include "regions/region_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "ir/thread_arguments.h"
#include "regions/spill_slots.h"
#include "regions/thread_range.h"
#include "threads/declare_debug_indices.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// One loop of the nest: counts from 0 up to a limit of 64 bits.
struct Counter {
  BasicBlock *header, *latch;
  llvm::PHINode* index;
  llvm::BranchInst* branch = nullptr;

  Counter(llvm::Function& function, BasicBlock* before, llvm::StringRef name) {
    llvm::LLVMContext& context = function.getContext();
    header = BasicBlock::Create(context, name + ".loop", &function, before);
    latch = BasicBlock::Create(context, name + ".next", &function, before);
    index = llvm::IRBuilder<>(header).CreatePHI(llvm::Type::getInt64Ty(context), 2, name);
  }

  void close(BasicBlock* from, Value* limit, BasicBlock* after, uint64_t step = 1, Value* first = nullptr) {
    llvm::IRBuilder<> b(latch);
    Value* next = b.CreateAdd(index, b.getInt64(step), index->getName() + ".up", true, true);
    index->addIncoming(first ? first : b.getInt64(0), from);
    index->addIncoming(next, latch);
    branch = b.CreateCondBr(b.CreateICmpULT(next, limit), header, after);
  }
};

// Every way from the region to the next node now goes to `latch`; the node is reached from `last` instead.
void redirect(Skeleton& skeleton, Region& region, BasicBlock* latch, BasicBlock* last) {
  for (llvm::PHINode& phi : region.next->phis()) {
    Value* brought = nullptr;
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
      if (skeleton.region_of(phi.getIncomingBlock(i)) == &region) {
        brought = phi.getIncomingValue(i);
        phi.removeIncomingValue(i, false);
      }
    phi.addIncoming(brought, last);
  }
  for (BasicBlock* block : region.blocks) {
    llvm::Instruction* terminator = block->getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (terminator->getSuccessor(i) == region.next) terminator->setSuccessor(i, latch);
  }
}

struct ThreadIndices {
  Value *x, *y, *z, *number, *lane;  // 64 bits
  bool is_thread = false;            // not just the first of several
};

// In these blocks the thread's arguments are these values.
template <class Blocks>
void give_indices(llvm::IRBuilder<>& b, const Blocks& blocks, const ThreadIndices& indices) {
  llvm::Function& body = *b.GetInsertBlock()->getParent();
  auto replace = [&](ThreadArgument which, Value* value) {
    thread_argument(body, which)->replaceUsesWithIf(value, [&](llvm::Use& use) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && llvm::is_contained(blocks, user->getParent());
    });
  };
  auto narrow = [&](Value* value) { return b.CreateTrunc(value, b.getInt32Ty(), "", true, true); };
  Value *x = narrow(indices.x), *y = narrow(indices.y), *z = narrow(indices.z);
  replace(ThreadArgument::thread_index_x, x);
  replace(ThreadArgument::thread_index_y, y);
  replace(ThreadArgument::thread_index_z, z);
  if (indices.is_thread) describe_thread_index(b, {x, y, z});
  replace(ThreadArgument::thread_number, indices.number);
  replace(ThreadArgument::lane, indices.lane);
}

// Puts the accesses of a region that are independent between threads in a group.
llvm::MDNode* group_accesses(llvm::ArrayRef<BasicBlock*> blocks) {
  auto* group = llvm::MDNode::getDistinct(blocks.front()->getContext(), {});
  for (BasicBlock* block : blocks)
    for (llvm::Instruction& instruction : *block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isVolatile() || instruction.isAtomic()) continue;
      const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
      if (memory && !is_lane_array(*memory)) continue;  // one copy for all threads
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    }
  return group;
}

llvm::MDNode* attribute(llvm::LLVMContext& context, const char* name, llvm::ArrayRef<llvm::Metadata*> values = {}) {
  std::vector<llvm::Metadata*> operands{llvm::MDString::get(context, name)};
  operands.insert(operands.end(), values.begin(), values.end());
  return llvm::MDNode::get(context, operands);
}

llvm::MDNode* attribute(llvm::LLVMContext& context, const char* name, uint32_t value) {
  auto* constant = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  return attribute(context, name, {llvm::ConstantAsMetadata::get(constant)});
}

void describe_loop(llvm::BranchInst* latch, std::vector<llvm::Metadata*> attributes) {
  attributes.insert(attributes.begin(), nullptr);
  attributes.push_back(attribute(latch->getContext(), "llvm.loop.mustprogress"));
  auto* loop = llvm::MDNode::getDistinct(latch->getContext(), attributes);
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// A short row is one vector or two: interleaved, all of it would be left over. A few steps of known number would be
// unrolled into as many scalars before they can become vectors; afterwards unrolling is welcome.
void describe_thread_loop(llvm::BranchInst* latch, llvm::MDNode* group, const RowLength& length) {
  llvm::LLVMContext& context = latch->getContext();
  llvm::MDNode* accesses = attribute(context, "llvm.loop.parallel_accesses", {group});
  std::vector<llvm::Metadata*> attributes{accesses};
  if (length.may_be_short) attributes.push_back(attribute(context, "llvm.loop.interleave.count", 1));
  if (length.may_be_known) {
    attributes.push_back(attribute(context, "llvm.loop.unroll.disable"));
    attributes.push_back(attribute(context, "llvm.loop.vectorize.followup_vectorized", {accesses}));
  }
  describe_loop(latch, attributes);
}

// Mostly a few turns or one: not worth unrolling.
void describe_row_loop(llvm::BranchInst* latch) {
  describe_loop(latch, {attribute(latch->getContext(), "llvm.loop.unroll.disable")});
}

// The loops over z and y, and where the loop over x goes.
struct Rows {
  Counter z, y;
  Value *size_x, *row;  // row: number of the row's first thread

  Rows(llvm::Function& body, Region& region) : z(body, region.entry, "tid.z"), y(body, region.entry, "tid.y") {
    llvm::IRBuilder<> b(region.prologue->getTerminator());
    auto limit = [&](ThreadArgument which) { return b.CreateZExt(thread_argument(body, which), b.getInt64Ty()); };
    size_x = thread_argument(body, ThreadArgument::row_length);
    size_y_ = limit(ThreadArgument::block_y);
    size_z_ = limit(ThreadArgument::block_z);
    b.SetInsertPoint(z.header);
    Value* plane = b.CreateMul(z.index, size_y_, "", true, true);
    b.CreateBr(y.header);
    b.SetInsertPoint(y.header);
    row = b.CreateMul(b.CreateAdd(plane, y.index, "", true, true), size_x, "row", true, true);
  }

  // y.header still wants its branch to the loop over x.
  void close(Region& region) {
    region.prologue->getTerminator()->setSuccessor(0, z.header);
    z.close(region.prologue, size_z_, region.next);
    y.close(z.header, size_y_, z.latch);
    describe_row_loop(z.branch);
    describe_row_loop(y.branch);
  }

 private:
  Value *size_y_, *size_z_;
};

}  // namespace

bool does_nothing(const Region& region) {
  return llvm::none_of(region.blocks, [](BasicBlock* block) {
    return llvm::any_of(*block, [](llvm::Instruction& i) { return i.mayHaveSideEffects(); });
  });
}

void bypass(Skeleton& skeleton, Region& region) {
  redirect(skeleton, region, region.entry, region.prologue);  // leaves the region's blocks without a way in or out
  region.prologue->getTerminator()->setSuccessor(0, region.next);
}

void wrap_in_thread_loop(Skeleton& skeleton, Region& region, RowLength length) {
  llvm::Function& body = *region.entry->getParent();
  Rows rows(body, region);
  Counter x(body, region.entry, "tid.x");
  llvm::IRBuilder<> in_row(rows.y.header);
  const ThreadRange range =
      narrow_to_working_threads(region, in_row, {in_row.getInt64(0), rows.row, nullptr, rows.size_x});
  redirect(skeleton, region, x.latch, rows.z.latch);
  in_row.CreateCondBr(in_row.CreateICmpSLT(range.first, range.end), x.header, rows.y.latch);
  llvm::IRBuilder<> b(x.header);
  Value* number = b.CreateAdd(rows.row, x.index, "thread", true, true);
  Value* lane = b.CreateAnd(number, b.getInt64(warp_size - 1));
  give_indices(b, region.blocks, {x.index, rows.y.index, rows.z.index, number, lane, true});
  b.CreateBr(region.entry);
  in_row.SetInsertPoint(rows.y.header, rows.y.header->getFirstInsertionPt());
  give_indices(in_row, std::vector{rows.y.header},
               {in_row.getInt64(0), rows.y.index, rows.z.index, rows.row, in_row.getInt64(0)});
  rows.close(region);
  x.close(rows.y.header, range.end, rows.y.latch, 1, range.first);
  length.may_be_short |= range.is_local;
  describe_thread_loop(x.branch, group_accesses(region.blocks), length);
}

WarpLoop wrap_in_warp_loop(Skeleton& skeleton, Region& region) {
  llvm::Function& body = *region.entry->getParent();
  Rows rows(body, region);
  Counter warp(body, region.entry, "warp");
  redirect(skeleton, region, warp.latch, rows.z.latch);
  llvm::BranchInst::Create(warp.header, rows.y.header);
  llvm::IRBuilder<> b(warp.header);
  Value* number = b.CreateAdd(rows.row, warp.index, "first", true, true);
  b.CreateBr(region.entry);
  rows.close(region);
  warp.close(rows.y.header, rows.size_x, rows.y.latch, warp_size);
  describe_loop(warp.branch, {});
  return {{warp.header, warp.latch, region.blocks}, warp.index, rows.y.index, rows.z.index, number};
}

void wrap_in_lane_loop(Skeleton& skeleton, Region& region, const WarpLoop& warp) {
  llvm::Function& body = *region.entry->getParent();
  Counter lane(body, region.entry, "lane");
  auto* done = BasicBlock::Create(body.getContext(), "lane.done", &body, region.entry);
  llvm::BranchInst::Create(region.next, done);
  llvm::IRBuilder<> b(region.prologue->getTerminator());
  const ThreadRange range =
      narrow_to_working_threads(region, b, {warp.x, warp.number, b.getInt64(0), b.getInt64(warp_size)});
  redirect(skeleton, region, lane.latch, done);
  llvm::ReplaceInstWithInst(region.prologue->getTerminator(),
                            llvm::BranchInst::Create(lane.header, done, b.CreateICmpSLT(range.first, range.end)));
  b.SetInsertPoint(lane.header);
  Value* x = b.CreateAdd(warp.x, lane.index, "", true, true);
  Value* number = b.CreateAdd(warp.number, lane.index, "thread", true, true);
  give_indices(b, region.blocks, {x, warp.y, warp.z, number, lane.index, true});
  b.CreateBr(region.entry);
  lane.close(region.prologue, range.end, done, 1, range.first);
  describe_thread_loop(lane.branch, group_accesses(region.blocks), {.may_be_short = false, .may_be_known = true});
}

void give_nodes_first_thread(const Skeleton& skeleton, const WarpLoop& warp) {
  llvm::IRBuilder<> b(warp.scope.start->getTerminator());
  give_indices(b, skeleton.nodes(), {warp.x, warp.y, warp.z, warp.number, b.getInt64(0)});
}

}  // namespace reprise_compiler::device
