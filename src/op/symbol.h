// Variables of device code, as the symbol calls name them.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "base/status.h"

namespace reprise_runtime::op {

struct Symbol {
  void* address = nullptr;
  size_t size = 0;
};

// cudaErrorInvalidSymbol if `symbol` names no variable.
Result<Symbol> find_symbol(const void* symbol);

// Checks that `bytes` from `offset` on lie in the variable.
cudaError_t check_part(const Symbol& variable, size_t bytes, size_t offset);

}  // namespace reprise_runtime::op
