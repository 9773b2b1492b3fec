// Assigns every __shared__ variable an offset in the block's shared memory.
//
//   @tile = external global [256 x float]             %tile = getelementptr i8, ptr %shared, i64 128
//   load float, ptr @tile                       ->    load float, ptr %tile
//
//   |<- used in functions, same offset in all kernels ->|<- the kernel's own ->|<- extern __shared__ -> ...
//   0                                                                          static_shared (multiple of 128)
//
// A function that other device objects can call does not know its kernel: its variables are thread-local, which is
// equivalent, since a block stays on the OS thread that runs it.
//
// Runs after add_thread_arguments, by which functions that were not inlined find shared memory.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "ir/diagnostic.h"
#include "ir/reachable_code.h"
#include "ir/thread_arguments.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

constexpr uint64_t section_alignment = 128;  // kernel_abi.h
constexpr uint64_t minimum_alignment = 16;
constexpr uint64_t max_static_shared = 48 * 1024;  // limit of nvcc on every architecture

// In the order of discovery, so that the output is deterministic.
using Users = llvm::MapVector<llvm::GlobalVariable*, llvm::SmallSetVector<llvm::Function*, 4>>;

Users users_of_shared(DeviceModule& module) {
  Users users;
  for (llvm::GlobalVariable* variable : module.shared_variables()) {
    llvm::convertUsersOfConstantsToInstructions({variable});
    for (llvm::User* user : variable->users())
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
        users[variable].insert(instruction->getFunction());
  }
  return users;
}

bool is_dynamic(const llvm::GlobalVariable& variable, const llvm::DataLayout& layout) {
  return layout.getTypeAllocSize(variable.getValueType()).isZero();
}

// A variable that is never read has no effect; nvcc drops it too.
bool is_never_read(const llvm::Value& address) {
  return llvm::all_of(address.users(), [&](const llvm::User* user) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == &address && !store->isVolatile();
    return (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::CastInst>(user)) && is_never_read(*user);
  });
}

class Placement {
 public:
  explicit Placement(DeviceModule& module) : module_(module), users_(users_of_shared(module)) {}

  void run() {
    for (const Kernel& kernel : module_.kernels) check_size(kernel);
    make_externally_callable_thread_local();
    const uint64_t common = place_function_variables();
    for (Kernel& kernel : module_.kernels) place_kernel_variables(kernel, common);
    for (llvm::GlobalVariable* variable : module_.shared_variables())
      if (variable->use_empty()) variable->eraseFromParent();
    module_.shared.clear();
  }

 private:
  bool reaches(const ReachableCode& reachable, llvm::GlobalVariable* variable) {
    return llvm::any_of(users_[variable], [&](llvm::Function* f) { return reachable.functions.count(f); });
  }

  // Counts variables without padding, since another compiler may place them in another order. Not checked without
  // optimisation, where unreachable code still holds its variables.
  void check_size(const Kernel& kernel) {
    if (!module_.options.optimisation) return;
    const ReachableCode reachable = reachable_from_kernel(module_, *kernel.body);
    uint64_t bytes = 0;
    for (llvm::GlobalVariable* variable : module_.shared_variables())
      if (reaches(reachable, variable) && !is_never_read(*variable))
        bytes += module_.layout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    if (bytes > max_static_shared)
      fail_in(*kernel.body, "the kernel's __shared__ variables take 0x" + llvm::Twine::utohexstr(bytes) +
                                " bytes; the limit is 0x" + llvm::Twine::utohexstr(max_static_shared) +
                                ". Use extern __shared__ and pass the size at launch");
  }

  uint64_t append(llvm::GlobalVariable& variable, uint64_t& end) {
    const uint64_t alignment = std::max<uint64_t>(variable.getAlign().valueOrOne().value(), minimum_alignment);
    const uint64_t offset = llvm::alignTo(end, alignment);
    end = offset + module_.layout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    return offset;
  }

  // An argument in a kernel's body, a field of the thread context in a function.
  llvm::Value* base(llvm::IRBuilder<>& b, llvm::Function& function, ContextField field) {
    if (module_.kernel_of(&function)) return thread_argument(function, ThreadArgument::shared);
    llvm::StructType* context = thread_context_type(b.getContext());
    return b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(context, function.getArg(function.arg_size() - 1), field));
  }

  void replace_uses(llvm::GlobalVariable& variable, llvm::Function& function, uint64_t offset,
                    ContextField field = context_shared) {
    llvm::IRBuilder<> b(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    llvm::Value* start = base(b, function, field);
    llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), start, offset, variable.getName());
    variable.replaceUsesWithIf(address, [&](llvm::Use& use) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return instruction && instruction->getFunction() == &function;
    });
  }

  void make_externally_callable_thread_local() {
    if (!module_.options.relocatable) return;
    for (auto& [variable, functions] : users_) {
      const bool foreign = llvm::any_of(functions, [](llvm::Function* f) { return !f->hasLocalLinkage(); });
      if (!foreign || is_dynamic(*variable, module_.layout())) continue;
      variable->setInitializer(llvm::Constant::getNullValue(variable->getValueType()));
      variable->setLinkage(llvm::GlobalValue::InternalLinkage);
      variable->setThreadLocal(true);
      functions.clear();
    }
  }

  uint64_t place_function_variables() {
    uint64_t end = 0;
    for (llvm::GlobalVariable* variable : module_.shared_variables()) {
      const bool dynamic = is_dynamic(*variable, module_.layout());
      for (llvm::Function* function : users_[variable]) {
        if (module_.kernel_of(function)) continue;
        if (!dynamic && !fixed_.count(variable)) fixed_[variable] = append(*variable, end);
        if (dynamic)
          replace_uses(*variable, *function, 0, context_dynamic_shared);
        else
          replace_uses(*variable, *function, fixed_[variable]);
      }
    }
    return llvm::alignTo(end, section_alignment);
  }

  void place_kernel_variables(Kernel& kernel, uint64_t common) {
    const ReachableCode reachable = reachable_from_kernel(module_, *kernel.body);
    const bool needs_common = llvm::any_of(fixed_, [&](auto& entry) { return reaches(reachable, entry.first); });
    uint64_t end = needs_common ? common : 0;
    std::vector<llvm::GlobalVariable*> dynamic;
    for (llvm::GlobalVariable* variable : module_.shared_variables()) {
      if (!users_[variable].count(kernel.body)) continue;
      if (is_dynamic(*variable, module_.layout()))
        dynamic.push_back(variable);
      else
        replace_uses(*variable, *kernel.body, fixed_.count(variable) ? fixed_[variable] : append(*variable, end));
    }
    kernel.static_shared = uint32_t(llvm::alignTo(end, section_alignment));
    kernel.has_dynamic_shared = !dynamic.empty();
    for (llvm::GlobalVariable* variable : dynamic) replace_uses(*variable, *kernel.body, kernel.static_shared);
  }

  DeviceModule& module_;
  Users users_;
  llvm::MapVector<llvm::GlobalVariable*, uint64_t> fixed_;
};

}  // namespace

void allocate_shared_memory(DeviceModule& module) { Placement(module).run(); }

}  // namespace reprise_compiler::device
