#include "ir/builtin.h"

#include <llvm/ADT/STLExtras.h>

#include <array>

namespace reprise_compiler::device {
namespace {

struct Entry {
  Marker marker;
  const char* name;
  const char* signature;  // result, then parameters: v void, i int, l 64-bit int, p pointer
};

constexpr std::array entries = {
    Entry{Marker::grid_x, "__reprise_nctaid_x", "i"},
    Entry{Marker::grid_y, "__reprise_nctaid_y", "i"},
    Entry{Marker::grid_z, "__reprise_nctaid_z", "i"},
    Entry{Marker::block_x, "__reprise_ntid_x", "i"},
    Entry{Marker::block_y, "__reprise_ntid_y", "i"},
    Entry{Marker::block_z, "__reprise_ntid_z", "i"},
    Entry{Marker::block_index_x, "__reprise_ctaid_x", "i"},
    Entry{Marker::block_index_y, "__reprise_ctaid_y", "i"},
    Entry{Marker::block_index_z, "__reprise_ctaid_z", "i"},
    Entry{Marker::thread_index_x, "__reprise_tid_x", "i"},
    Entry{Marker::thread_index_y, "__reprise_tid_y", "i"},
    Entry{Marker::thread_index_z, "__reprise_tid_z", "i"},
    Entry{Marker::lane, "__reprise_laneid", "i"},
    Entry{Marker::dynamic_shared_size, "__reprise_dynamic_smem_size", "i"},
    Entry{Marker::end_of_turn, "__reprise_end_of_turn", "v"},
    Entry{Marker::barrier, "__reprise_barrier", "v"},
    Entry{Marker::named_barrier, "__reprise_named_barrier", "vii"},
    Entry{Marker::barrier_arrive, "__reprise_barrier_arrive", "vii"},
    Entry{Marker::barrier_reduce, "__reprise_barrier_reduce", "iii"},
    Entry{Marker::grid_barrier, "__reprise_grid_barrier", "v"},
    Entry{Marker::warp_sync, "__reprise_warp_sync", "vi"},
    Entry{Marker::shuffle32, "__reprise_shfl32", "iiiiii"},
    Entry{Marker::shuffle64, "__reprise_shfl64", "liilii"},
    Entry{Marker::ballot, "__reprise_ballot", "iii"},
    Entry{Marker::active_mask, "__reprise_activemask", "i"},
    Entry{Marker::match_any32, "__reprise_match_any32", "iii"},
    Entry{Marker::match_any64, "__reprise_match_any64", "iil"},
    Entry{Marker::match_all32, "__reprise_match_all32", "iiip"},
    Entry{Marker::match_all64, "__reprise_match_all64", "iilp"},
    Entry{Marker::reduce32, "__reprise_reduce32", "iiii"},
    Entry{Marker::spin, "__reprise_spin", "v"},
    Entry{Marker::assert_fail, "__reprise_device_assert", "vppip"},
    Entry{Marker::trigger_programmatic, "__reprise_device_trigger_programmatic", "v"},
    Entry{Marker::grid_dependency_sync, "__reprise_device_grid_dependency_sync", "v"},
    Entry{Marker::graph_launch, "__reprise_device_graph_launch", "ill"},
    Entry{Marker::current_graph, "__reprise_device_current_graph", "l"},
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

Marker marker_of(const llvm::Function* function) {
  if (!function || !function->getName().starts_with("__reprise_")) return Marker::none;
  const auto* found = llvm::find_if(entries, [&](const Entry& entry) { return function->getName() == entry.name; });
  return found == entries.end() ? Marker::none : found->marker;
}

Marker marker_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? marker_of(call->getCalledFunction()) : Marker::none;
}

bool is_synchronisation(Marker marker) { return is_block_level(marker) || is_warp_level(marker); }

bool is_block_level(Marker marker) { return Marker::end_of_turn <= marker && marker <= Marker::grid_barrier; }

bool is_barrier(Marker marker) { return is_block_level(marker) && marker != Marker::end_of_turn; }

bool is_warp_level(Marker marker) { return Marker::warp_sync <= marker && marker <= Marker::reduce32; }

bool needs_fibers(Marker marker) { return marker == Marker::spin; }

bool is_index(Marker marker) { return Marker::grid_x <= marker && marker <= Marker::dynamic_shared_size; }

llvm::CallInst* call_marker(llvm::IRBuilderBase& builder, Marker marker, llvm::ArrayRef<llvm::Value*> arguments) {
  const auto* entry = llvm::find_if(entries, [&](const Entry& e) { return e.marker == marker; });
  llvm::LLVMContext& context = builder.getContext();
  std::vector<llvm::Type*> types;
  for (const char* letter = entry->signature + 1; *letter; ++letter) types.push_back(type_of(*letter, context));
  auto* type = llvm::FunctionType::get(type_of(entry->signature[0], context), types, false);
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(entry->name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (is_index(marker)) function->setMemoryEffects(llvm::MemoryEffects::none());
  if (is_index(marker)) function->addFnAttr(llvm::Attribute::WillReturn);
  if (is_synchronisation(marker)) function->addFnAttr(llvm::Attribute::Convergent);
  return builder.CreateCall(callee, arguments);
}

}  // namespace reprise_compiler::device
