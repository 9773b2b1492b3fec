#include "ir/builtin.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <array>

namespace reprise_compiler::device {
namespace {

struct Entry {
  Builtin builtin;
  const char* name;
  const char* signature;  // result, then parameters: v void, i int, l 64-bit int, p pointer
};

constexpr std::array entries = {
    Entry{Builtin::grid_x, "__reprise_nctaid_x", "i"},
    Entry{Builtin::grid_y, "__reprise_nctaid_y", "i"},
    Entry{Builtin::grid_z, "__reprise_nctaid_z", "i"},
    Entry{Builtin::block_x, "__reprise_ntid_x", "i"},
    Entry{Builtin::block_y, "__reprise_ntid_y", "i"},
    Entry{Builtin::block_z, "__reprise_ntid_z", "i"},
    Entry{Builtin::block_index_x, "__reprise_ctaid_x", "i"},
    Entry{Builtin::block_index_y, "__reprise_ctaid_y", "i"},
    Entry{Builtin::block_index_z, "__reprise_ctaid_z", "i"},
    Entry{Builtin::thread_index_x, "__reprise_tid_x", "i"},
    Entry{Builtin::thread_index_y, "__reprise_tid_y", "i"},
    Entry{Builtin::thread_index_z, "__reprise_tid_z", "i"},
    Entry{Builtin::lane, "__reprise_laneid", "i"},
    Entry{Builtin::dynamic_shared_size, "__reprise_dynamic_smem_size", "i"},
    Entry{Builtin::is_global, "__reprise_is_global", "ip"},
    Entry{Builtin::is_shared, "__reprise_is_shared", "ip"},
    Entry{Builtin::is_constant, "__reprise_is_constant", "ip"},
    Entry{Builtin::is_local, "__reprise_is_local", "ip"},
    Entry{Builtin::is_parameter, "__reprise_is_parameter", "ip"},
    Entry{Builtin::region_end, "__reprise_region_end", "v"},
    Entry{Builtin::barrier, "__reprise_barrier", "v"},
    Entry{Builtin::named_barrier, "__reprise_named_barrier", "vii"},
    Entry{Builtin::barrier_arrive, "__reprise_barrier_arrive", "vii"},
    Entry{Builtin::barrier_reduce, "__reprise_barrier_reduce", "iii"},
    Entry{Builtin::grid_barrier, "__reprise_grid_barrier", "v"},
    Entry{Builtin::warp_sync, "__reprise_warp_sync", "vi"},
    Entry{Builtin::shuffle32, "__reprise_shfl32", "iiiiii"},
    Entry{Builtin::shuffle64, "__reprise_shfl64", "liilii"},
    Entry{Builtin::ballot, "__reprise_ballot", "iii"},
    Entry{Builtin::active_mask, "__reprise_activemask", "i"},
    Entry{Builtin::match_any32, "__reprise_match_any32", "iii"},
    Entry{Builtin::match_any64, "__reprise_match_any64", "iil"},
    Entry{Builtin::match_all32, "__reprise_match_all32", "iiip"},
    Entry{Builtin::match_all64, "__reprise_match_all64", "iilp"},
    Entry{Builtin::reduce32, "__reprise_reduce32", "iiii"},
    Entry{Builtin::spin, "__reprise_spin", "v"},
    Entry{Builtin::wait_start, "__reprise_wait_start", "v"},
    Entry{Builtin::wait, "__reprise_wait", "v"},
    Entry{Builtin::assert_fail, "__reprise_device_assert", "vppip"},
    Entry{Builtin::trigger_programmatic, "__reprise_device_trigger_programmatic", "v"},
    Entry{Builtin::grid_dependency_sync, "__reprise_device_grid_dependency_sync", "v"},
    Entry{Builtin::graph_launch, "__reprise_device_graph_launch", "ill"},
    Entry{Builtin::current_graph, "__reprise_device_current_graph", "l"},
};

llvm::Type* type_of(char letter, llvm::LLVMContext& context) {
  switch (letter) {
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    case 'p':
      return llvm::PointerType::get(context, 0);
    default:
      return llvm::Type::getVoidTy(context);
  }
}

}  // namespace

Builtin builtin_of(const llvm::Function* function) {
  if (!function || !function->getName().starts_with("__reprise_")) return Builtin::none;
  const auto* found = llvm::find_if(entries, [&](const Entry& entry) { return function->getName() == entry.name; });
  return found == entries.end() ? Builtin::none : found->builtin;
}

Builtin builtin_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? builtin_of(call->getCalledFunction()) : Builtin::none;
}

bool is_synchronization(Builtin builtin) { return is_block_level(builtin) || is_warp_level(builtin); }

bool is_block_level(Builtin builtin) { return Builtin::region_end <= builtin && builtin <= Builtin::grid_barrier; }

bool is_barrier(Builtin builtin) { return is_block_level(builtin) && builtin != Builtin::region_end; }

bool is_warp_level(Builtin builtin) { return Builtin::warp_sync <= builtin && builtin <= Builtin::reduce32; }

bool needs_fibers(Builtin builtin) { return builtin == Builtin::spin; }

bool is_index(Builtin builtin) { return Builtin::grid_x <= builtin && builtin <= Builtin::dynamic_shared_size; }

bool is_space_query(Builtin builtin) { return Builtin::is_global <= builtin && builtin <= Builtin::is_parameter; }

Builtin space_query(llvm::StringRef space) {
  return llvm::StringSwitch<Builtin>(space)
      .Case("global", Builtin::is_global)
      .Cases("shared", "shared::cta", "shared::cluster", "shared.cluster", Builtin::is_shared)
      .Case("const", Builtin::is_constant)
      .Case("local", Builtin::is_local)
      .Cases("param", "param::entry", Builtin::is_parameter)
      .Default(Builtin::none);
}

llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, Builtin builtin, llvm::ArrayRef<llvm::Value*> arguments) {
  const auto* entry = llvm::find_if(entries, [&](const Entry& e) { return e.builtin == builtin; });
  llvm::LLVMContext& context = builder.getContext();
  std::vector<llvm::Type*> types;
  for (const char* letter = entry->signature + 1; *letter; ++letter) types.push_back(type_of(*letter, context));
  auto* type = llvm::FunctionType::get(type_of(entry->signature[0], context), types, false);
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(entry->name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (is_index(builtin) || is_space_query(builtin)) {
    function->setMemoryEffects(llvm::MemoryEffects::none());
    function->addFnAttr(llvm::Attribute::WillReturn);
  }
  if (is_space_query(builtin)) function->addParamAttr(0, llvm::Attribute::NoCapture);
  if (is_synchronization(builtin)) function->addFnAttr(llvm::Attribute::Convergent);
  return builder.CreateCall(callee, arguments);
}

}  // namespace reprise_compiler::device
