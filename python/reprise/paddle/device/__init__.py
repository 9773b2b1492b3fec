"""Devices, as paddle.device."""
from ... import _C
from . import cuda


def set_device(device):
    """Accepts the device that tensors are on: "gpu", "gpu:0"."""
    _C._check_device(device)


def get_device():
    return f"gpu:{_C._current_device()}"


def is_compiled_with_cuda():
    return True
