// The attributes of a kernel: cudaFuncGetAttributes reads them, cudaFuncSetAttribute sets them.
#pragma once

#include <driver_types.h>

#include "kernel/function.h"

namespace reprise_runtime::kernel {

cudaFuncAttributes attributes_of(const Function& function);
[[nodiscard]] cudaError_t set_attribute(const Function& function, cudaFuncAttribute attribute, int value);

}  // namespace reprise_runtime::kernel
