// Adds arguments for the thread's indices and its launch to kernels and to functions that were not inlined.
//
//   define void @k(ptr %x, i32 %n)                  define void @k(ptr %x, i32 %n, ptr %launch, ... i32 %tid.x ...)
//     %i = call i32 @__reprise_tid_x()        ->      use of %tid.x
//     call void @visit(ptr %node)                     call void @visit(ptr %node, ptr %thread)
//
// Runs after inlining, since only functions that remain need the hidden argument.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/diagnostic.h"
#include "ir/reachable_code.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"
#include "threads/by_value_parameters.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

// Appends parameters to a function.
llvm::Function* extend(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types, llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<llvm::Type*> parameters = old.getFunctionType()->params().vec();
  parameters.insert(parameters.end(), types.begin(), types.end());
  auto* type = llvm::FunctionType::get(old.getReturnType(), parameters, false);
  auto* extended = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  extended->copyAttributesFrom(&old);
  extended->copyMetadata(&old, 0);
  extended->takeName(&old);
  extended->splice(extended->begin(), &old);
  for (llvm::Argument& argument : old.args()) {
    llvm::Argument* moved = extended->getArg(argument.getArgNo());
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  for (unsigned i = 0; i < names.size(); ++i) extended->getArg(old.arg_size() + i)->setName(names[i]);
  old.replaceAllUsesWith(extended);
  old.eraseFromParent();
  return extended;
}

llvm::Function* extend_body(llvm::Function& body) {
  llvm::LLVMContext& context = body.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  std::vector<llvm::Type*> types{pointer, pointer};
  types.insert(types.end(), 12, llvm::Type::getInt32Ty(context));
  types.insert(types.end(), 3, llvm::Type::getInt64Ty(context));
  return extend(body, types,
                {"launch", "shared", "nctaid.x", "nctaid.y", "nctaid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x",
                 "ctaid.y", "ctaid.z", "tid.x", "tid.y", "tid.z", "thread", "lane", "row.length"});
}

// ---- indices and launch, in a kernel's body and in a function that was not inlined ----

struct ThreadIdentity {
  llvm::Function& function;
  bool is_body;

  Value* context() const { return function.getArg(function.arg_size() - 1); }

  Value* from_context(llvm::IRBuilder<>& b, unsigned field, unsigned index = 0) const {
    llvm::StructType* type = thread_context_type(b.getContext());
    Value* address = b.CreateStructGEP(type, context(), field);
    llvm::Type* result = type->getElementType(field);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(result)) {
      address = b.CreateConstInBoundsGEP2_32(array, address, 0, index);
      result = array->getElementType();
    }
    return b.CreateLoad(result, address);
  }

  Value* launch(llvm::IRBuilder<>& b) const {
    return is_body ? thread_argument(function, ThreadArgument::launch) : from_context(b, context_launch);
  }
  Value* shared(llvm::IRBuilder<>& b) const {
    return is_body ? thread_argument(function, ThreadArgument::shared) : from_context(b, context_shared);
  }

  Value* index(llvm::IRBuilder<>& b, Builtin builtin) const {
    if (builtin == Builtin::lane) return lane(b);
    if (builtin == Builtin::dynamic_shared_size) return load_launch_field(b, launch(b), launch_dynamic_shared);
    if (is_body) return argument_for(function, builtin);
    const unsigned n = unsigned(builtin) - unsigned(Builtin::grid_x);
    const unsigned group = n / 3, axis = n % 3;
    if (group < 2) return load_launch_field(b, launch(b), group == 0 ? launch_grid : launch_block, axis);
    return from_context(b, group, axis);
  }

  Value* lane(llvm::IRBuilder<>& b) const {
    if (is_body) {
      Value* wide = thread_argument(function, ThreadArgument::lane);
      return b.CreateAnd(b.CreateTrunc(wide, b.getInt32Ty()), b.getInt32(31));  // tells LLVM the range
    }
    Value* row = b.CreateMul(index(b, Builtin::thread_index_z), index(b, Builtin::block_y));
    row = b.CreateMul(b.CreateAdd(row, index(b, Builtin::thread_index_y)), index(b, Builtin::block_x));
    return b.CreateAnd(b.CreateAdd(row, index(b, Builtin::thread_index_x)), b.getInt32(31));
  }

  // Stores block and thread index, six words.
  void store_indices(llvm::IRBuilder<>& b, Value* array) const {
    for (unsigned i = 0; i < 6; ++i)
      b.CreateStore(index(b, Builtin(unsigned(Builtin::block_index_x) + i)),
                    b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), array, i));
  }
};

llvm::AllocaInst* alloca_at_entry(llvm::Function& function, llvm::Type* type, llvm::StringRef name) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(type, nullptr, name);
}

bool takes_context(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return false;
  const llvm::Function* callee = call.getCalledFunction();
  return !callee || !callee->isDeclaration() || is_external_device_function(*callee);
}

// The runtime function of a builtin that takes the launch as first argument; null for others.
const char* runtime_function_with_launch(Builtin builtin) {
  switch (builtin) {
    case Builtin::trigger_programmatic:
      return "__reprise_trigger_programmatic_launch";
    case Builtin::grid_dependency_sync:
      return "__reprise_grid_dependency_synchronize";
    case Builtin::graph_launch:
      return "__reprise_graph_launch";
    case Builtin::current_graph:
      return "__reprise_current_graph";
    default:
      return nullptr;
  }
}

class ThreadArgumentLowering {
 public:
  ThreadArgumentLowering(llvm::Function& function, bool is_body, Value* dynamic_shared)
      : identity_{function, is_body}, dynamic_shared_(dynamic_shared) {}

  void run() {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(identity_.function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      llvm::IRBuilder<> builder(call);
      const Builtin builtin = builtin_of(*call);
      if (is_index(builtin))
        replace(call, identity_.index(builder, builtin));
      else if (builtin == Builtin::assert_fail)
        lower_assert(builder, call);
      else if (const char* service = runtime_function_with_launch(builtin))
        lower_runtime_call(builder, call, service);
      else if (takes_context(*call))
        add_argument(builder, call);
    }
  }

 private:
  static void replace(llvm::CallInst* call, Value* value) {
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }

  // Passes the launch before the call's own arguments.
  void lower_runtime_call(llvm::IRBuilder<>& b, llvm::CallInst* call, const char* service) {
    std::vector<Value*> arguments{identity_.launch(b)};
    arguments.insert(arguments.end(), call->arg_begin(), call->arg_end());
    replace(call, call_runtime(b, service, call->getType(), arguments));
  }

  void lower_assert(llvm::IRBuilder<>& b, llvm::CallInst* call) {
    if (!indices_) indices_ = alloca_at_entry(identity_.function, llvm::ArrayType::get(b.getInt32Ty(), 6), "indices");
    identity_.store_indices(b, indices_);
    std::vector<Value*> arguments(call->arg_begin(), call->arg_begin() + 4);
    arguments.push_back(indices_);
    replace(call, call_runtime(b, "__reprise_assert_fail", b.getVoidTy(), arguments));
  }

  Value* context(llvm::IRBuilder<>& b) {
    if (!identity_.is_body) return identity_.context();
    llvm::StructType* type = thread_context_type(b.getContext());
    if (!context_) context_ = alloca_at_entry(identity_.function, type, "thread");
    b.CreateStore(identity_.launch(b), b.CreateStructGEP(type, context_, context_launch));
    b.CreateStore(identity_.shared(b), b.CreateStructGEP(type, context_, context_shared));
    identity_.store_indices(b, b.CreateStructGEP(type, context_, context_block_index));
    b.CreateStore(dynamic_shared_, b.CreateStructGEP(type, context_, context_dynamic_shared));
    return context_;
  }

  void add_argument(llvm::IRBuilder<>& b, llvm::CallInst* call) {
    std::vector<llvm::Type*> types = call->getFunctionType()->params().vec();
    types.push_back(b.getPtrTy());
    std::vector<Value*> arguments(call->arg_begin(), call->arg_end());
    arguments.push_back(context(b));
    auto* type = llvm::FunctionType::get(call->getType(), types, false);
    llvm::CallInst* extended = b.CreateCall(type, call->getCalledOperand(), arguments);
    extended->setAttributes(call->getAttributes());
    extended->setDebugLoc(call->getDebugLoc());
    extended->takeName(call);
    if (llvm::isa<llvm::FPMathOperator>(call)) extended->copyFastMathFlags(call);
    replace(call, extended);
  }

  ThreadIdentity identity_;
  Value* dynamic_shared_;
  Value* context_ = nullptr;
  Value* indices_ = nullptr;
};

// Placeholder of the dynamic shared memory; like `extern __shared__` arrays it follows the static shared memory.
llvm::GlobalVariable* dynamic_shared_placeholder(DeviceModule& module) {
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.ir.getContext()), 0);
  auto* variable = new llvm::GlobalVariable(module.ir, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                            "reprise.dynamic_shared");
  module.shared.push_back(variable);
  return variable;
}

void reject_variadic(const llvm::Function& function) {
  if (function.isVarArg()) fail_in(function, "functions with variable arguments are not supported in device code");
}

}  // namespace

void add_thread_arguments(DeviceModule& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module.ir)
    if (!module.kernel_of(&function) && (!function.isDeclaration() || is_external_device_function(function)))
      functions.push_back(&function);
  for (llvm::Function*& function : functions) {
    reject_variadic(*function);
    function = extend(*function, {llvm::PointerType::get(module.ir.getContext(), 0)}, {"thread"});
  }
  for (Kernel& kernel : module.kernels) {
    lower_by_value_parameters(*kernel.body);
    kernel.body = extend_body(*kernel.body);
  }
  llvm::GlobalVariable* dynamic = dynamic_shared_placeholder(module);
  for (llvm::Function* function : functions)
    if (!function->isDeclaration()) ThreadArgumentLowering(*function, false, dynamic).run();
  for (Kernel& kernel : module.kernels) ThreadArgumentLowering(*kernel.body, true, dynamic).run();
}

}  // namespace reprise_compiler::device
