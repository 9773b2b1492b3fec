#include "graph/plan/blocking_copies.h"

#include "graph/plan/progress_pool.h"

namespace reprise_runtime::graph {

BlockingCopies::~BlockingCopies() {
  if (progress_) give_back_progress(progress_);
}

BlockingCopies::Launch BlockingCopies::begin_launch() {
  if (!progress_) {
    progress_ = take_progress();
    launches_ = progress_->completed();
  }
  return {{progress_, ++launches_}, count_};
}

void BlockingCopies::finish(const Launch& launch) noexcept {
  if (!launch.done.reached()) launch.done.progress->complete(launch.done.value);
}

}  // namespace reprise_runtime::graph
