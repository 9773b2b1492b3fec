// Progress counters for what launches complete. Markers may be read for ever, so the counters that they point to are
// reused and never freed.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include "exec/progress.h"

namespace reprise_runtime::graph {

// It goes on counting from where its last owner stopped.
exec::Progress* take_progress();
void give_back_progress(exec::Progress* progress);

}  // namespace reprise_runtime::graph
