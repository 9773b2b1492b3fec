// The pool for eager allocations of this thread.
#pragma once

#include <memory>

#include "memory/pool.h"

namespace reprise {

// Null means the default pool. Set by UseMemPool.
std::shared_ptr<Pool>& mem_pool_route();

}  // namespace reprise
