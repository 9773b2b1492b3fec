"""Clipping of gradients."""
from .. import _C


def clip_grad_norm_(parameters, max_norm):
    """Scales all gradients so that their total norm is at most max_norm. Returns the norm before, on the device."""
    parameters = [parameters] if isinstance(parameters, _C.Tensor) else list(parameters)
    return _C._clip_grad_norm(parameters, max_norm)
