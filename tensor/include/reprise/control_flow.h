// Control flow that depends on values: decided by the host in eager work, and within a capture by the device, in each
// replay anew (conditional nodes).
//
//   Tensor y = cond(sum(x) > 0, [&] { return std::vector{x * 2}; }, [&] { return std::vector{-x}; })[0];
//   auto [i, s] = while_loop([](auto& v) { return v[0] < 10; }, [](auto& v) { return std::vector{v[0] + 1, v[1] * 2};
//   }, {i, s});
//
// Gradients go back through the branch that was taken. Through a loop they do in eager work; within a graph, where it
// is not known beforehand how often it runs, asking for them is an error. Random numbers may be drawn from the default
// generator: a branch or a loop has numbers of its own, which begin with the generator's next and are new in each
// iteration and each replay, and the same in eager work.
#pragma once

#include <reprise/tensor.h>

#include <functional>
#include <vector>

namespace reprise {

using Tensors = std::vector<Tensor>;

// What the branch gives that `predicate` (one element) chooses. Both must give tensors of the same sizes and types.
Tensors cond(const Tensor& predicate, const std::function<Tensors()>& if_true,
             const std::function<Tensors()>& if_false);

// As long as condition(values), which has one element, is not zero: values = body(values). The values keep sizes and
// types.
Tensors while_loop(const std::function<Tensor(const Tensors&)>& condition,
                   const std::function<Tensors(const Tensors&)>& body, const Tensors& values);

// The branch with number `index` (one element, i64); a number without a branch gives the last.
Tensors switch_case(const Tensor& index, const std::vector<std::function<Tensors()>>& branches);

}  // namespace reprise
