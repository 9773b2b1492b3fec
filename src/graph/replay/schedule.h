// Static schedules: a list of steps for each thread, made from the steps' run times.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise_runtime::graph {

struct Schedule {
  std::vector<std::vector<uint32_t>> lists;  // of steps; merged by the time of placement they are a topological order
  double ns = 0;                             // predicted run time of the whole
};

// List scheduling by critical path. Step i depends on the earlier steps dependencies[first[i]] up to first[i + 1], and
// takes ns[i]. A thread sees what another has done after `hand_over_ns`. Of several ready steps, those of the lowest
// number in `priorities` come first, unless that is empty.
Schedule make_schedule(const std::vector<uint32_t>& first, const std::vector<uint32_t>& dependencies,
                       const std::vector<float>& ns, unsigned lists, double hand_over_ns,
                       const std::vector<int8_t>& priorities = {});

}  // namespace reprise_runtime::graph
