#include "ir/thread_arguments.h"

#include <llvm/IR/Instructions.h>

#include "kernel/kernel_abi.h"

namespace reprise_compiler::device {

llvm::Argument* thread_argument(llvm::Function& body, ThreadArgument which) {
  return body.getArg(unsigned(body.arg_size()) - unsigned(ThreadArgument::count) + unsigned(which));
}

llvm::Value* argument_for(llvm::Function& body, Builtin builtin) {
  if (builtin < Builtin::grid_x || builtin > Builtin::thread_index_z) return nullptr;
  return thread_argument(body, ThreadArgument::grid_x + (unsigned(builtin) - unsigned(Builtin::grid_x)));
}

llvm::StructType* thread_context_type(llvm::LLVMContext& context) {
  if (auto* type = llvm::StructType::getTypeByName(context, "reprise.thread")) return type;
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* triple = llvm::ArrayType::get(llvm::Type::getInt32Ty(context), 3);
  return llvm::StructType::create(context, {pointer, pointer, triple, triple, pointer}, "reprise.thread");
}

llvm::StructType* launch_type(llvm::LLVMContext& context) {
  if (auto* type = llvm::StructType::getTypeByName(context, "reprise.launch")) return type;
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  llvm::Type* triple = llvm::ArrayType::get(i32, 3);
  static_assert(offsetof(reprise_launch, block_begin) == 24 && offsetof(reprise_launch, dynamic_shared) == 56);
  return llvm::StructType::create(context, {triple, triple, i64, i64, pointer, pointer, i32, i32, pointer},
                                  "reprise.launch");
}

llvm::Value* load_launch_field(llvm::IRBuilderBase& b, llvm::Value* launch, LaunchField field, unsigned index) {
  llvm::StructType* type = launch_type(b.getContext());
  llvm::Type* result = type->getElementType(field);
  llvm::Value* address = b.CreateStructGEP(type, launch, field);
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(result)) {
    address = b.CreateConstInBoundsGEP2_32(array, address, 0, index);
    result = array->getElementType();
  }
  llvm::LoadInst* load = b.CreateLoad(result, address);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return load;
}

}  // namespace reprise_compiler::device
