#include "ir/special_register.h"

#include <llvm/ADT/StringSwitch.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {
namespace {

Marker index_register(llvm::StringRef name) {
  return llvm::StringSwitch<Marker>(name)
      .Case("tid.x", Marker::thread_index_x)
      .Case("tid.y", Marker::thread_index_y)
      .Case("tid.z", Marker::thread_index_z)
      .Case("ntid.x", Marker::block_x)
      .Case("ntid.y", Marker::block_y)
      .Case("ntid.z", Marker::block_z)
      .Case("ctaid.x", Marker::block_index_x)
      .Case("ctaid.y", Marker::block_index_y)
      .Case("ctaid.z", Marker::block_index_z)
      .Case("nctaid.x", Marker::grid_x)
      .Case("nctaid.y", Marker::grid_y)
      .Case("nctaid.z", Marker::grid_z)
      .Case("laneid", Marker::lane)
      .Case("dynamic_smem_size", Marker::dynamic_shared_size)
      .Default(Marker::none);
}

// Bits of the lanes equal to, below, above ... the calling one.
llvm::Value* lane_mask(llvm::IRBuilderBase& b, llvm::StringRef relation) {
  llvm::Value* self = b.CreateShl(b.getInt32(1), call_marker(b, Marker::lane));
  llvm::Value* below = b.CreateSub(self, b.getInt32(1));
  if (relation == "eq") return self;
  if (relation == "lt") return below;
  if (relation == "le") return b.CreateOr(below, self);
  if (relation == "ge") return b.CreateNot(below);
  if (relation == "gt") return b.CreateNot(b.CreateOr(below, self));
  return nullptr;
}

llvm::Value* threads_in_block(llvm::IRBuilderBase& b) {
  llvm::Value* area = b.CreateMul(call_marker(b, Marker::block_x), call_marker(b, Marker::block_y));
  return b.CreateMul(area, call_marker(b, Marker::block_z));
}

}  // namespace

llvm::Value* linear_thread_index(llvm::IRBuilderBase& b) {
  llvm::Value* row = b.CreateMul(call_marker(b, Marker::thread_index_z), call_marker(b, Marker::block_y));
  row = b.CreateAdd(row, call_marker(b, Marker::thread_index_y));
  row = b.CreateMul(row, call_marker(b, Marker::block_x));
  return b.CreateAdd(row, call_marker(b, Marker::thread_index_x));
}

llvm::Value* call_service(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
  return builder.CreateCall(callee, arguments);
}

llvm::Value* read_special_register(llvm::IRBuilderBase& b, llvm::StringRef name) {
  if (const Marker marker = index_register(name); marker != Marker::none) return call_marker(b, marker);
  if (name.consume_front("lanemask_") || name.consume_front("lanemask.")) return lane_mask(b, name);
  if (name == "warpid") return b.CreateLShr(linear_thread_index(b), 5);
  if (name == "nwarpid") return b.CreateLShr(b.CreateAdd(threads_in_block(b), b.getInt32(31)), 5);
  if (name == "warpsize") return b.getInt32(32);
  // A block is a cluster by itself.
  if (name.starts_with("cluster_ctaid.") || name == "cluster_ctarank") return b.getInt32(0);
  if (name.starts_with("cluster_nctaid.") || name == "cluster_nctarank") return b.getInt32(1);
  if (name.consume_front("clusterid.")) return read_special_register(b, ("ctaid." + name).str());
  if (name.consume_front("nclusterid.")) return read_special_register(b, ("nctaid." + name).str());
  // The runtime does not tell which core runs a block; any number is as true as the next moment's.
  if (name == "smid" || name == "gridid") return b.getInt32(0);
  if (name == "nsmid") return b.getInt32(1);
  if (name == "globaltimer") return call_service(b, "__reprise_globaltimer", b.getInt64Ty());
  if (name == "clock64") return call_service(b, "__reprise_clock", b.getInt64Ty());
  if (name == "clock" || name == "clock_lo")
    return b.CreateTrunc(call_service(b, "__reprise_clock", b.getInt64Ty()), b.getInt32Ty());
  if (name == "clock_hi")
    return b.CreateTrunc(b.CreateLShr(call_service(b, "__reprise_clock", b.getInt64Ty()), 32), b.getInt32Ty());
  if (name == "globaltimer_lo")
    return b.CreateTrunc(call_service(b, "__reprise_globaltimer", b.getInt64Ty()), b.getInt32Ty());
  if (name == "globaltimer_hi")
    return b.CreateTrunc(b.CreateLShr(call_service(b, "__reprise_globaltimer", b.getInt64Ty()), 32), b.getInt32Ty());
  return nullptr;
}

}  // namespace reprise_compiler::device
