// Without optimisation each index is a stack variable of its function:
//
//   define void @k(..., i32 %tid.x, i32 %tid.y, i32 %tid.z)
//     %threadIdx = alloca [3 x i32]; store %tid.x ...
//     #dbg_declare(%threadIdx, "threadIdx" of type { unsigned x, y, z })
//
// With optimisation a loop over threads describes threadIdx in each iteration, as far as iterations stay separate.
//
// Runs while every function still has its own indices, before threads become loops.
#include "threads/declare_debug_indices.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Instructions.h>

#include "ir/thread_arguments.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

bool has_variables(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  return program && program->getUnit() && program->getUnit()->getEmissionKind() == llvm::DICompileUnit::FullDebug;
}

class IndexVariables {
 public:
  explicit IndexVariables(llvm::Function& function)
      : program_(function.getSubprogram()), builder_(*function.getParent(), false, program_->getUnit()) {
    llvm::DIType* word = builder_.createBasicType("unsigned int", 32, llvm::dwarf::DW_ATE_unsigned);
    llvm::DIFile* file = program_->getFile();
    std::vector<llvm::Metadata*> members;
    for (unsigned i = 0; i < 3; ++i)
      members.push_back(builder_.createMemberType(file, std::string(1, char('x' + i)), file, 0, 32, 32, 32 * i,
                                                  llvm::DINode::FlagZero, word));
    type_ = builder_.createStructType(file, "uint3", file, 0, 96, 32, llvm::DINode::FlagZero, nullptr,
                                      builder_.getOrCreateArray(members));
  }

  llvm::DILocalVariable* variable(llvm::StringRef name) {
    return builder_.createAutoVariable(program_, name, program_->getFile(), program_->getLine(), type_, true,
                                       llvm::DINode::FlagArtificial);
  }

  llvm::DILocation* location() {
    return llvm::DILocation::get(program_->getContext(), program_->getLine(), 0, program_);
  }

  llvm::DIBuilder& builder() { return builder_; }

 private:
  llvm::DISubprogram* program_;
  llvm::DIBuilder builder_;
  llvm::DICompositeType* type_;
};

// An argument in a kernel's body, a field of the thread context elsewhere.
Value* index_value(llvm::IRBuilder<>& b, llvm::Function& function, bool is_body, unsigned group, unsigned axis) {
  if (is_body) return thread_argument(function, ThreadArgument::grid_x + (group * 3 + axis));
  llvm::StructType* type = thread_context_type(b.getContext());
  Value* context = function.getArg(function.arg_size() - 1);
  if (group < 2) {
    Value* launch = b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(type, context, context_launch));
    return load_launch_field(b, launch, group == 0 ? launch_grid : launch_block, axis);
  }
  Value* array = b.CreateStructGEP(type, context, group);
  return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), array, axis));
}

void declare(llvm::Function& function, bool is_body) {
  static const char* const names[] = {"gridDim", "blockDim", "blockIdx", "threadIdx"};
  IndexVariables variables(function);
  llvm::Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  llvm::IRBuilder<> b(first);
  for (unsigned group = 0; group < 4; ++group) {
    llvm::IRBuilder<> at_entry(&function.getEntryBlock(), function.getEntryBlock().begin());
    Value* memory = at_entry.CreateAlloca(llvm::ArrayType::get(b.getInt32Ty(), 3), nullptr, names[group]);
    for (unsigned axis = 0; axis < 3; ++axis)
      b.CreateStore(index_value(b, function, is_body, group, axis),
                    b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), memory, axis));
    variables.builder().insertDeclare(memory, variables.variable(names[group]), variables.builder().createExpression(),
                                      variables.location(), first);
  }
  variables.builder().finalize();
}

}  // namespace

void describe_thread_index(llvm::IRBuilderBase& b, llvm::ArrayRef<Value*> x_y_z) {
  llvm::Function& function = *b.GetInsertBlock()->getParent();
  if (!has_variables(function)) return;
  IndexVariables variables(function);
  llvm::DILocalVariable* variable = variables.variable("threadIdx");
  // Appends to the block, whose branch is created later.
  for (unsigned axis = 0; axis < 3; ++axis) {
    llvm::DIExpression* part =
        *llvm::DIExpression::createFragmentExpression(variables.builder().createExpression(), 32 * axis, 32);
    variables.builder().insertDbgValueIntrinsic(x_y_z[axis], variable, part, variables.location(), b.GetInsertBlock());
  }
  variables.builder().finalize();
}

void declare_debug_indices(DeviceModule& module) {
  if (!module.options.debug_variables) return;
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration() && has_variables(function)) declare(function, module.kernel_of(&function));
}

}  // namespace reprise_compiler::device
