"""Control flow that depends on values: eagerly the host decides, in a graph the device does in each replay."""
from . import _C


def _tensors(result):
    return [result] if isinstance(result, _C.Tensor) else list(result)


def cond(pred, true_fn, false_fn, operands=()):
    """true_fn(*operands) if `pred` (a tensor of one element) is true, otherwise false_fn(*operands)."""
    if not isinstance(pred, _C.Tensor):
        return (true_fn if pred else false_fn)(*operands)
    kinds = []

    def branch(function):
        def run():
            result = function(*operands)
            kinds.append(isinstance(result, _C.Tensor))
            return _tensors(result)

        return run

    results = _C._cond(pred, branch(true_fn), branch(false_fn))
    return results[0] if kinds[0] else tuple(results)


def while_loop(cond_fn, body_fn, carried_inputs):
    """Repeats values = body_fn(*values) while cond_fn(*values) is true."""
    return tuple(_C._while_loop(lambda values: cond_fn(*values), lambda values: _tensors(body_fn(*values)),
                                list(carried_inputs)))
