"""Activation checkpointing: less memory for computing the forward pass again during backward."""
from .. import _C


def checkpoint(function, *args, use_reentrant=None, **kwargs):
    """function(*args), whose intermediate results are not kept. Backward runs it again with the same random numbers."""
    places = [place for place, each in enumerate(args) if isinstance(each, _C.Tensor)]
    kinds = []

    def run(tensors):
        arguments = list(args)
        for place, tensor in zip(places, tensors):
            arguments[place] = tensor
        result = function(*arguments, **kwargs)
        kinds.append(isinstance(result, _C.Tensor))
        return [result] if kinds[0] else list(result)

    results = _C._checkpoint(run, [args[place] for place in places])
    return results[0] if kinds[0] else tuple(results)
