// A copy of a graph for drawings: what each node is and does, as text.
#pragma once

#include "diagnose/drawing.h"
#include "graph/define/graph.h"

namespace reprise_runtime::graph {

// The graph's mutex is held.
diagnose::DrawnGraph drawn(Graph& graph);

}  // namespace reprise_runtime::graph
