"""Element types by Paddle's names."""
from .. import _C


def dtype_named(dtype):
    """The type that "float32", numpy.float32 or a type itself names; None for None."""
    if dtype is None or isinstance(dtype, _C.dtype):
        return dtype
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))
    try:
        return getattr(_C.dtype, name)
    except AttributeError:
        raise TypeError(f'no tensor has elements of "{name}"; the types are '
                        + ", ".join(each.name for each in _C.dtype)) from None
