// REPRISE_DRAW=FOLDER: each executable graph is drawn there when it is instantiated, again at exit with the measured
// times of its nodes, and each update of it with what has changed.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include "base/handle.h"
#include "graph/define/graph.h"

namespace reprise_runtime::graph {

// Whether REPRISE_DRAW names a folder. Read once.
bool draws_graphs();

// The graph's mutex is held.
[[gnu::cold]] void draw_instantiated(Graph& graph, Handle exec);
[[gnu::cold]] void draw_update(Graph& graph, Handle exec, bool accepted);

}  // namespace reprise_runtime::graph
