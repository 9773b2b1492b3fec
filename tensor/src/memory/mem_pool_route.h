// Where this thread's eager allocations go.
#pragma once

#include <memory>

#include "memory/pool.h"

namespace reprise {

// None: the common pool. Set by UseMemPool.
std::shared_ptr<Pool>& mem_pool_route();

}  // namespace reprise
