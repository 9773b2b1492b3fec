"""Paddle's names for the same tensors and graphs.

    import reprise.paddle as paddle
    from reprise.paddle.device.cuda.graphs import CUDAGraph

    x = paddle.to_tensor([1.0])
    graph = CUDAGraph()
    graph.capture_begin()
    y = x + 10
    graph.capture_end()
    graph.replay()
    print(y.numpy())
"""
from .. import _C
from .._C import Tensor, arange, bfloat16, bool, float16, float32, full, int64, ones_like, zeros_like
from ..autograd import grad, no_grad
from .._C import manual_seed as seed
from . import device, distributed, flags, static
from .flags import get_flags, set_flags
from .operations import (abs, add, concat, divide, exp, log, matmul, maximum, mean, minimum, multiply, relu, sqrt, stack,
                         subtract, sum, tanh)
from .place import CPUPlace, CUDAPinnedPlace, CUDAPlace
from .types import dtype_named

__all__ = ["CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "Tensor", "device", "disable_static", "enable_static", "static",
           "to_tensor"]


def to_tensor(data, dtype=None, place=None, stop_gradient=True):
    """A tensor of numbers, nested lists or an array, which are copied."""
    _C._check_device(place)
    return _C.tensor(data, dtype=dtype_named(dtype), requires_grad=not stop_gradient)


def zeros(shape, dtype=None):
    return _C.zeros(shape, dtype=dtype_named(dtype))


def ones(shape, dtype=None):
    return _C.ones(shape, dtype=dtype_named(dtype))


def rand(shape, dtype=None):
    return _C.rand(shape, dtype=dtype_named(dtype))


def randn(shape, dtype=None):
    return _C.randn(shape, dtype=dtype_named(dtype))


def enable_static():
    """Accepted: paddle.static works beside dynamic programs."""


def disable_static():
    """Accepted, as enable_static()."""


def in_dynamic_mode():
    return True
