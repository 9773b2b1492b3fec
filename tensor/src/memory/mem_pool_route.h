// Where this thread's eager allocations go.
#pragma once

#include "memory/pool.h"

#include <memory>

namespace reprise {

// None: the common pool. Set by UseMemPool.
std::shared_ptr<Pool>& mem_pool_route();

}  // namespace reprise
