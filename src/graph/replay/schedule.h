// Which thread is to run which steps, and in which order: a list for each, made ahead from what the steps take.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise_runtime::graph {

struct Schedule {
  std::vector<std::vector<uint32_t>> lists;  // of steps; together an order in which one thread could run them too
  double ns = 0;                             // what the whole takes if all goes well
};

// Steps 0, 1, ... depend only on earlier ones: those at dependencies[first[i]] up to first[i + 1]. Step i takes ns[i];
// what one thread has done, another knows `hand_over_ns` later. Of several steps that could run, those of the lowest
// number in `priorities` come first, if there are any numbers.
Schedule make_schedule(const std::vector<uint32_t>& first, const std::vector<uint32_t>& dependencies,
                       const std::vector<float>& ns, unsigned lists, double hand_over_ns,
                       const std::vector<int8_t>& priorities = {});

}  // namespace reprise_runtime::graph
