"""Random programs: eager results are NumPy's, and those of a captured graph are bitwise the eager ones."""
import os
import random
import unittest

import numpy

import reprise as torch

PROGRAMS = 300
FIRST_SEED = int(os.environ.get("REPRISE_SEED", "1"))

# Each: what it does to tensors, and to arrays. Values stay between -10 and 10, so that rounding errors stay small.
UNARY = [
    (lambda x: x.tanh(), numpy.tanh),
    (lambda x: torch.sigmoid(x), lambda a: 1 / (1 + numpy.exp(-a))),
    (lambda x: x.relu(), lambda a: numpy.maximum(a, 0)),
    (lambda x: -x, lambda a: -a),
    (lambda x: x.sin(), numpy.sin),
    (lambda x: (x.abs() + 1).log(), lambda a: numpy.log(abs(a) + 1)),
    (lambda x: (x.abs() + 0.25).sqrt(), lambda a: numpy.sqrt(abs(a) + 0.25)),
    (lambda x: x.clamp(-1, 1).exp(), lambda a: numpy.exp(a.clip(-1, 1))),
    (lambda x: x.softmax(-1), lambda a: numpy.exp(a - a.max(-1, keepdims=True))
     / numpy.exp(a - a.max(-1, keepdims=True)).sum(-1, keepdims=True)),
    (lambda x: x.mean(0, keepdim=True).expand(x.shape) * 1.0, lambda a: numpy.broadcast_to(a.mean(0, keepdims=True), a.shape)),
    (lambda x: x.sum(-1, keepdim=True) / x.shape[-1] + x * 0, lambda a: a.sum(-1, keepdims=True) / a.shape[-1] + a * 0),
    (lambda x: x.t().contiguous().t(), lambda a: a),
    (lambda x: torch.cat([x[1:], x[:1]]), lambda a: numpy.concatenate([a[1:], a[:1]])),
    (lambda x: 3 - x * 0.5, lambda a: 3 - a * 0.5),
    (lambda x: x.reshape(-1).reshape(x.shape), lambda a: a),
]
BINARY = [
    (lambda x, y: (x + y) / 2, lambda a, b: (a + b) / 2),
    (lambda x, y: x - y * 0.25, lambda a, b: a - b * 0.25),
    (lambda x, y: x * y.tanh(), lambda a, b: a * numpy.tanh(b)),
    (lambda x, y: x / (y.abs() + 1), lambda a, b: a / (abs(b) + 1)),
    (lambda x, y: torch.maximum(x, y), numpy.maximum),
    (lambda x, y: torch.minimum(x, y), numpy.minimum),
    (lambda x, y: x @ (y.t() @ x).tanh() / x.shape[-1], lambda a, b: a @ numpy.tanh(b.T @ a) / a.shape[-1]),
    (lambda x, y: x + y[0], lambda a, b: a + b[0]),
    (lambda x, y: torch.where(x * 0 + 1 > 0, x, y), lambda a, b: a),
]


def random_program(choose):
    """Steps: (operation, arguments), which refer to earlier values."""
    steps, count = [], 3
    for _ in range(choose.randint(4, 10)):
        if choose.random() < 0.5:
            steps.append((choose.choice(UNARY), (choose.randrange(count),)))
        else:
            steps.append((choose.choice(BINARY), (choose.randrange(count), choose.randrange(count))))
        count += 1
    return steps


def run(steps, values, side):
    values = list(values)
    for operation, arguments in steps:
        values.append(operation[side](*(values[each] for each in arguments)))
    return values


class RandomProgramsTest(unittest.TestCase):
    def test_programs_agree_with_numpy_and_with_their_graphs(self):
        for seed in range(FIRST_SEED, FIRST_SEED + PROGRAMS):
            with self.subTest(seed=seed):
                choose, numbers = random.Random(seed), numpy.random.default_rng(seed)
                shape = (choose.randint(1, 9), choose.randint(1, 9))
                arrays = [numbers.uniform(-3, 3, shape).astype("float32") for _ in range(3)]
                steps = random_program(choose)
                expected = run(steps, [each.astype("float64") for each in arrays], 1)
                inputs = [torch.tensor(each) for each in arrays]
                eager = run(steps, inputs, 0)
                for ours, theirs in zip(eager, expected):
                    numpy.testing.assert_allclose(ours.numpy(), theirs, rtol=2e-3, atol=2e-4)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    captured = run(steps, inputs, 0)
                graph.replay()
                for ours, theirs in zip(captured, eager):
                    numpy.testing.assert_array_equal(ours.numpy(), theirs.numpy())

    def test_gradients_agree_with_differences(self):
        for seed in range(FIRST_SEED, FIRST_SEED + 20):
            with self.subTest(seed=seed):
                choose, numbers = random.Random(seed), numpy.random.default_rng(seed)
                array = numbers.uniform(-2, 2, (3, 4))
                smooth = [UNARY[each] for each in (0, 1, 4, 8, 13)]
                steps = [(choose.choice(smooth), (number,)) for number in range(4)]
                x = torch.tensor(array.astype("float32"), requires_grad=True)
                run(steps, [x], 0)[-1].pow(2).sum().backward()
                for place in ((0, 0), (2, 1), (1, 3)):
                    apart = numpy.zeros_like(array)
                    apart[place] = 1e-5
                    up, down = ((run(steps, [array + sign * apart], 1)[-1]**2).sum() for sign in (1, -1))
                    numpy.testing.assert_allclose(x.grad[place].item(), (up - down) / 2e-5, rtol=2e-3, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
