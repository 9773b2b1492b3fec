"""The type of Tensor.shape."""


class Size(tuple):
    """The sizes of a tensor: a tuple of integers."""

    __slots__ = ()

    def numel(self):
        """The product of the sizes."""
        result = 1
        for size in self:
            result *= size
        return result

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __repr__(self):
        return "torch.Size([" + ", ".join(map(str, self)) + "])"
