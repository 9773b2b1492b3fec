#include "blocks/thunk.h"

#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

llvm::Value* load_parameter(llvm::IRBuilderBase& b, const Kernel& kernel, unsigned number, Value* params) {
  const llvm::Argument& argument = *kernel.body->getArg(number);
  Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), params, kernel.parameters[number].offset);
  // A by-value struct is passed as a pointer to the packed bytes.
  if (kernel.body->getAttributes().hasParamAttr(argument.getArgNo(), "reprise.in_place")) return address;
  const bool is_bool = argument.getType()->isIntegerTy(1);
  llvm::LoadInst* load = b.CreateLoad(is_bool ? b.getInt8Ty() : argument.getType(), address, argument.getName());
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return is_bool ? b.CreateTrunc(load, b.getInt1Ty()) : load;
}

// void thunk(params, launch), without a body.
llvm::Function* create_thunk_function(DeviceModule& module, const Kernel& kernel) {
  llvm::LLVMContext& context = module.ir.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
  auto* thunk = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "thunk." + kernel.name, module.ir);
  thunk->addFnAttr(llvm::Attribute::NoUnwind);
  thunk->getArg(0)->setName("params");
  thunk->getArg(1)->setName("launch");
  return thunk;
}

struct BlockIndex {
  Value *x, *y, *z;
};

BlockIndex block_index(llvm::IRBuilder<>& b, Value* number, Value* grid_x, Value* grid_y) {
  Value* wide_x = b.CreateZExt(grid_x, b.getInt64Ty());
  Value* wide_y = b.CreateZExt(grid_y, b.getInt64Ty());
  Value* row = b.CreateUDiv(number, wide_x);
  auto narrow = [&](Value* value) { return b.CreateTrunc(value, b.getInt32Ty()); };
  BlockIndex index{};
  index.x = narrow(b.CreateURem(number, wide_x));
  index.y = narrow(b.CreateURem(row, wide_y));
  index.z = narrow(b.CreateUDiv(row, wide_y));
  return index;
}

// Makes the body's row as long as that of all blocks that are left in the grid row and in the range. Returns their
// number.
Value* merge_row(llvm::IRBuilder<>& b, BodyArguments& arguments, Value* left_in_row, Value* left_in_range) {
  Value* blocks = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left_in_row, left_in_range, nullptr, "blocks");
  Value* block_length = b.CreateZExt(arguments[ThreadArgument::block_x], b.getInt64Ty());
  arguments[ThreadArgument::row_length] = b.CreateMul(blocks, block_length, "row.length", true, true);
  return blocks;
}

// Counts the block index up with carry, so that there is one division per range instead of one per block.
struct BlockCounter {
  llvm::PHINode *x, *y, *z;
  Value *next_x, *next_y, *next_z;

  void start(llvm::IRBuilder<>& b, BasicBlock* from, const BlockIndex& first) {
    x = b.CreatePHI(b.getInt32Ty(), 2, "ctaid.x");
    y = b.CreatePHI(b.getInt32Ty(), 2, "ctaid.y");
    z = b.CreatePHI(b.getInt32Ty(), 2, "ctaid.z");
    x->addIncoming(first.x, from);
    y->addIncoming(first.y, from);
    z->addIncoming(first.z, from);
  }

  void step(llvm::IRBuilder<>& b, Value* grid_x, Value* grid_y, Value* blocks) {
    auto carry = [&](Value* value, Value* limit) { return b.CreateICmpEQ(value, limit); };
    Value* up_x = b.CreateAdd(x, blocks);
    Value* end_x = carry(up_x, grid_x);
    Value* up_y = b.CreateAdd(y, b.CreateZExt(end_x, b.getInt32Ty()));
    Value* end_y = carry(up_y, grid_y);
    next_x = b.CreateSelect(end_x, b.getInt32(0), up_x);
    next_y = b.CreateSelect(end_y, b.getInt32(0), up_y);
    next_z = b.CreateAdd(z, b.CreateZExt(end_y, b.getInt32Ty()));
  }

  void close(BasicBlock* latch) {
    x->addIncoming(next_x, latch);
    y->addIncoming(next_y, latch);
    z->addIncoming(next_z, latch);
  }
};

}  // namespace

BodyArguments::BodyArguments(llvm::IRBuilderBase& b, const Kernel& kernel, Value* params, Value* launch)
    : user_count_(unsigned(kernel.parameters.size())) {
  for (unsigned i = 0; i < user_count_; ++i) values_.push_back(load_parameter(b, kernel, i, params));
  values_.resize(user_count_ + unsigned(ThreadArgument::count));
  (*this)[ThreadArgument::launch] = launch;
  (*this)[ThreadArgument::shared] = load_launch_field(b, launch, launch_shared);
  for (unsigned axis = 0; axis < 3; ++axis) {
    (*this)[ThreadArgument::grid_x + axis] = load_launch_field(b, launch, launch_grid, axis);
    (*this)[ThreadArgument::block_x + axis] = load_launch_field(b, launch, launch_block, axis);
  }
  (*this)[ThreadArgument::row_length] = b.CreateZExt((*this)[ThreadArgument::block_x], b.getInt64Ty());
}

void set_thread_number(llvm::IRBuilderBase& b, BodyArguments& a) {
  llvm::Value* row = b.CreateMul(a[ThreadArgument::thread_index_z], a[ThreadArgument::block_y]);
  row = b.CreateMul(b.CreateAdd(row, a[ThreadArgument::thread_index_y]), a[ThreadArgument::block_x]);
  Value* number = b.CreateZExt(b.CreateAdd(row, a[ThreadArgument::thread_index_x]), b.getInt64Ty());
  a[ThreadArgument::thread_number] = number;
  a[ThreadArgument::lane] = b.CreateAnd(number, b.getInt64(31));
}

void make_thunk(DeviceModule& module, Kernel& kernel, bool merged,
                llvm::function_ref<void(llvm::IRBuilder<>&, BodyArguments&)> emit_block) {
  kernel.thunk = create_thunk_function(module, kernel);
  llvm::LLVMContext& context = module.ir.getContext();
  Value* launch = kernel.thunk->getArg(1);
  auto* entry = BasicBlock::Create(context, "entry", kernel.thunk);
  auto* locate = BasicBlock::Create(context, "locate", kernel.thunk);
  auto* block = BasicBlock::Create(context, "block", kernel.thunk);
  llvm::IRBuilder<> b(entry);
  BodyArguments arguments(b, kernel, kernel.thunk->getArg(0), launch);
  Value* first = load_launch_field(b, launch, launch_block_begin);
  Value* end = load_launch_field(b, launch, launch_block_end);
  Value* grid_x = arguments[ThreadArgument::grid_x];
  Value* grid_y = arguments[ThreadArgument::grid_y];
  auto* done = BasicBlock::Create(context, "done", kernel.thunk);
  b.CreateCondBr(b.CreateICmpULT(first, end), locate, done);

  b.SetInsertPoint(locate);
  const BlockIndex first_index = block_index(b, first, grid_x, grid_y);
  b.CreateBr(block);

  b.SetInsertPoint(block);
  llvm::PHINode* number = b.CreatePHI(b.getInt64Ty(), 2, "block.number");
  number->addIncoming(first, locate);
  BlockCounter counter;
  counter.start(b, locate, first_index);
  arguments[ThreadArgument::block_index_x] = counter.x;
  arguments[ThreadArgument::block_index_y] = counter.y;
  arguments[ThreadArgument::block_index_z] = counter.z;
  Value* blocks = b.getInt64(1);
  if (merged) {
    Value* left_in_row = b.CreateZExt(b.CreateSub(grid_x, counter.x), b.getInt64Ty());
    blocks = merge_row(b, arguments, left_in_row, b.CreateSub(end, number));
  }
  emit_block(b, arguments);

  counter.step(b, grid_x, grid_y, b.CreateTrunc(blocks, b.getInt32Ty()));
  Value* next = b.CreateAdd(number, blocks, "", true, true);
  number->addIncoming(next, b.GetInsertBlock());
  counter.close(b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, end), block, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

llvm::BranchInst* emit_counted_loop(llvm::IRBuilder<>& b, Value* count, llvm::StringRef name,
                                    llvm::function_ref<void(llvm::IRBuilder<>&, Value*)> emit) {
  BasicBlock* before = b.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* body = BasicBlock::Create(b.getContext(), name + ".loop", function);
  auto* after = BasicBlock::Create(b.getContext(), name + ".end", function);
  b.CreateBr(body);
  b.SetInsertPoint(body);
  llvm::PHINode* index = b.CreatePHI(count->getType(), 2, name);
  index->addIncoming(llvm::ConstantInt::get(count->getType(), 0), before);
  emit(b, index);
  Value* next = b.CreateAdd(index, llvm::ConstantInt::get(count->getType(), 1), name + ".next", true, true);
  index->addIncoming(next, b.GetInsertBlock());
  llvm::BranchInst* latch = b.CreateCondBr(b.CreateICmpULT(next, count), body, after);
  b.SetInsertPoint(after);
  return latch;
}

}  // namespace reprise_compiler::device
