// Guesses the block shape that a kernel is launched with, from its shared memory and launch bounds.
//
//   __shared__ float tile[10][34]          32 x 8 threads, if it uses threadIdx.y
//   __shared__ float sums[2][512]     ->   512 threads
//   __launch_bounds__(128)                 128 threads
//
// blocks/specialise_block_shape.cpp uses the guess. A wrong guess costs code that never runs.
//
// Runs while shared variables still have their types.
#include <llvm/ADT/bit.h>
#include <llvm/IR/Instructions.h>

#include "ir/thread_arguments.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using Shape = std::array<uint32_t, 3>;
constexpr uint32_t max_threads_per_block = 1024, usual_threads = 256;

// The last two dimensions of an array; missing ones are 1.
std::array<uint64_t, 2> dimensions(const llvm::Type* type) {
  std::array<uint64_t, 2> sizes{1, 1};
  for (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type); array;
       array = llvm::dyn_cast<llvm::ArrayType>(array->getElementType()))
    sizes = {sizes[1], array->getNumElements()};
  return sizes;
}

bool uses(const Kernel& kernel, const llvm::GlobalVariable& variable) {
  std::vector<const llvm::User*> pending(variable.user_begin(), variable.user_end());
  while (!pending.empty()) {
    const llvm::User* user = pending.back();
    pending.pop_back();
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (instruction->getFunction() == kernel.body) return true;
    } else {
      pending.insert(pending.end(), user->user_begin(), user->user_end());
    }
  }
  return false;
}

// Number of threads along a dimension, without padding or border; 0 if the size does not suggest one.
uint32_t threads_across(uint64_t size) {
  const uint64_t threads = llvm::bit_floor(size);
  return threads >= 4 && threads <= 64 && size - threads <= 2 ? uint32_t(threads) : 0;
}

Shape flat_shape(const Kernel& kernel, llvm::ArrayRef<std::array<uint64_t, 2>> arrays) {
  uint32_t longest = 0;
  for (const auto& [rows, columns] : arrays)
    if (columns <= max_threads_per_block && columns % warp_size == 0) longest = std::max(longest, uint32_t(columns));
  if (longest > warp_size && (!kernel.max_threads || longest <= kernel.max_threads)) return {longest, 1, 1};
  return {kernel.max_threads ? kernel.max_threads : usual_threads, 1, 1};
}

Shape square_shape(llvm::ArrayRef<std::array<uint64_t, 2>> arrays) {
  for (const auto& [rows, columns] : arrays) {
    const uint32_t x = threads_across(columns), y = threads_across(rows);
    if (x && y && x * y <= max_threads_per_block) return {x, y, 1};
  }
  return {16, 16, 1};
}

Shape likely_shape(const DeviceModule& module, const Kernel& kernel) {
  std::vector<std::array<uint64_t, 2>> arrays;
  for (const llvm::GlobalVariable* variable : module.shared_variables())
    if (uses(kernel, *variable)) arrays.push_back(dimensions(variable->getValueType()));
  const bool is_flat = thread_argument(*kernel.body, ThreadArgument::thread_index_y)->use_empty();
  return is_flat ? flat_shape(kernel, arrays) : square_shape(arrays);
}

}  // namespace

void guess_block_shape(DeviceModule& module) {
  for (Kernel& kernel : module.kernels) kernel.likely_block = likely_shape(module, kernel);
}

}  // namespace reprise_compiler::device
