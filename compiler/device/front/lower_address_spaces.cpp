// Moves all variables and pointers from NVPTX's five address spaces into one.
//
//   @c = addrspace(4) externally_initialized global          @c = internal global         -> module.variables
//   @s = addrspace(3) global [32 x float] undef        ->    @s = external global         -> module.shared
//   load ptr addrspacecast (ptr addrspace(4) @c to ptr)      load ptr @c
//
// __shared__ variables become placeholders without storage; allocate_shared_memory gives them an offset. __device__,
// __constant__ and __managed__ variables are collected before an optimisation can drop unreferenced ones.
//
// Runs early, so that later passes see one kind of pointer only.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "front/passes.h"
#include "ir/diagnostic.h"
#include "kernel/kernel_abi.h"

namespace reprise_compiler::device {
namespace {

enum AddressSpace : unsigned { generic = 0, global = 1, shared = 3, constant = 4, local = 5 };

// Headers define __managed__ as __device__ in this section; the host's variable is the storage.
constexpr llvm::StringRef managed_section = "reprise.managed";

// Initial value for the host's variable: clang emits none in the host object if __device__ precedes __managed__.
llvm::Constant* initial_value(llvm::GlobalVariable& variable) {
  if (!variable.hasInitializer()) return nullptr;
  llvm::Constant* value = variable.getInitializer();
  if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value)) return nullptr;
  auto* image = new llvm::GlobalVariable(*variable.getParent(), value->getType(), true,
                                         llvm::GlobalValue::InternalLinkage, value, "reprise.initial");
  image->setAlignment(variable.getAlign());
  return image;
}

// Replaces a variable by one in address space 0. The casts that clang put around uses fold away.
llvm::GlobalVariable* move_to_generic(llvm::GlobalVariable* old, bool with_storage) {
  auto* moved = new llvm::GlobalVariable(*old->getParent(), old->getValueType(), old->isConstant(), old->getLinkage(),
                                         with_storage && old->hasInitializer() ? old->getInitializer() : nullptr, "",
                                         old, old->getThreadLocalMode(), generic);
  moved->takeName(old);
  moved->setAlignment(old->getAlign());
  moved->copyMetadata(old, 0);
  if (!with_storage) moved->setLinkage(llvm::GlobalValue::ExternalLinkage);
  old->replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(moved, old->getType()));
  old->eraseFromParent();
  return moved;
}

void internalise(llvm::GlobalVariable& variable, const Options& options) {
  variable.setComdat(nullptr);
  variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
  if (variable.isDeclaration()) return;
  if (!options.relocatable || variable.isDiscardableIfUnused()) variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// The name before -rdc=true prefixed it.
std::string host_name(const llvm::GlobalVariable& variable) {
  llvm::StringRef name = variable.getName();
  name.consume_front("reprise.device.");
  return name.str();
}

void move_variables(DeviceModule& module) {
  std::vector<llvm::GlobalVariable*> all;
  for (llvm::GlobalVariable& variable : module.ir.globals()) all.push_back(&variable);
  for (llvm::GlobalVariable* variable : all) {
    const unsigned space = variable->getAddressSpace();
    const bool is_managed = variable->getSection() == managed_section;
    llvm::Constant* initial = is_managed ? initial_value(*variable) : nullptr;
    const bool is_shared = space == AddressSpace::shared;
    if (space != generic) variable = move_to_generic(variable, !is_shared && !is_managed);
    // The host defines it, without the suffix that -rdc=true appends to names of static variables.
    if (is_managed) variable->setName(llvm::StringRef(host_name(*variable)).split("__static__").first);
    if (is_shared) {
      module.shared.push_back(variable);
      continue;
    }
    if (is_managed || space != generic)
      module.variables.push_back({variable, host_name(*variable),
                                  uint32_t(is_managed                        ? reprise_managed_variable
                                           : space == AddressSpace::constant ? reprise_constant_variable
                                                                             : reprise_device_variable),
                                  initial});
    if (!is_managed) internalise(*variable, module.options);
  }
  // A variable that another device object defines is registered by that object.
  llvm::erase_if(module.variables, [](const Variable& variable) {
    return variable.kind != reprise_managed_variable && variable.storage->isDeclaration();
  });
  // The host may look up variables that no kernel uses.
  for (Variable& variable : module.variables) {
    llvm::appendToCompilerUsed(module.ir, {variable.storage});
    if (variable.initial) llvm::appendToCompilerUsed(module.ir, {llvm::cast<llvm::GlobalValue>(variable.initial)});
  }
}

llvm::Type* without_space(llvm::Type* type) {
  auto* pointer = llvm::dyn_cast<llvm::PointerType>(type);
  return pointer && pointer->getAddressSpace() != generic ? llvm::PointerType::get(type->getContext(), generic) : type;
}

// Clang uses overloads of memcpy, memmove and memset for shared and constant memory.
void retype_memory_intrinsic(llvm::IntrinsicInst& call) {
  llvm::SmallVector<llvm::Type*, 4> overload;
  auto* transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call);
  auto* set = llvm::dyn_cast<llvm::AnyMemSetInst>(&call);
  llvm::Type* pointer = llvm::PointerType::get(call.getContext(), generic);
  if (transfer) overload = {pointer, pointer, transfer->getLength()->getType()};
  if (set) overload = {pointer, set->getLength()->getType()};
  if (!overload.empty())
    call.setCalledFunction(llvm::Intrinsic::getDeclaration(call.getModule(), call.getIntrinsicID(), overload));
}

void lower_instructions(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    for (llvm::Use& operand : instruction.operands())
      if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(operand);
          cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast && cast->getType()->getPointerAddressSpace())
        operand.set(cast->getOperand(0));
    instruction.mutateType(without_space(instruction.getType()));
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) retype_memory_intrinsic(*call);
  }
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction)) {
      cast->replaceAllUsesWith(cast->getPointerOperand());
      cast->eraseFromParent();
    }
}

}  // namespace

void lower_address_spaces(DeviceModule& module) {
  move_variables(module);
  for (llvm::Function& function : module.ir) lower_instructions(function);
}

}  // namespace reprise_compiler::device
