// The limits of a launch, under the names of this layer.
#pragma once

#include "base/launch_limits.h"

namespace reprise_runtime::kernel {

using namespace launch_limits;

}  // namespace reprise_runtime::kernel
