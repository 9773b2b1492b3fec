// Answers at compile time in which state space an address is: PTX isspacep, __isShared and its kin.
//
//   %a = call i32 @__reprise_is_shared(ptr @tile)       ->   1                       @tile is a __shared__ variable
//   %b = call i32 @__reprise_is_local(ptr %argument)    ->   0                       the host has no local memory
//   %c = call i32 @__reprise_is_global(ptr %p)          ->   !(is_shared(%p) | is_local(%p) | is_constant(%p))
//
// Runs after inlining, where the origin of an address is visible, and before the passes that look for barriers and
// waiting loops: libcu++ has both in code for a space that a program does not use.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "ir/builtin.h"
#include "ir/llvm_passes.h"
#include "kernel/kernel_abi.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

// A set of spaces that an address may be in.
enum Spaces : unsigned { none = 0, global = 1, shared = 2, constant = 4, local = 8, parameter = 16, any_space = 31 };

class SpaceQueries {
 public:
  SpaceQueries(DeviceModule& module, llvm::Function& function)
      : module_(module), shared_(module.shared_variables()), is_kernel_(module.kernel_of(&function)) {}

  // Returns the answer, or null if it is known at run time only.
  Value* answer(llvm::IRBuilder<>& b, Builtin query, Value* address) const {
    const unsigned spaces = spaces_of(address);
    switch (query) {
      case Builtin::is_shared:
        return answer(b, spaces, shared);
      case Builtin::is_local:
        return answer(b, spaces, local);
      case Builtin::is_constant:
        return answer(b, spaces, constant);
      case Builtin::is_parameter:
        return b.getInt32(spaces == parameter);
      default:
        return is_global(b, spaces, address);
    }
  }

 private:
  static Value* answer(llvm::IRBuilder<>& b, unsigned spaces, Spaces space) {
    if (!(spaces & space)) return b.getInt32(0);
    return spaces == space ? b.getInt32(1) : nullptr;
  }

  // As on an H200, every address outside the other three spaces is one of global memory, also that of a parameter.
  static Value* is_global(llvm::IRBuilder<>& b, unsigned spaces, Value* address) {
    Value* elsewhere = b.getInt32(0);
    for (const auto& [query, space] :
         {std::pair{Builtin::is_shared, shared}, {Builtin::is_local, local}, {Builtin::is_constant, constant}}) {
      Value* known = answer(b, spaces, space);
      elsewhere = b.CreateOr(elsewhere, known ? known : call_builtin(b, query, {address}));
    }
    return b.CreateXor(elsewhere, b.getInt32(1));
  }

  unsigned spaces_of(Value* address) const {
    llvm::SmallVector<const Value*, 4> objects;
    llvm::getUnderlyingObjects(address, objects, nullptr, 0);
    unsigned spaces = none;
    for (const Value* object : objects) spaces |= spaces_of_object(*object);
    return spaces;
  }

  unsigned spaces_of_object(const Value& object) const {
    if (llvm::isa<llvm::AllocaInst>(object)) return local;
    if (llvm::isa<llvm::ConstantPointerNull>(object)) return global;
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object)) return space_of_variable(*variable);
    if (!is_kernel_) return any_space;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&object))
      return argument->hasByValAttr() ? parameter : global;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&object))  // in a structure that the host passed
      if (const auto* from = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
          from && from->hasByValAttr())
        return global;
    return any_space;
  }

  unsigned space_of_variable(const llvm::GlobalVariable& variable) const {
    if (llvm::is_contained(shared_, &variable)) return shared;
    const bool is_constant = llvm::any_of(module_.variables, [&](const Variable& v) {
      return v.storage == &variable && v.kind == reprise_constant_variable;
    });
    return is_constant ? constant : global;
  }

  DeviceModule& module_;
  std::vector<llvm::GlobalVariable*> shared_;
  bool is_kernel_;
};

bool resolve(DeviceModule& module, llvm::Function& function) {
  bool resolved = false;
  const SpaceQueries queries(module, function);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const Builtin query = builtin_of(instruction);
    if (!is_space_query(query)) continue;
    auto& call = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> b(&call);
    Value* answer = queries.answer(b, query, call.getArgOperand(0));
    if (!answer) continue;
    call.replaceAllUsesWith(answer);
    call.eraseFromParent();
    resolved = true;
  }
  return resolved;
}

}  // namespace

void resolve_space_queries(DeviceModule& module) {
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration() && resolve(module, function) && module.options.optimisation)
      run_llvm_passes(module, function, "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg");
}

}  // namespace reprise_compiler::device
