"""Gradients: backward(), grad(), Function, and the scopes that turn recording off and on."""
import functools

from .. import _C


class _GradMode:
    """A scope, or a decorator, in which operations are recorded for autograd or not."""

    def __init__(self, mode):
        self._mode = mode
        self._before = []

    def __enter__(self):
        self._before.append(_C.is_grad_enabled())
        _C._set_grad_enabled(self._mode)

    def __exit__(self, *exception):
        _C._set_grad_enabled(self._before.pop())

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self.__class__.__new__(self.__class__)._like(self):
                return function(*args, **kwargs)

        return wrapped

    def _like(self, other):
        self._mode = other._mode
        self._before = []
        return self


class no_grad(_GradMode):
    """with torch.no_grad(): or @torch.no_grad(): operations are not recorded."""

    def __new__(cls, function=None):
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()
        return made(function)

    def __init__(self, function=None):
        super().__init__(False)


class enable_grad(_GradMode):
    """with torch.enable_grad(): operations are recorded."""

    def __init__(self):
        super().__init__(True)


class inference_mode(_GradMode):
    """with torch.inference_mode(): as no_grad()."""

    def __init__(self, mode=True):
        super().__init__(not mode)


class set_grad_enabled(_GradMode):
    """Turns recording on or off, at once and as a scope."""

    def __init__(self, mode):
        super().__init__(bool(mode))
        self._before.append(_C.is_grad_enabled())
        _C._set_grad_enabled(self._mode)

    def __enter__(self):
        pass


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    """Accumulates the gradients of `tensors` in the leaves they were computed from."""
    _C._backward(tensors, grad_tensors, bool(create_graph if retain_graph is None else retain_graph), create_graph)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=False):
    """The gradients of `outputs` with respect to `inputs`; every .grad stays as it is."""
    return _C._grad(outputs, inputs, grad_outputs, bool(create_graph if retain_graph is None else retain_graph),
                    create_graph, allow_unused)


class _Context:
    """What a Function keeps between forward and backward."""

    def __init__(self, needs_input_grad):
        self.needs_input_grad = needs_input_grad
        self.saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors


class Function:
    """An operation with a gradient of its own: forward(ctx, ...) and backward(ctx, ...), both static."""

    @staticmethod
    def forward(ctx, *args):
        raise NotImplementedError("a Function must define forward(ctx, ...)")

    @staticmethod
    def backward(ctx, *gradients):
        raise NotImplementedError("a Function must define backward(ctx, ...)")

    @classmethod
    def apply(cls, *args):
        inputs = [each for each in args if isinstance(each, _C.Tensor)]
        context = _Context(tuple(isinstance(each, _C.Tensor) and each.requires_grad for each in args))
        with no_grad():
            result = cls.forward(context, *args)
        single = isinstance(result, _C.Tensor)
        outputs = [result] if single else list(result)

        def backward(gradients):
            given = cls.backward(context, *gradients)
            given = (given,) if given is None or isinstance(given, _C.Tensor) else tuple(given)
            if len(given) != len(args):
                raise RuntimeError(f"{cls.__name__}.backward returned {len(given)} gradients for {len(args)} arguments "
                                   "of forward")
            return [each for each, argument in zip(given, args) if isinstance(argument, _C.Tensor)]

        outputs = _C._custom_function(cls.__name__, inputs, outputs, backward)
        return outputs[0] if single else tuple(outputs)
