"""Tensors that modules register when they become attributes."""
from .. import _C


class Parameter(_C.Tensor):
    """A tensor that is trained: as an attribute of a module it is one of its parameters()."""

    def __init__(self, data=None, requires_grad=True):
        super().__init__(_C.empty(0) if data is None else data.detach())
        if requires_grad:
            self.requires_grad_()

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = Parameter(self.detach().clone(), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        from ..serialization import _reduce_tensor

        return _reduce_tensor(self)


class Buffer(_C.Tensor):
    """A tensor that a module saves with its state and does not train."""

    def __init__(self, data, persistent=True):
        super().__init__(data)
        self.persistent = persistent
