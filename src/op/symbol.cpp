#include "op/symbol.h"

#include "diagnose/refuse.h"
#include "kernel/registry.h"

namespace reprise_runtime::op {

using diagnose::refuse;

Result<Symbol> find_symbol(const void* symbol) {
  const kernel::Variable* variable = symbol ? kernel::find_variable(symbol) : nullptr;
  if (!variable) {
    const reprise_variable* managed = symbol ? kernel::find_managed_variable(symbol) : nullptr;
    if (managed) return Symbol{managed->address, managed->size};
  }
  void* address = variable ? variable->address() : nullptr;
  if (!address) return refuse(cudaErrorInvalidSymbol, "%p is not a __device__ or __constant__ variable", symbol);
  return Symbol{address, variable->size()};
}

cudaError_t check_part(const Symbol& variable, size_t bytes, size_t offset) {
  if (bytes == 0) return cudaSuccess;
  if (bytes <= variable.size && offset <= variable.size - bytes) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%zu bytes from offset %zu of a variable of %zu bytes", bytes, offset,
                variable.size);
}

}  // namespace reprise_runtime::op
