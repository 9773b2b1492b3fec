#!/usr/bin/env python3
"""Writes data/pytorch_values.txt: values and gradients of PyTorch for pytorch_values_test.cpp, which has the same cases.

    python3 tests/tensor/record_pytorch_values.py      needs PyTorch

A line is a name, the values of the result and, after a bar, the gradient of the first input for a result weighted by a wave; no
bar if there is none.
"""
import math
import pathlib

import torch
import torch.nn.functional as F


def wave(sizes, frequency, amplitude=1.0, shift=0.0):
    count = math.prod(sizes)
    values = [amplitude * math.sin(frequency * i + 0.3) + shift for i in range(count)]
    return torch.tensor(values, dtype=torch.float64).to(torch.float32).reshape(sizes)


a, b = wave((3, 4), 0.71, 2), wave((3, 4), 0.37, 0.9, 1.5)
unit = wave((3, 4), 1.3, 0.45, 0.5)  # within (0, 1)
cube = wave((2, 3, 4), 0.53, 2)
image = wave((2, 4, 5, 6), 0.31, 2)
rows = torch.tensor([2, 0, 2, 1])
places = torch.tensor([[0, 2, 1, 0], [1, 1, 0, 2]])
classes = torch.tensor([3, 0, -100])
mask = wave((3, 4), 0.9) > 0
weight4, bias4 = wave((4,), 0.8, 0.5, 1), wave((4,), 0.6)

def with_waves(module):
    with torch.no_grad():
        for number, parameter in enumerate(module.parameters()):
            parameter.copy_(wave(tuple(parameter.shape), 0.37 + 0.11 * number, 0.5))
    return module


lstm = with_waves(torch.nn.LSTM(4, 3, num_layers=2))
gru = with_waves(torch.nn.GRU(4, 3, num_layers=2, batch_first=True))

CASES = {
    "tan": (lambda x: torch.tan(x * 0.5), a), "asin": (torch.asin, unit), "acos": (torch.acos, unit), "atan": (torch.atan, a),
    "sinh": (torch.sinh, a), "cosh": (torch.cosh, a), "log1p": (torch.log1p, b), "expm1": (torch.expm1, a), "erf": (torch.erf, a),
    "log2": (torch.log2, b), "log10": (torch.log10, b), "exp2": (torch.exp2, a), "rsqrt": (torch.rsqrt, b),
    "reciprocal": (torch.reciprocal, b), "square": (torch.square, a), "sign": (torch.sign, a), "floor": (torch.floor, a),
    "ceil": (torch.ceil, a), "round": (torch.round, a), "trunc": (torch.trunc, a),
    "remainder": (lambda x: torch.remainder(x, b), a), "fmod": (lambda x: torch.fmod(x, b), a),
    "remainder_number": (lambda x: torch.remainder(x, -0.7), a), "scalar_pow": (lambda x: 1.5 ** x, a),
    "clamp_min": (lambda x: torch.clamp_min(x, 0.2), a), "clamp_max": (lambda x: torch.clamp_max(x, 0.2), a),
    "masked_fill": (lambda x: x.masked_fill(mask, -7), a), "lerp": (lambda x: torch.lerp(x, b, 0.3), a),
    "addcmul": (lambda x: torch.addcmul(x, b, unit, value=0.5), a), "addcdiv": (lambda x: torch.addcdiv(x, unit, b, value=0.5), a),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), a), "silu": (F.silu, a), "mish": (F.mish, a),
    "softplus": (lambda x: F.softplus(x, 2, 1.5), a), "logsigmoid": (F.logsigmoid, a), "elu": (lambda x: F.elu(x, 0.7), a),
    "selu": (F.selu, a), "celu": (lambda x: F.celu(x, 0.7), a), "leaky_relu": (lambda x: F.leaky_relu(x, 0.1), a),
    "prelu": (lambda x: F.prelu(x, weight4), a), "relu6": (lambda x: F.relu6(x * 5), a), "hardtanh": (F.hardtanh, a),
    "hardsigmoid": (lambda x: F.hardsigmoid(x * 2), a), "hardswish": (lambda x: F.hardswish(x * 2), a), "softsign": (F.softsign, a),
    "tanhshrink": (F.tanhshrink, a), "threshold": (lambda x: F.threshold(x, 0.1, 20), a), "glu": (lambda x: F.glu(x, -1), a),
    "amax": (lambda x: torch.amax(x, (0, 2)), cube), "amin": (lambda x: torch.amin(x, (1,), True), cube),
    "prod": (lambda x: torch.prod(x, 1), cube), "prod_all": (lambda x: torch.prod(x * (x > 1.5)), a),
    "var": (lambda x: torch.var(x, (0, 2)), cube), "std": (lambda x: torch.std(x, 1, correction=0, keepdim=True), cube),
    "norm": (lambda x: torch.linalg.vector_norm(x, 2, (1,)), cube), "norm3": (lambda x: torch.linalg.vector_norm(x, 3), a),
    "norm_inf": (lambda x: torch.linalg.vector_norm(x, float("inf"), 1), a),
    "logsumexp": (lambda x: torch.logsumexp(x, (1, 2)), cube), "cumsum": (lambda x: torch.cumsum(x, 1), cube),
    "cumprod": (lambda x: torch.cumprod(x, 2), cube), "argmin": (lambda x: torch.argmin(x, 1).float(), cube),
    "any": (lambda x: torch.any(x > 1.9, 1).float(), cube), "all": (lambda x: torch.all(x > -1.9, 1).float(), cube),
    "sort": (lambda x: torch.sort(x, dim=1, descending=True, stable=True).values, cube),
    "argsort": (lambda x: torch.argsort(x, dim=0, stable=True).float(), a), "topk": (lambda x: torch.topk(x, 2, 1).values, a),
    "topk_indices": (lambda x: torch.topk(x, 3, 0, largest=False).indices.float(), a),
    "index_select": (lambda x: torch.index_select(x, 0, rows), a), "gather": (lambda x: torch.gather(x, 0, places), a),
    "scatter": (lambda x: torch.scatter(x, 1, torch.tensor([[3, 0], [1, 2]]), b), a),
    "scatter_add": (lambda x: torch.scatter_add(b, 0, places, x[:2]), a),
    "index_add": (lambda x: torch.index_add(b, 0, torch.tensor([1, 1, 0]), x), a),
    "index_put": (lambda x: torch.index_put(b, (torch.tensor([1, 2, 1]),), x, accumulate=True), a),
    "one_hot": (lambda x: F.one_hot(rows, 4).float(), a), "nonzero": (lambda x: torch.nonzero(x > 1).float(), a),
    "masked_select": (lambda x: torch.masked_select(x, mask), a),
    "flip": (lambda x: torch.flip(x, (0, 2)), cube), "roll": (lambda x: torch.roll(x, 3, 2), cube), "repeat": (lambda x: x.repeat(2, 1, 2), a),
    "repeat_interleave": (lambda x: torch.repeat_interleave(x, 2, 1), a), "tril": (lambda x: torch.tril(x, 1), cube),
    "triu": (lambda x: torch.triu(x, -1), cube), "movedim": (lambda x: torch.movedim(x, 0, 2), cube),
    "chunk": (lambda x: torch.chunk(x, 3, 2)[1], cube), "unbind": (lambda x: torch.unbind(x, 1)[2], cube),
    "slice": (lambda x: x[:, 1:-1, ::3], image), "pad": (lambda x: F.pad(x, (1, 2, -1, 1), value=3), cube),
    "pad_reflect": (lambda x: F.pad(x, (2, 1, 1, 2), mode="reflect"), cube), "pad_replicate": (lambda x: F.pad(x, (2, 1, 1, 2), mode="replicate"), cube),
    "bmm": (lambda x: torch.bmm(x, x.transpose(1, 2)), cube), "outer": (lambda x: torch.outer(x[0], b[1]), a),
    "addmm": (lambda x: torch.addmm(b[:, :3], x, b.t(), beta=0.5, alpha=2), a),
    "einsum_batch": (lambda x: torch.einsum("bij,bkj->bik", x, cube), cube), "einsum_three": (lambda x: torch.einsum("ij,kj,k->i", x, b, rows[:3].float()), a),
    "einsum_trace": (lambda x: torch.einsum("ii->i", x[:, :3]), a), "einsum_implicit": (lambda x: torch.einsum("ij,jk", x, b.t()), a),
    "adaptive_avg_pool2d": (lambda x: F.adaptive_avg_pool2d(x, (3, 4)), image),
    "interpolate_nearest": (lambda x: F.interpolate(x, (8, 4), mode="nearest"), image),
    "interpolate_bilinear": (lambda x: F.interpolate(x, (8, 4), mode="bilinear"), image),
    "interpolate_corners": (lambda x: F.interpolate(x, (8, 4), mode="bilinear", align_corners=True), image),
    "batch_norm": (lambda x: F.batch_norm(x, None, None, weight4, bias4, True), image),
    "batch_norm_eval": (lambda x: F.batch_norm(x, bias4, weight4, weight4, bias4, False), image),
    "group_norm": (lambda x: F.group_norm(x, 2, weight4, bias4), image), "rms_norm": (lambda x: F.rms_norm(x, (4,), weight4), a),
    "normalize": (lambda x: F.normalize(x, dim=1), a), "cosine_similarity": (lambda x: F.cosine_similarity(x, b, 1), a),
    "cross_entropy_options": (lambda x: F.cross_entropy(x, classes, weight=weight4, label_smoothing=0.2), a),
    "cross_entropy_none": (lambda x: F.cross_entropy(x, classes, reduction="none"), a),
    "cross_entropy_probabilities": (lambda x: F.cross_entropy(x, unit, label_smoothing=0.1), a),
    "nll_loss": (lambda x: F.nll_loss(x, classes, weight4), a), "l1_loss": (lambda x: F.l1_loss(x, b), a),
    "smooth_l1_loss": (lambda x: F.smooth_l1_loss(x, b, beta=0.5), a), "huber_loss": (lambda x: F.huber_loss(x, b, reduction="sum", delta=0.7), a),
    "bce": (lambda x: F.binary_cross_entropy(x, unit, b), unit), "bce_logits": (lambda x: F.binary_cross_entropy_with_logits(x, unit, b, pos_weight=weight4), a),
    "kl_div": (lambda x: F.kl_div(x, unit, reduction="sum"), a), "kl_div_log": (lambda x: F.kl_div(x, b, reduction="none", log_target=True), a),
    "mse_none": (lambda x: F.mse_loss(x, b, reduction="none"), a),
    "lstm": (lambda x: lstm(x)[0], cube), "lstm_cell": (lambda x: lstm(x)[1][1], cube), "gru": (lambda x: gru(x)[0], cube),
    "attention_mask": (lambda x: F.scaled_dot_product_attention(x, cube, cube, torch.ones(3, 3).tril(1).bool(), scale=0.3), cube),
    "attention_bias": (lambda x: F.scaled_dot_product_attention(x, cube, cube, a[:, :3]), cube),
    "attention_gqa": (lambda x: F.scaled_dot_product_attention(x[None], cube[None, :1], cube[None, 1:], enable_gqa=True)[0], cube),
}


def numbers(x):
    return " ".join(f"{value:.8g}" for value in x.detach().flatten().tolist())


def main():
    lines = []
    for name, (function, given) in CASES.items():
        x = given.clone().requires_grad_()
        y = function(x)
        line = f"{name} {numbers(y)}"
        if y.requires_grad:
            (gradient,) = torch.autograd.grad((y * wave(tuple(y.shape), 0.43)).sum(), x)
            line += f" | {numbers(gradient)}"
        lines.append(line)
    path = pathlib.Path(__file__).parent / "data" / "pytorch_values.txt"
    path.write_text(f"# PyTorch {torch.__version__.split('+')[0]}, written by record_pytorch_values.py\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
