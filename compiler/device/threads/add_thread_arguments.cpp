// Gives all device code its thread: markers of indices become arguments.
//
//   define void @k(ptr %x, i32 %n)                  define void @k(ptr %x, i32 %n, ptr %launch, ... i32 %tid.x ...)
//     %i = call i32 @__reprise_tid_x()        ->      use of %tid.x
//     call void @visit(ptr %node)                     call void @visit(ptr %node, ptr %thread)
//
// Also unpacks by-value structs: a kernel that only reads one reads the packed parameters in place, a kernel that
// writes to one gets a copy per thread.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/diagnostic.h"
#include "ir/reachable_code.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

// The same function with more parameters at the end.
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

// ---- by-value parameters ----

bool is_only_read(const Value* pointer, int depth = 0) {
  return depth < 16 && llvm::all_of(
                           pointer->users(),
                           [&](const llvm::User* user) {
                             if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return !load->isVolatile();
                             if (llvm::isa<llvm::GetElementPtrInst>(user)) return is_only_read(user, depth + 1);
                             if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user))
                               return copy->getRawDest() != pointer && !copy->isVolatile();
                             return llvm::isa<llvm::DbgInfoIntrinsic>(user);
                           });
}

void mark_loads_invariant(Value* pointer) {
  for (llvm::User* user : pointer->users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    if (llvm::isa<llvm::GetElementPtrInst>(user)) mark_loads_invariant(user);
  }
}

// The runtime aligns the packed parameters so far, and no further: see kernel_abi.h.
constexpr llvm::Align packed_alignment = llvm::Align::Constant<16>();

void unpack_by_value(llvm::Function& body) {
  const llvm::DataLayout& layout = body.getParent()->getDataLayout();
  for (llvm::Argument& argument : body.args()) {
    if (!argument.hasByValAttr()) continue;
    llvm::Type* type = argument.getParamByValType();
    const llvm::Align alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    body.removeParamAttr(argument.getArgNo(), llvm::Attribute::ByVal);
    body.removeParamAttr(argument.getArgNo(), llvm::Attribute::Alignment);
    const llvm::Align known = std::min(alignment, packed_alignment);
    body.addParamAttr(argument.getArgNo(), llvm::Attribute::getWithAlignment(body.getContext(), known));
    body.addParamAttr(argument.getArgNo(),
                      llvm::Attribute::get(body.getContext(), "reprise.in_place"));  // blocks/thunk.cpp
    if (alignment <= packed_alignment && is_only_read(&argument)) {
      mark_loads_invariant(&argument);
      continue;
    }
    llvm::IRBuilder<> builder(&body.getEntryBlock(), body.getEntryBlock().begin());
    llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    copy->setAlignment(std::max(alignment, copy->getAlign()));
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, known, layout.getTypeAllocSize(type));
  }
}

// ---- who am I, in a kernel's body and in a function that was not inlined ----

struct Identity {
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

  Value* index(llvm::IRBuilder<>& b, Marker marker) const {
    if (marker == Marker::lane) return lane(b);
    if (marker == Marker::dynamic_shared_size) return load_launch_field(b, launch(b), launch_dynamic_shared);
    if (is_body) return argument_for(function, marker);
    const unsigned n = unsigned(marker) - unsigned(Marker::grid_x);
    const unsigned group = n / 3, axis = n % 3;
    if (group < 2) return load_launch_field(b, launch(b), group == 0 ? launch_grid : launch_block, axis);
    return from_context(b, group, axis);
  }

  Value* lane(llvm::IRBuilder<>& b) const {
    if (is_body) {
      Value* wide = thread_argument(function, ThreadArgument::lane);
      return b.CreateAnd(b.CreateTrunc(wide, b.getInt32Ty()), b.getInt32(31));  // says what values it can have
    }
    Value* row = b.CreateMul(index(b, Marker::thread_index_z), index(b, Marker::block_y));
    row = b.CreateMul(b.CreateAdd(row, index(b, Marker::thread_index_y)), index(b, Marker::block_x));
    return b.CreateAnd(b.CreateAdd(row, index(b, Marker::thread_index_x)), b.getInt32(31));
  }

  // Six words for messages: block and thread index.
  void store_indices(llvm::IRBuilder<>& b, Value* array) const {
    for (unsigned i = 0; i < 6; ++i)
      b.CreateStore(index(b, Marker(unsigned(Marker::block_index_x) + i)),
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
  return !callee || !callee->isDeclaration() || is_foreign_device_function(*callee);
}

// The runtime's function for a marker that means something of the launch.
const char* service_with_launch(Marker marker) {
  switch (marker) {
    case Marker::trigger_programmatic:
      return "__reprise_trigger_programmatic_launch";
    case Marker::grid_dependency_sync:
      return "__reprise_grid_dependency_synchronize";
    case Marker::graph_launch:
      return "__reprise_graph_launch";
    case Marker::current_graph:
      return "__reprise_current_graph";
    default:
      return nullptr;
  }
}

class ContextPasser {
 public:
  ContextPasser(llvm::Function& function, bool is_body, Value* dynamic_shared)
      : identity_{function, is_body}, dynamic_shared_(dynamic_shared) {}

  void run() {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(identity_.function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      llvm::IRBuilder<> builder(call);
      const Marker marker = marker_of(*call);
      if (is_index(marker))
        replace(call, identity_.index(builder, marker));
      else if (marker == Marker::assert_fail)
        lower_assert(builder, call);
      else if (const char* service = service_with_launch(marker))
        lower_service(builder, call, service);
      else if (takes_context(*call))
        add_argument(builder, call);
    }
  }

 private:
  static void replace(llvm::CallInst* call, Value* value) {
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }

  // The launch comes before the call's own arguments.
  void lower_service(llvm::IRBuilder<>& b, llvm::CallInst* call, const char* service) {
    std::vector<Value*> arguments{identity_.launch(b)};
    arguments.insert(arguments.end(), call->arg_begin(), call->arg_end());
    replace(call, call_service(b, service, call->getType(), arguments));
  }

  void lower_assert(llvm::IRBuilder<>& b, llvm::CallInst* call) {
    if (!indices_) indices_ = alloca_at_entry(identity_.function, llvm::ArrayType::get(b.getInt32Ty(), 6), "indices");
    identity_.store_indices(b, indices_);
    std::vector<Value*> arguments(call->arg_begin(), call->arg_begin() + 4);
    arguments.push_back(indices_);
    replace(call, call_service(b, "__reprise_assert_fail", b.getVoidTy(), arguments));
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

  Identity identity_;
  Value* dynamic_shared_;
  Value* context_ = nullptr;
  Value* indices_ = nullptr;
};

// What `extern __shared__` arrays are: placed with them behind the kernel's static shared memory.
llvm::GlobalVariable* dynamic_shared_stand_in(DeviceModule& module) {
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.ir.getContext()), 0);
  auto* variable = new llvm::GlobalVariable(module.ir, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                            "reprise.dynamic_shared");
  module.shared.push_back(variable);
  return variable;
}

void refuse_variadic(const llvm::Function& function) {
  if (function.isVarArg()) fail_in(function, "functions with variable arguments are not supported in device code");
}

}  // namespace

void add_thread_arguments(DeviceModule& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module.ir)
    if (!module.kernel_of(&function) && (!function.isDeclaration() || is_foreign_device_function(function)))
      functions.push_back(&function);
  for (llvm::Function*& function : functions) {
    refuse_variadic(*function);
    function = extend(*function, {llvm::PointerType::get(module.ir.getContext(), 0)}, {"thread"});
  }
  for (Kernel& kernel : module.kernels) {
    unpack_by_value(*kernel.body);
    kernel.body = extend_body(*kernel.body);
  }
  llvm::GlobalVariable* dynamic = dynamic_shared_stand_in(module);
  for (llvm::Function* function : functions)
    if (!function->isDeclaration()) ContextPasser(*function, false, dynamic).run();
  for (Kernel& kernel : module.kernels) ContextPasser(*kernel.body, true, dynamic).run();
}

}  // namespace reprise_compiler::device
