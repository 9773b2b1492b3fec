"""Reprise's tensors with PyTorch's names.

    import reprise as torch

    x = torch.randn(4, 3, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x.relu().sum()
    graph.replay()
    print(y.item())

There is one device, "cuda", which is the CPU unless Reprise was built for a GPU. Every tensor is on it, whether a program
names a device or not.
"""
import builtins
import math

# `float` and `bool` are element types from here on, as in PyTorch.
from ._C import *
from ._C import Size, Tensor, device, dtype
from . import _C
from . import autograd, cuda, nn, optim, safetensors, utils
from .autograd import enable_grad, inference_mode, no_grad, set_grad_enabled
from .control_flow import cond, while_loop
from .serialization import load, save
from .amp import GradScaler

__version__ = "0.1.0"

inf, nan, pi, e = math.inf, math.nan, math.pi, math.e


def is_tensor(obj):
    """Whether `obj` is a tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input):
    """Whether the elements of a tensor are floating-point numbers."""
    return input.is_floating_point()


def get_default_dtype():
    """The type of tensors of floating-point numbers for which none is given: torch.float32."""
    return _C.float32


def get_default_device():
    """The device of all tensors."""
    return device("cuda", _C._current_device())


def set_default_device(device):
    """Accepts the device that all tensors are on."""
    _C._check_device(device)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements differ by at most atol + rtol * |other|."""
    apart = (input - other).abs()
    close = apart <= other.abs() * rtol + atol
    close = close.logical_or(input == other)
    if equal_nan:
        close = close.logical_or((input != input).logical_and(other != other))
    return builtins.bool(close.long().sum() == close.numel())


def equal(input, other):
    """Whether two tensors have the same size and the same elements."""
    return input.shape == other.shape and builtins.bool((input == other).long().sum() == input.numel())
