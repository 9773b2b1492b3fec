// Retargets the module from NVPTX to x86-64, except for instructions: triple, layout, attributes, flags and linkage.
//
//   target triple = "nvptx64-nvidia-cuda"          target triple = "x86_64-pc-linux-gnu"
//   define void @k() "target-cpu"="sm_75"    ->    define internal void @k()
//   define linkonce_odr void @f() comdat           define internal void @f()
//
// Functions become internal to their device object, so that the same template in two files, or two static kernels of
// one name, do not collide. With -rdc=true symbols with external linkage stay visible under a prefixed name, since the
// host object may define the same `__host__ __device__` function.
//
// Runs before any pass that asks the data layout for a size.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "front/passes.h"
#include "ir/diagnostic.h"

namespace reprise_compiler::device {
namespace {

void drop_target_metadata(llvm::Module& ir) {
  for (const char* name : {"nvvmir.version", "llvm.ident"})
    if (llvm::NamedMDNode* node = ir.getNamedMetadata(name)) node->eraseFromParent();
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* used = ir.getGlobalVariable(name)) used->eraseFromParent();
  llvm::SmallVector<llvm::Module::ModuleFlagEntry, 8> flags;
  ir.getModuleFlagsMetadata(flags);
  if (llvm::NamedMDNode* node = ir.getModuleFlagsMetadata()) node->eraseFromParent();
  for (const auto& flag : flags)
    if (flag.Key->getString() == "Debug Info Version") ir.addModuleFlag(flag.Behavior, flag.Key->getString(), flag.Val);
  ir.addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);  // NVPTX has 2, which cannot describe inlined variables
  ir.setPICLevel(llvm::PICLevel::BigPIC);
  ir.setPIELevel(llvm::PIELevel::Large);
}

void drop_target_attributes(llvm::Function& function) {
  for (const char* name :
       {"target-cpu", "target-features", "uniform-work-group-size", "frame-pointer", "stack-protector-buffer-size"})
    function.removeFnAttr(name);
}

// Device code does not throw or unwind.
void make_nounwind(llvm::Function& function) {
  function.addFnAttr(llvm::Attribute::NoUnwind);
  function.setPersonalityFn(nullptr);
}

bool is_visible_elsewhere(const llvm::GlobalValue& value) {
  return !value.hasLocalLinkage() && !value.isDiscardableIfUnused() && !value.hasAvailableExternallyLinkage();
}

void internalise(llvm::GlobalValue& value, const DeviceModule& module, bool is_kernel) {
  if (value.isDeclaration()) return;
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
  value.setVisibility(llvm::GlobalValue::DefaultVisibility);
  if (is_kernel || !module.options.relocatable || !is_visible_elsewhere(value))
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// Functions that device code may leave undefined: those of the runtime and of libc.
bool is_runtime_function(llvm::StringRef name) {
  static const char* const names[] = {"malloc", "free",   "vprintf", "memcpy", "memset", "memmove",
                                      "memcmp", "memchr", "strlen",  "strcmp", "abort",  "__assertfail"};
  return name.starts_with("__reprise_") || name.starts_with("__nv_") || llvm::is_contained(names, name);
}

// With -rdc=true clang renames a static variable X that the host uses to X__static__ID, but code before the first such
// use still refers to a declaration of X.
void unify_static_variables(llvm::Module& ir) {
  for (llvm::GlobalVariable& definition : ir.globals()) {
    const auto [name, id] = definition.getName().split("__static__");
    if (id.empty() || definition.isDeclaration()) continue;
    llvm::GlobalVariable* declaration = ir.getGlobalVariable(name);
    if (declaration && declaration->isDeclaration()) declaration->replaceAllUsesWith(&definition);
  }
}

// With -rdc=true names get a prefix, and declarations of other objects' functions an attribute (ir/reachable_code.h).
void resolve_external_names(DeviceModule& module) {
  for (llvm::Function& function : module.ir) {
    if (function.isIntrinsic() || is_runtime_function(function.getName()) || function.hasLocalLinkage()) continue;
    if (module.options.relocatable) {
      if (function.isDeclaration()) function.addFnAttr("reprise.external");
      function.setName("reprise.device." + function.getName());
      continue;
    }
    for (const llvm::User* user : function.users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && function.isDeclaration())
        fail_at(*call, "undefined device function " + readable_name(function.getName()) +
                           "; if another file defines it, compile both with -rdc=true");
  }
  if (!module.options.relocatable) return;
  for (llvm::GlobalVariable& variable : module.ir.globals())
    if (!variable.hasLocalLinkage() && variable.getAddressSpace() != 3 && !variable.getName().starts_with("llvm."))
      variable.setName("reprise.device." + variable.getName());
}

// Widens fences and atomics of narrower scopes to system scope.
void widen_scope(llvm::Instruction& instruction) {
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) fence->setSyncScopeID(llvm::SyncScope::System);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setSyncScopeID(llvm::SyncScope::System);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setSyncScopeID(llvm::SyncScope::System);
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) rmw->setSyncScopeID(llvm::SyncScope::System);
  if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) cas->setSyncScopeID(llvm::SyncScope::System);
}

// CUDA programs access shared memory and packed buffers through unrelated types, and device compilers allow it.
void drop_type_based_aliasing(llvm::Instruction& instruction) {
  instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
  instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
}

}  // namespace

void retarget(DeviceModule& module) {
  llvm::Module& ir = module.ir;
  ir.setTargetTriple(module.machine.getTargetTriple().str());
  ir.setDataLayout(module.machine.createDataLayout());
  drop_target_metadata(ir);
  for (llvm::Function& function : ir) {
    drop_target_attributes(function);
    make_nounwind(function);
    internalise(function, module, module.kernel_of(&function));
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      widen_scope(instruction);
      drop_type_based_aliasing(instruction);
    }
  }
  if (module.options.relocatable) unify_static_variables(ir);
  resolve_external_names(module);
  for (llvm::GlobalAlias& alias : ir.aliases()) internalise(alias, module, false);
}

}  // namespace reprise_compiler::device
