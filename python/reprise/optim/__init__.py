"""Optimisers, as torch.optim. Their state is in device memory, so that steps can be captured."""
from .. import _C
from . import lr_scheduler


class _Group(dict):
    """A group of parameters. Setting its "lr" writes the rate on the device, for captured steps, too."""

    def __init__(self, optimizer, number, values):
        super().__init__(values)
        self._optimizer = optimizer
        self._number = number

    def __setitem__(self, key, value):
        if key == "lr":
            self._optimizer.set_learning_rate(float(value), self._number)
        elif key in self and key != "params" and value != self[key]:
            raise ValueError(f'param_groups[{self._number}]["{key}"] cannot be changed: the optimiser has read it')
        super().__setitem__(key, value)


class Optimizer:
    """The base of all optimisers."""

    def __init__(self, params, make, defaults):
        params = [params] if isinstance(params, dict) else list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(params[0], dict):
            params = [{"params": params}]
        groups = []
        for given in params:
            parameters = given["params"]
            parameters = [parameters] if isinstance(parameters, _C.Tensor) else list(parameters)
            for each in parameters:
                if not isinstance(each, _C.Tensor):
                    raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(each).__name__}")
                if not each.is_leaf:
                    raise ValueError("can't optimize a non-leaf Tensor")
            unknown = set(given) - set(defaults) - {"params"}
            other = [key for key in given if key not in ("params", "lr", "weight_decay") and given[key] != defaults.get(key)]
            if unknown or other:
                raise ValueError(f"a group of parameters may have its own lr and weight_decay, not {', '.join(other)}")
            groups.append({**defaults, **given, "params": parameters})
        self.defaults = defaults
        self._optimizer = make([(each["params"], each["lr"], each["weight_decay"]) for each in groups], **defaults)
        self.param_groups = [_Group(self._optimizer, number, each) for number, each in enumerate(groups)]

    def step(self, closure=None):
        """Updates the parameters that have gradients. It can be captured."""
        if closure is None:
            return self._optimizer.step()
        loss = closure()
        self._optimizer.step()
        return loss

    def zero_grad(self, set_to_none=True):
        """Drops the gradients, or fills them with zeros."""
        self._optimizer.zero_grad(set_to_none)

    def state_dict(self):
        """The state by name; it shares the memory of the optimiser."""
        return self._optimizer.state_dict()

    def load_state_dict(self, state_dict):
        """Copies a state into that of the optimiser, so that captured steps use it."""
        self._optimizer.load_state_dict(state_dict)


class SGD(Optimizer):
    """Stochastic gradient descent."""

    def __init__(self, params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, *, maximize=False,
                 foreach=None, fused=None):
        super().__init__(params, _C._SGD, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                               nesterov=nesterov, maximize=maximize))


class Adam(Optimizer):
    """Adam. `capturable` is accepted; every optimiser can be captured."""

    _make = _C._Adam

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False,
                 capturable=True, foreach=None, fused=None):
        if amsgrad:
            raise ValueError(f"{type(self).__name__}: amsgrad=True is not supported")
        super().__init__(params, self._make, dict(lr=lr, betas=tuple(betas), eps=eps, weight_decay=weight_decay,
                                                  maximize=maximize))


class AdamW(Adam):
    """Adam with decoupled weight decay."""

    _make = _C._AdamW

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, **options):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)
