#include "ir/special_register.h"

#include <llvm/ADT/StringSwitch.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {
namespace {

Builtin index_register(llvm::StringRef name) {
  return llvm::StringSwitch<Builtin>(name)
      .Case("tid.x", Builtin::thread_index_x)
      .Case("tid.y", Builtin::thread_index_y)
      .Case("tid.z", Builtin::thread_index_z)
      .Case("ntid.x", Builtin::block_x)
      .Case("ntid.y", Builtin::block_y)
      .Case("ntid.z", Builtin::block_z)
      .Case("ctaid.x", Builtin::block_index_x)
      .Case("ctaid.y", Builtin::block_index_y)
      .Case("ctaid.z", Builtin::block_index_z)
      .Case("nctaid.x", Builtin::grid_x)
      .Case("nctaid.y", Builtin::grid_y)
      .Case("nctaid.z", Builtin::grid_z)
      .Case("laneid", Builtin::lane)
      .Case("dynamic_smem_size", Builtin::dynamic_shared_size)
      .Default(Builtin::none);
}

// Mask of the lanes equal to, below or above the calling lane.
llvm::Value* lane_mask(llvm::IRBuilderBase& b, llvm::StringRef relation) {
  llvm::Value* self = b.CreateShl(b.getInt32(1), call_builtin(b, Builtin::lane));
  llvm::Value* below = b.CreateSub(self, b.getInt32(1));
  if (relation == "eq") return self;
  if (relation == "lt") return below;
  if (relation == "le") return b.CreateOr(below, self);
  if (relation == "ge") return b.CreateNot(below);
  if (relation == "gt") return b.CreateNot(b.CreateOr(below, self));
  return nullptr;
}

llvm::Value* threads_in_block(llvm::IRBuilderBase& b) {
  llvm::Value* area = b.CreateMul(call_builtin(b, Builtin::block_x), call_builtin(b, Builtin::block_y));
  return b.CreateMul(area, call_builtin(b, Builtin::block_z));
}

}  // namespace

llvm::Value* linear_thread_index(llvm::IRBuilderBase& b) {
  llvm::Value* row = b.CreateMul(call_builtin(b, Builtin::thread_index_z), call_builtin(b, Builtin::block_y));
  row = b.CreateAdd(row, call_builtin(b, Builtin::thread_index_y));
  row = b.CreateMul(row, call_builtin(b, Builtin::block_x));
  return b.CreateAdd(row, call_builtin(b, Builtin::thread_index_x));
}

llvm::Value* call_runtime(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
  return builder.CreateCall(callee, arguments);
}

llvm::Value* read_special_register(llvm::IRBuilderBase& b, llvm::StringRef name) {
  if (const Builtin builtin = index_register(name); builtin != Builtin::none) return call_builtin(b, builtin);
  if (name.consume_front("lanemask_") || name.consume_front("lanemask.")) return lane_mask(b, name);
  if (name == "warpid") return b.CreateLShr(linear_thread_index(b), 5);
  if (name == "nwarpid") return b.CreateLShr(b.CreateAdd(threads_in_block(b), b.getInt32(31)), 5);
  if (name == "warpsize") return b.getInt32(32);
  // Each block is a cluster of its own.
  if (name.starts_with("cluster_ctaid.") || name == "cluster_ctarank") return b.getInt32(0);
  if (name.starts_with("cluster_nctaid.") || name == "cluster_nctarank") return b.getInt32(1);
  if (name.consume_front("clusterid.")) return read_special_register(b, ("ctaid." + name).str());
  if (name.consume_front("nclusterid.")) return read_special_register(b, ("nctaid." + name).str());
  // The runtime does not report which core runs a block; PTX does not guarantee a stable value either.
  if (name == "smid" || name == "gridid") return b.getInt32(0);
  if (name == "nsmid") return b.getInt32(1);
  if (name == "globaltimer") return call_runtime(b, "__reprise_globaltimer", b.getInt64Ty());
  if (name == "clock64") return call_runtime(b, "__reprise_clock", b.getInt64Ty());
  if (name == "clock" || name == "clock_lo")
    return b.CreateTrunc(call_runtime(b, "__reprise_clock", b.getInt64Ty()), b.getInt32Ty());
  if (name == "clock_hi")
    return b.CreateTrunc(b.CreateLShr(call_runtime(b, "__reprise_clock", b.getInt64Ty()), 32), b.getInt32Ty());
  if (name == "globaltimer_lo")
    return b.CreateTrunc(call_runtime(b, "__reprise_globaltimer", b.getInt64Ty()), b.getInt32Ty());
  if (name == "globaltimer_hi")
    return b.CreateTrunc(b.CreateLShr(call_runtime(b, "__reprise_globaltimer", b.getInt64Ty()), 32), b.getInt32Ty());
  return nullptr;
}

}  // namespace reprise_compiler::device
