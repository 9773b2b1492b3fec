#include "blocks/merged_blocks.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/thread_arguments.h"

namespace reprise_compiler::device {
namespace {

using namespace llvm::PatternMatch;

// blockIdx.x * blockDim.x
bool is_row_start(const llvm::Value* value, llvm::Function& body) {
  return match(value, m_c_Mul(m_Specific(thread_argument(body, ThreadArgument::block_index_x)),
                              m_Specific(thread_argument(body, ThreadArgument::block_x))));
}

bool is_global_index(const llvm::Value* value, llvm::Function& body) {
  const llvm::Value* start;
  return match(value, m_c_Add(m_Value(start), m_Specific(thread_argument(body, ThreadArgument::thread_index_x)))) &&
         is_row_start(start, body);
}

}  // namespace

bool can_merge_blocks(llvm::Function& body) {
  for (ThreadArgument other :
       {ThreadArgument::thread_number, ThreadArgument::lane, ThreadArgument::shared, ThreadArgument::launch})
    if (!thread_argument(body, other)->use_empty()) return false;
  auto in_global_index = [&](const llvm::User* user) { return is_global_index(user, body); };
  auto in_row_start = [&](const llvm::User* user) {
    return is_row_start(user, body) && llvm::all_of(user->users(), in_global_index);
  };
  return llvm::all_of(thread_argument(body, ThreadArgument::thread_index_x)->users(), in_global_index) &&
         llvm::all_of(thread_argument(body, ThreadArgument::block_index_x)->users(), in_row_start);
}

}  // namespace reprise_compiler::device
