// Runs each thread of a kernel that cannot be split as a fiber; the runtime switches between them.
//
//   body(x, ..., tid)              fiber(params, launch, blockIdx, threadIdx): unpack, call body
//     call __reprise_barrier() ->  thunk: call __reprise_run_fibers(params, launch, fiber)
//                                  call __reprise_fiber_barrier(0, 0)
//
// Correct for every kernel and slow (tens of nanoseconds per thread and barrier). Also the fallback of split kernels
// for launches that break their preconditions: blockDim.x is not a multiple of 32, or an index may exceed 32 bits.
//
// Runs after the passes that produce loops, and takes all kernels that are left.
#include <llvm/IR/InstIterator.h>

#include "blocks/thunk.h"
#include "fibers/fiber_synchronization.h"
#include "fibers/passes.h"
#include "ir/reachable_code.h"
#include "ir/special_register.h"
#include "kernel/kernel_abi.h"

namespace reprise_compiler::device {
namespace {

llvm::Function* make_function(DeviceModule& module, const llvm::Twine& name, unsigned pointers) {
  llvm::LLVMContext& context = module.ir.getContext();
  std::vector<llvm::Type*> types(pointers, llvm::PointerType::get(context, 0));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module.ir);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::BasicBlock::Create(context, "entry", function);
  return function;
}

llvm::Function* make_fiber(DeviceModule& module, Kernel& kernel) {
  llvm::Function* fiber = make_function(module, "fiber." + kernel.name, 4);
  llvm::IRBuilder<> b(&fiber->getEntryBlock());
  BodyArguments arguments(b, kernel, fiber->getArg(0), fiber->getArg(1));
  for (unsigned axis = 0; axis < 3; ++axis) {
    auto index = [&](llvm::Value* array) {
      return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), array, axis));
    };
    arguments[ThreadArgument::block_index_x + axis] = index(fiber->getArg(2));
    arguments[ThreadArgument::thread_index_x + axis] = index(fiber->getArg(3));
  }
  set_thread_number(b, arguments);
  b.CreateCall(kernel.body, arguments.all());
  b.CreateRetVoid();
  return fiber;
}

llvm::Function* make_fiber_thunk(DeviceModule& module, Kernel& kernel) {
  llvm::Function* fiber = make_fiber(module, kernel);
  llvm::Function* thunk = make_function(module, "fibers." + kernel.name, 2);
  llvm::IRBuilder<> b(&thunk->getEntryBlock());
  call_runtime(b, "__reprise_run_fibers", b.getVoidTy(), {thunk->getArg(0), thunk->getArg(1), fiber});
  b.CreateRetVoid();
  return thunk;
}

// True if the launch meets the preconditions of the split kernel.
llvm::Value* is_fast_launch(llvm::IRBuilder<>& b, const Kernel& kernel, llvm::Value* launch) {
  llvm::Value* usual = b.getTrue();
  if (kernel.needs_whole_warps) {
    llvm::Value* rest = b.CreateAnd(load_launch_field(b, launch, launch_block, 0), b.getInt32(31));
    usual = b.CreateAnd(usual, b.CreateICmpEQ(rest, b.getInt32(0)));
  }
  for (const IndexTerm& index : kernel.bounded_indices)
    usual = b.CreateAnd(usual, b.CreateICmpULE(index.emit_largest(b, launch), b.getInt64(INT32_MAX)));
  return usual;
}

// Creates a thunk that runs the split kernel, or fibers if its preconditions do not hold.
llvm::Function* choose_by_launch(DeviceModule& module, Kernel& kernel, llvm::Function* fibers) {
  llvm::Function* thunk = make_function(module, "choose." + kernel.name, 2);
  llvm::LLVMContext& context = module.ir.getContext();
  auto* usual = llvm::BasicBlock::Create(context, "usual", thunk);
  auto* unusual = llvm::BasicBlock::Create(context, "unusual", thunk);
  llvm::IRBuilder<> b(&thunk->getEntryBlock());
  b.CreateCondBr(is_fast_launch(b, kernel, thunk->getArg(1)), usual, unusual);
  for (auto [block, callee] : {std::pair(usual, kernel.thunk), std::pair(unusual, fibers)}) {
    b.SetInsertPoint(block);
    b.CreateCall(callee, {thunk->getArg(0), thunk->getArg(1)});
    b.CreateRetVoid();
  }
  return thunk;
}

// A kernel that also has regions needs its fibers for rare launches only.
bool is_spare(const Kernel& kernel) { return kernel.thunk != nullptr; }

// Spare bodies of warps in blocks of odd sizes are optimised unless a module has very many of them.
bool has_many_spares(const DeviceModule& module) {
  constexpr uint64_t most_instructions = 8'000;
  uint64_t instructions = 0;
  for (const Kernel& kernel : module.kernels)
    if (is_spare(kernel) && kernel.needs_whole_warps) instructions += kernel.body->getInstructionCount();
  return instructions > most_instructions;
}

// Saves the time of optimising a body that is rarely used, e.g. for launches of 2^31 threads and more.
void exclude_from_optimisation(llvm::Function& body) {
  body.addFnAttr(llvm::Attribute::OptimizeNone);
  body.addFnAttr(llvm::Attribute::NoInline);
}

void lower(DeviceModule& module, Kernel& kernel, bool many_spares) {
  llvm::Function* fibers = make_fiber_thunk(module, kernel);
  const bool spare = is_spare(kernel);
  if (spare) {
    fibers->addFnAttr(llvm::Attribute::Cold);
    kernel.thunk->addFnAttr(llvm::Attribute::AlwaysInline);
    kernel.thunk = choose_by_launch(module, kernel, fibers);
  } else {
    kernel.thunk = fibers;
    kernel.flags |= reprise_kernel_fibers;
  }
  if (spare && (many_spares || !kernel.needs_whole_warps))
    exclude_from_optimisation(*kernel.body);
  else if (module.options.optimisation)
    kernel.body->addFnAttr(llvm::Attribute::AlwaysInline);
}

}  // namespace

void lower_to_fibers(DeviceModule& module) {
  const bool many_spares = has_many_spares(module);
  for (Kernel& kernel : module.kernels)
    if (!kernel.thunk || kernel.needs_whole_warps || !kernel.bounded_indices.empty())
      lower(module, kernel, many_spares);
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration()) lower_synchronization_to_fibers(function, module.kernel_of(&function));
}

}  // namespace reprise_compiler::device
