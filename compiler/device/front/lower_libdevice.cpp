// Maps the functions of NVIDIA's libdevice to LLVM intrinsics, libm or the runtime library.
//
//   call float @__nv_sqrtf(float %x)    ->    call float @llvm.sqrt.f32(float %x)
//   call float @__nv_expf(float %x)     ->    call float @expf(float %x)           vectorised through libmvec
//   call float @__nv_erfcxf(float %x)   ->    call float @__nv_erfcxf(float %x)    from the runtime library
//
// All are marked memory(none), since they set no errno, so that LLVM can vectorise, hoist and merge them.
//
// Runs while calls still have their __nv_ names.
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include "front/passes.h"

namespace reprise_compiler::device {
namespace {

// For float and double: the name without "__nv_" and without the suffix "f" of the float form.
const llvm::StringMap<llvm::Intrinsic::ID>& intrinsics() {
  using namespace llvm::Intrinsic;
  static const llvm::StringMap<ID> table = {
      {"sqrt", sqrt},   {"fabs", fabs},   {"floor", floor}, {"ceil", ceil},
      {"trunc", trunc}, {"rint", rint},   {"round", round}, {"nearbyint", nearbyint},
      {"fma", fma},     {"fmax", maxnum}, {"fmin", minnum}, {"copysign", copysign},
      {"sin", sin},     {"cos", cos},     {"exp", exp},     {"exp2", exp2},
      {"log", log},     {"log2", log2},   {"log10", log10}, {"pow", pow},
  };
  return table;
}

const llvm::StringMap<llvm::Intrinsic::ID>& integer_intrinsics() {
  using namespace llvm::Intrinsic;
  static const llvm::StringMap<ID> table = {
      {"max", smax},   {"min", smin},    {"umax", umax},   {"umin", umin},       {"llmax", smax},
      {"llmin", smin}, {"ullmax", umax}, {"ullmin", umin}, {"brev", bitreverse}, {"brevll", bitreverse},
  };
  return table;
}

// Functions of libm with the same meaning and domain, and at least the accuracy that CUDA states.
bool is_in_libm(llvm::StringRef name) {
  static const char* const names[] = {"tan",   "asin",  "acos",  "atan",   "atan2", "sinh",  "cosh",
                                      "tanh",  "asinh", "acosh", "atanh",  "cbrt",  "exp10", "expm1",
                                      "log1p", "erf",   "erfc",  "tgamma", "fmod",  "hypot", "remainder"};
  return llvm::is_contained(names, name);
}

llvm::Intrinsic::ID intrinsic_for(llvm::StringRef name, llvm::Type* result) {
  if (result->isFloatTy() && name.ends_with("f")) name = name.drop_back();
  const auto& table = result->isIntegerTy() ? integer_intrinsics() : intrinsics();
  const auto found = table.find(name);
  return found == table.end() ? llvm::Intrinsic::not_intrinsic : found->second;
}

void replace_calls(llvm::Function& function, llvm::Intrinsic::ID id) {
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != &function) continue;
    llvm::IRBuilder<> builder(call);
    llvm::SmallVector<llvm::Value*, 3> arguments(call->args());
    llvm::CallInst* replacement = builder.CreateIntrinsic(id, {call->getType()}, arguments);
    if (llvm::isa<llvm::FPMathOperator>(replacement)) replacement->copyFastMathFlags(call->getFastMathFlags());
    call->replaceAllUsesWith(replacement);
    call->eraseFromParent();
  }
}

bool writes_through_pointer(const llvm::Function& function) {
  return llvm::any_of(function.args(), [](const llvm::Argument& a) { return a.getType()->isPointerTy(); });
}

}  // namespace

void lower_libdevice(DeviceModule& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module.ir)) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("__nv_")) continue;
    function.removeFnAttr(llvm::Attribute::Convergent);
    function.addFnAttr(llvm::Attribute::WillReturn);
    if (writes_through_pointer(function))
      function.setMemoryEffects(llvm::MemoryEffects::argMemOnly());
    else
      function.setMemoryEffects(llvm::MemoryEffects::none());
    if (const auto id = intrinsic_for(name, function.getReturnType())) {
      replace_calls(function, id);
      if (function.use_empty()) function.eraseFromParent();
      continue;
    }
    llvm::StringRef base = name;
    if (function.getReturnType()->isFloatTy() && base.ends_with("f")) base = base.drop_back();
    if (is_in_libm(base) && !module.ir.getFunction(name)) function.setName(name);
  }
}

}  // namespace reprise_compiler::device
