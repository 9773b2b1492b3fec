// Control flow that depends on tensor values. Eagerly the host decides; in a graph the device decides in each replay
// (conditional nodes).
//
//   Tensor y = cond(sum(x) > 0, [&] { return std::vector{x * 2}; }, [&] { return std::vector{-x}; })[0];
//   auto [i, s] = while_loop([](auto& v) { return v[0] < 10; }, [](auto& v) { return std::vector{v[0] + 1, v[1] * 2};
//   }, {i, s});
//
// Gradients flow through the branch that was taken. A loop can be differentiated eagerly; in a graph, where its number
// of iterations is unknown, backward through it throws. Branches and loops may draw from the default generator only:
// each has its own sequence, seeded from the generator, new in each iteration and replay, and equal to that of eager
// work.
#pragma once

#include <reprise/tensor.h>

#include <functional>
#include <vector>

namespace reprise {

using Tensors = std::vector<Tensor>;

// Runs `if_true` if `predicate` (one element) is not zero, otherwise `if_false`. Both must return tensors of the same
// sizes and types.
Tensors cond(const Tensor& predicate, const std::function<Tensors()>& if_true,
             const std::function<Tensors()>& if_false);

// Repeats values = body(values) while condition(values) (one element) is not zero. Sizes and types must not change.
Tensors while_loop(const std::function<Tensor(const Tensors&)>& condition,
                   const std::function<Tensors(const Tensors&)>& body, const Tensors& values);

// Runs the branch with number `index` (one element, i64), or the last branch if the number is out of range.
Tensors switch_case(const Tensor& index, const std::vector<std::function<Tensors()>>& branches);

}  // namespace reprise
