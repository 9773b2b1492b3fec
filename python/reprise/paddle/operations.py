"""Operations on tensors and on variables of static programs, under Paddle's names."""
from .. import _C
from .static import Variable, apply


def _operation(name, function):
    def operation(x, *args, **kwargs):
        if isinstance(x, Variable) or any(isinstance(each, Variable) for each in args):
            return apply(function, x, *args, **kwargs)
        return function(x, *args, **kwargs)

    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"{name} of tensors or of variables of a static program."
    return operation


abs = _operation("abs", _C.abs)
add = _operation("add", _C.add)
divide = _operation("divide", _C.div)
exp = _operation("exp", _C.exp)
log = _operation("log", _C.log)
matmul = _operation("matmul", _C.matmul)
maximum = _operation("maximum", _C.maximum)
minimum = _operation("minimum", _C.minimum)
multiply = _operation("multiply", _C.mul)
relu = _operation("relu", _C.relu)
sqrt = _operation("sqrt", _C.sqrt)
subtract = _operation("subtract", _C.sub)
tanh = _operation("tanh", _C.tanh)


def sum(x, axis=None, keepdim=False):
    """The sum over all elements or over some dimensions."""
    return apply(_C.sum, x, axis, keepdim) if isinstance(x, Variable) else _C.sum(x, axis, keepdim)


def mean(x, axis=None, keepdim=False):
    """The mean over all elements or over some dimensions."""
    return apply(_C.mean, x, axis, keepdim) if isinstance(x, Variable) else _C.mean(x, axis, keepdim)


def concat(x, axis=0):
    """Tensors one after another."""
    return _C.cat(list(x), axis)


def stack(x, axis=0):
    """Tensors as slices of a new dimension."""
    return _C.stack(list(x), axis)
