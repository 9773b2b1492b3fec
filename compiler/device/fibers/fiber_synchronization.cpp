// The fiber forms of barriers and warp operations.
//
//   %r = call i32 @__reprise_shfl32(mode, mask, v, b, width)
//                          |
//                          v
//   slots[lane] = v; __reprise_fiber_warp_sync(mask); %r = slots[source lane]; __reprise_fiber_warp_sync(mask)
//
// The second wait keeps a fast lane from overwriting its slot before a slow one has read it.
#include "fibers/fiber_synchronization.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "fibers/warp_result.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

bool yields(Builtin builtin) {
  return builtin == Builtin::spin || builtin == Builtin::wait_start || builtin == Builtin::wait;
}

class FiberLowering {
 public:
  FiberLowering(llvm::Function& function, bool is_kernel_body) : function_(function), is_body_(is_kernel_body) {}

  void run() {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (is_synchronization(builtin_of(instruction)) || yields(builtin_of(instruction)))
        calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (llvm::CallInst* call : calls) {
      llvm::IRBuilder<> builder(call);
      Value* result = lower(builder, call, builtin_of(*call));
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }

 private:
  // Index values, as in threads/add_thread_arguments.cpp.
  Value* index(llvm::IRBuilder<>& b, Builtin builtin) {
    if (is_body_) return argument_for(function_, builtin);
    llvm::StructType* type = thread_context_type(b.getContext());
    Value* context = function_.getArg(function_.arg_size() - 1);
    const unsigned axis = (unsigned(builtin) - unsigned(Builtin::grid_x)) % 3;
    if (builtin >= Builtin::thread_index_x) {
      Value* array = b.CreateStructGEP(type, context, context_thread_index);
      return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), array, axis));
    }
    return load_launch_field(b, launch(b), launch_block, axis);
  }

  Value* launch(llvm::IRBuilder<>& b) {
    if (is_body_) return thread_argument(function_, ThreadArgument::launch);
    Value* context = function_.getArg(function_.arg_size() - 1);
    return b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(thread_context_type(b.getContext()), context, context_launch));
  }

  Value* linear_index(llvm::IRBuilder<>& b) {
    if (is_body_) return b.CreateTrunc(thread_argument(function_, ThreadArgument::thread_number), b.getInt32Ty());
    Value* row = b.CreateMul(index(b, Builtin::thread_index_z), index(b, Builtin::block_y));
    row = b.CreateMul(b.CreateAdd(row, index(b, Builtin::thread_index_y)), index(b, Builtin::block_x));
    return b.CreateAdd(row, index(b, Builtin::thread_index_x));
  }

  Value* lane(llvm::IRBuilder<>& b) { return b.CreateAnd(linear_index(b), b.getInt32(31)); }

  void barrier(llvm::IRBuilder<>& b, Value* id, Value* count) {
    call_runtime(b, "__reprise_fiber_barrier", b.getVoidTy(), {id, count});
  }

  // The runtime groups lanes by the address they call from. LLVM's code generator duplicates and merges calls, even
  // convergent ones, so each call is in a function of its own.
  Value* active_mask(llvm::IRBuilder<>& b) {
    auto* type = llvm::FunctionType::get(b.getInt32Ty(), false);
    auto* place =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "active_mask", *function_.getParent());
    llvm::IRBuilder<> inside(llvm::BasicBlock::Create(b.getContext(), "entry", place));
    auto* ask = llvm::cast<llvm::CallInst>(call_runtime(inside, "__reprise_fiber_active_mask", inside.getInt32Ty()));
    ask->setTailCallKind(llvm::CallInst::TCK_NoTail);  // a tail call would have the address of the caller
    inside.CreateRet(ask);
    for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind}) place->addFnAttr(attribute);
    for (llvm::Function* function : {place, ask->getCalledFunction()}) function->addFnAttr(llvm::Attribute::Convergent);
    return b.CreateCall(place);
  }

  // One thread of the block waits for the other blocks.
  Value* grid_barrier(llvm::IRBuilder<>& b, llvm::CallInst* call) {
    barrier(b, b.getInt32(0), b.getInt32(0));
    Value* is_first = b.CreateICmpEQ(linear_index(b), b.getInt32(0));
    llvm::BasicBlock* before = b.GetInsertBlock();
    llvm::BasicBlock* after = before->splitBasicBlock(call, "grid.after");
    auto* wait = llvm::BasicBlock::Create(b.getContext(), "grid.wait", &function_, after);
    before->getTerminator()->eraseFromParent();
    b.SetInsertPoint(before);
    b.CreateCondBr(is_first, wait, after);
    b.SetInsertPoint(wait);
    call_runtime(b, "__reprise_grid_sync", b.getVoidTy(), {launch(b)});
    b.CreateBr(after);
    b.SetInsertPoint(call);
    barrier(b, b.getInt32(0), b.getInt32(0));
    return nullptr;
  }

  Value* warp_operation(llvm::IRBuilder<>& b, llvm::CallInst* call, Builtin builtin) {
    Value* slots = call_runtime(b, "__reprise_fiber_warp_slots", b.getPtrTy());
    Value* own_lane = lane(b);
    const bool is_shuffle_or_reduce =
        builtin == Builtin::shuffle32 || builtin == Builtin::shuffle64 || builtin == Builtin::reduce32;
    Value* mask = call->getArgOperand(is_shuffle_or_reduce ? 1 : 0);
    b.CreateStore(contribution(b, *call, builtin),
                  b.CreateInBoundsGEP(b.getInt64Ty(), slots, b.CreateZExt(own_lane, b.getInt64Ty())));
    call_runtime(b, "__reprise_fiber_warp_sync", b.getVoidTy(), {mask});
    Value* live = call_runtime(b, "__reprise_fiber_live_lanes", b.getInt32Ty());
    Value* result = emit_warp_result(b, {builtin, call, slots, own_lane, live});
    call_runtime(b, "__reprise_fiber_warp_sync", b.getVoidTy(), {mask});
    return result;
  }

  Value* lower(llvm::IRBuilder<>& b, llvm::CallInst* call, Builtin builtin) {
    switch (builtin) {
      case Builtin::barrier:
        barrier(b, b.getInt32(0), b.getInt32(0));
        return nullptr;
      case Builtin::named_barrier:
        barrier(b, call->getArgOperand(0), call->getArgOperand(1));
        return nullptr;
      case Builtin::barrier_arrive:
        return call_runtime(b, "__reprise_fiber_barrier_arrive", b.getVoidTy(),
                            {call->getArgOperand(0), call->getArgOperand(1)});
      case Builtin::barrier_reduce:
        return call_runtime(b, "__reprise_fiber_barrier_reduce", b.getInt32Ty(),
                            {call->getArgOperand(0), call->getArgOperand(1)});
      case Builtin::grid_barrier:
        return grid_barrier(b, call);
      case Builtin::warp_sync:
        return call_runtime(b, "__reprise_fiber_warp_sync", b.getVoidTy(), {call->getArgOperand(0)});
      case Builtin::wait_start:
        return nullptr;
      case Builtin::wait:
        return call_runtime(b, "__reprise_clock_yield", b.getVoidTy());
      case Builtin::spin:
        return call_runtime(b, "__reprise_fiber_yield", b.getVoidTy());
      case Builtin::active_mask:
        return active_mask(b);
      default:
        return warp_operation(b, call, builtin);
    }
  }

  llvm::Function& function_;
  bool is_body_;
};

}  // namespace

void lower_synchronization_to_fibers(llvm::Function& function, bool is_kernel_body) {
  FiberLowering(function, is_kernel_body).run();
}

}  // namespace reprise_compiler::device
