"""save() and load(): pickles of tensors and of containers of tensors."""
import collections
import copyreg
import pickle

from . import _C


def _rebuild_tensor(values, sizes, dtype, requires_grad):
    return _C._from_bytes(values, tuple(sizes), getattr(_C.dtype, dtype), requires_grad)


def _rebuild_parameter(values, sizes, dtype, requires_grad):
    from .nn import Parameter

    return Parameter(_rebuild_tensor(values, sizes, dtype, False), requires_grad)


def _reduce_tensor(tensor):
    from .nn import Parameter

    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError("pickling a tensor that was computed from tensors which require gradients: its history cannot be "
                           "saved; pickle its detach()")
    rebuild = _rebuild_parameter if isinstance(tensor, Parameter) else _rebuild_tensor
    return rebuild, (tensor._to_bytes(), tuple(tensor.shape), tensor.dtype.name, tensor.requires_grad)


copyreg.pickle(_C.Tensor, _reduce_tensor)

_SAFE = {
    ("reprise.serialization", "_rebuild_tensor"): _rebuild_tensor,
    ("reprise.serialization", "_rebuild_parameter"): _rebuild_parameter,
    ("collections", "OrderedDict"): collections.OrderedDict,
}


class _TensorUnpickler(pickle.Unpickler):
    """Makes tensors, numbers, strings and containers of them, and runs no other code."""

    def find_class(self, module, name):
        try:
            return _SAFE[module, name]
        except KeyError:
            raise pickle.UnpicklingError(
                f"load: the file needs {module}.{name}, and only tensors and containers of tensors are loaded by default. "
                "If you trust its author, pass weights_only=False") from None


def save(obj, f):
    """Writes `obj`, for example a state_dict(), to a path or a file."""
    if hasattr(f, "write"):
        pickle.dump(obj, f, protocol=4)
    else:
        with open(f, "wb") as file:
            pickle.dump(obj, file, protocol=4)


def load(f, map_location=None, *, weights_only=True):
    """Reads what save() wrote. Unless weights_only is false, a file can contain no code."""
    kind = _TensorUnpickler if weights_only else pickle.Unpickler
    if hasattr(f, "read"):
        return kind(f).load()
    with open(f, "rb") as file:
        return kind(file).load()
