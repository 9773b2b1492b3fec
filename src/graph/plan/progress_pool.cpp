#include "graph/plan/progress_pool.h"

#include <vector>

#include "base/mutex.h"

namespace reprise_runtime::graph {
namespace {

struct ProgressPool {
  Mutex mutex;
  std::vector<exec::Progress*> unused REPRISE_GUARDED_BY(mutex);
};

ProgressPool& pool() {
  static ProgressPool* pool = new ProgressPool;
  return *pool;
}

}  // namespace

exec::Progress* take_progress() {
  ProgressPool& all = pool();
  {
    MutexLock lock(all.mutex);
    if (!all.unused.empty()) {
      exec::Progress* progress = all.unused.back();
      all.unused.pop_back();
      return progress;
    }
  }
  return new exec::Progress;
}

void give_back_progress(exec::Progress* progress) {
  ProgressPool& all = pool();
  MutexLock lock(all.mutex);
  all.unused.push_back(progress);
}

}  // namespace reprise_runtime::graph
