// Emits the records that describe the module to the runtime, and a constructor that registers them.
//
//   @reprise.module = { abi version, counts, "id", @kernels, @variables }      src/kernel/kernel_abi.h
//   @llvm.global_ctors: __reprise_register_module(@reprise.module); dtors: __reprise_unregister_module
//
// Also binds vprintf, malloc and free to the runtime. Runs when all thunks exist.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "emit/passes.h"
#include "ir/builtin.h"
#include "ir/kernel_attributes.h"
#include "ir/reachable_code.h"
#include "ir/special_register.h"
#include "kernel/kernel_abi.h"

namespace reprise_compiler::device {
namespace {

using llvm::Constant;

class Records {
 public:
  explicit Records(DeviceModule& module) : module_(module), context_(module.ir.getContext()) {}

  Constant* module_record() {
    std::vector<Constant*> kernels, variables;
    for (const Kernel& kernel : module_.kernels) kernels.push_back(kernel_record(kernel));
    for (const Variable& variable : module_.variables) variables.push_back(variable_record(variable));
    return global(record({word(reprise_abi_version), word(kernels.size()), word(variables.size()), word(cpu_features()),
                          text(module_.options.module_id), array(kernels), array(variables)}),
                  "reprise.module");
  }

 private:
  // All features of the chosen processor, whether this code uses them or not.
  uint32_t cpu_features() const {
    uint32_t features = 0, bit = 1;
    const llvm::MCSubtargetInfo& processor = *module_.machine.getMCSubtargetInfo();
    for (const char* name : {
#define REPRISE_FEATURE(name) "+" name,
             REPRISE_CPU_FEATURES(REPRISE_FEATURE)
#undef REPRISE_FEATURE
         }) {
      if (processor.checkFeatures(name)) features |= bit;
      bit <<= 1;
    }
    return features;
  }

  Constant* word(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value); }
  Constant* wide(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), value); }

  Constant* record(llvm::ArrayRef<Constant*> fields) { return llvm::ConstantStruct::getAnon(context_, fields); }

  Constant* global(Constant* value, llvm::StringRef name) {
    return new llvm::GlobalVariable(module_.ir, value->getType(), true, llvm::GlobalValue::InternalLinkage, value,
                                    name);
  }

  Constant* text(llvm::StringRef characters) {
    return global(llvm::ConstantDataArray::getString(context_, characters), "reprise.text");
  }

  Constant* array(llvm::ArrayRef<Constant*> elements) {
    if (elements.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    auto* type = llvm::ArrayType::get(elements.front()->getType(), elements.size());
    return global(llvm::ConstantArray::get(type, elements), "reprise.array");
  }

  Constant* kernel_record(const Kernel& kernel) {
    std::vector<Constant*> parameters;
    for (const Parameter& p : kernel.parameters) parameters.push_back(record({word(p.offset), word(p.size)}));
    const KernelAttributes source = kernel_attributes(module_.ir, kernel.name);
    static_assert(sizeof(reprise_kernel) == 80);
    return record({text(kernel.name), kernel.thunk, array(parameters), word(kernel.parameters.size()),
                   word(kernel.parameter_bytes), word(kernel.static_shared), word(kernel.scratch_per_block),
                   word(kernel.scratch_per_thread), word(kernel.max_threads), word(kernel.min_blocks),
                   word(kernel.flags), word(kernel.local_bytes), word(source.architecture), word(source.cluster[0]),
                   word(source.cluster[1]), word(source.cluster[2])});
  }

  Constant* variable_record(const Variable& variable) {
    const uint64_t size = module_.layout().getTypeAllocSize(variable.storage->getValueType());
    Constant* none = llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    static_assert(sizeof(reprise_variable) == 40);
    return record({text(variable.name), variable.storage, wide(size), word(variable.kind), word(0),
                   variable.initial ? variable.initial : none});
  }

  DeviceModule& module_;
  llvm::LLVMContext& context_;
};

llvm::Function* make_constructor(DeviceModule& module, llvm::StringRef callee, Constant* argument,
                                 llvm::StringRef name) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.ir.getContext()), false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module.ir);
  function->addFnAttr("target-cpu", "x86-64");  // runs before the runtime has checked the processor
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.ir.getContext(), "entry", function));
  call_runtime(b, callee, b.getVoidTy(), {argument});
  b.CreateRetVoid();
  return function;
}

void bind_runtime_function(llvm::Module& ir, llvm::StringRef from, llvm::StringRef to) {
  llvm::Function* function = ir.getFunction(from);
  if (!function || !function->isDeclaration()) return;
  auto callee = ir.getOrInsertFunction(to, function->getFunctionType(), function->getAttributes());
  function->replaceAllUsesWith(callee.getCallee());
  function->eraseFromParent();
}

void set_flags(DeviceModule& module) {
  for (Kernel& kernel : module.kernels) {
    // The thunk has calls of its own, and may refer to the body without calling it.
    const ReachableCode body = reachable_from_kernel(module, *kernel.body),
                        thunk = reachable_from_kernel(module, *kernel.thunk);
    auto calls = [&](llvm::StringRef name) {
      auto is_call = [&](const llvm::Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
      };
      return body.any(is_call) || thunk.any(is_call);
    };
    if (calls("__reprise_grid_sync")) kernel.flags |= reprise_kernel_grid_sync;
    if (calls("__reprise_fiber_yield") || calls("__reprise_let_others_run")) kernel.flags |= reprise_kernel_spins;
    if (calls("__reprise_trigger_programmatic_launch") || calls("__reprise_grid_dependency_synchronize"))
      kernel.flags |= reprise_kernel_programmatic;
    if (calls("__reprise_graph_launch")) kernel.flags |= reprise_kernel_launches_graphs;
    if (calls("__reprise_graph_node_set_parameter") || calls("__reprise_graph_node_set_enabled") ||
        calls("__reprise_graph_node_set_grid"))
      kernel.flags |= reprise_kernel_changes_nodes;
  }
}

}  // namespace

void register_module(DeviceModule& module) {
  set_flags(module);
  bind_runtime_function(module.ir, "vprintf", "__reprise_vprintf");
  bind_runtime_function(module.ir, "malloc", "__reprise_malloc");
  bind_runtime_function(module.ir, "free", "__reprise_free");
  bind_runtime_function(module.ir, "__reprise_device_trap", "__reprise_trap");
  Constant* record = Records(module).module_record();
  llvm::appendToGlobalCtors(module.ir,
                            make_constructor(module, "__reprise_register_module", record, "reprise.register"), 65535);
  llvm::appendToGlobalDtors(
      module.ir, make_constructor(module, "__reprise_unregister_module", record, "reprise.unregister"), 65535);
  if (llvm::GlobalVariable* used = module.ir.getGlobalVariable("llvm.compiler.used")) used->eraseFromParent();
}

}  // namespace reprise_compiler::device
