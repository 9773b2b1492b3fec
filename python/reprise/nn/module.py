"""Module: a tree of named parts with parameters and buffers."""
import collections
import itertools

from .. import _C
from .parameter import Buffer, Parameter


class Module:
    """The base of all layers and networks.

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(784, 128)

            def forward(self, x):
                return self.first(x).relu()

    Parameters keep their memory: an optimiser and a captured graph share it, and load_state_dict() writes into it.
    """

    training = True

    def __init__(self):
        set_attribute = super().__setattr__
        set_attribute("_parameters", {})
        set_attribute("_buffers", {})
        set_attribute("_modules", {})
        set_attribute("_not_saved", set())
        set_attribute("_forward_pre_hooks", {})
        set_attribute("_forward_hooks", {})
        set_attribute("training", True)

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        if not self._forward_pre_hooks and not self._forward_hooks:
            return self.forward(*args, **kwargs)
        for hook in list(self._forward_pre_hooks.values()):
            given = hook(self, args)
            if given is not None:
                args = given if isinstance(given, tuple) else (given,)
        result = self.forward(*args, **kwargs)
        for hook in list(self._forward_hooks.values()):
            given = hook(self, args, result)
            if given is not None:
                result = given
        return result

    def _fused_with(self, following):
        """One function for this module and the one that follows it in a Sequential, if there is one."""
        return None

    # Attributes that are parameters, buffers and modules are kept in dicts of their own.

    def __setattr__(self, name, value):
        tables = self.__dict__.get("_parameters"), self.__dict__.get("_buffers"), self.__dict__.get("_modules")
        if tables[0] is None:
            if isinstance(value, (Parameter, Module)):
                raise AttributeError(f"cannot assign {type(value).__name__} before Module.__init__() call")
            return super().__setattr__(name, value)
        parameters, buffers, modules = tables
        if isinstance(value, Parameter):
            self._forget(name)
            parameters[name] = value
        elif isinstance(value, Module):
            self._forget(name)
            modules[name] = value
        elif isinstance(value, Buffer):
            self._forget(name)
            self.register_buffer(name, value, value.persistent)
        elif name in parameters:
            if value is not None:
                raise TypeError(f"cannot assign '{type(value).__name__}' as parameter '{name}': it must be an "
                                "nn.Parameter or None")
            parameters[name] = None
        elif name in buffers and (value is None or isinstance(value, _C.Tensor)):
            buffers[name] = value
        elif name in modules and value is None:
            modules[name] = None
        else:
            self._forget(name)
            super().__setattr__(name, value)

    def _forget(self, name):
        for table in (self._parameters, self._buffers, self._modules, self.__dict__):
            table.pop(name, None)

    def __getattr__(self, name):
        for table in ("_parameters", "_buffers", "_modules"):
            found = self.__dict__.get(table)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                return
        super().__delattr__(name)

    def __dir__(self):
        return sorted({*super().__dir__(), *self._parameters, *self._buffers, *self._modules})

    def register_parameter(self, name, param):
        """Adds a parameter, or None in its place."""
        self._forget(name)
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a tensor that is saved with the state, if persistent, and not trained."""
        self._forget(name)
        self._buffers[name] = tensor
        (self._not_saved.discard if persistent else self._not_saved.add)(name)

    def add_module(self, name, module):
        """Adds a part."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._forget(name)
        self._modules[name] = module

    register_module = add_module

    def register_forward_pre_hook(self, hook):
        """Calls hook(module, args) before each forward(); what it returns replaces the arguments."""
        return _HookHandle(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook):
        """Calls hook(module, args, result) after each forward(); what it returns replaces the result."""
        return _HookHandle(self._forward_hooks, hook)

    # The tree.

    def named_modules(self, memo=None, prefix=""):
        memo = set() if memo is None else memo
        if self in memo:
            return
        memo.add(self)
        yield prefix, self
        for name, part in self._modules.items():
            if part is not None:
                yield from part.named_modules(memo, prefix + ("." if prefix else "") + name)

    def modules(self):
        return (module for _, module in self.named_modules())

    def named_children(self):
        return ((name, part) for name, part in self._modules.items() if part is not None)

    def children(self):
        return (part for _, part in self.named_children())

    def get_submodule(self, target):
        module = self
        for name in filter(None, target.split(".")):
            module = module._modules[name]
        return module

    def _named(self, table, prefix, recurse):
        """The tensors of a table by name; one that has several names appears once."""
        seen = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, tensor in getattr(module, table).items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    yield path + ("." if path else "") + name, tensor

    def named_parameters(self, prefix="", recurse=True):
        return self._named("_parameters", prefix, recurse)

    def parameters(self, recurse=True):
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True):
        return self._named("_buffers", prefix, recurse)

    def buffers(self, recurse=True):
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def apply(self, fn):
        """Calls fn with all parts, innermost first, then with this module."""
        for part in self.children():
            part.apply(fn)
        fn(self)
        return self

    # Modes, types, devices.

    def train(self, mode=True):
        for module in self.modules():
            module.training = mode
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad.zero_()

    def _convert(self, dtype):
        for tensor in itertools.chain(self.parameters(), self.buffers()):
            if tensor.is_floating_point() and tensor.dtype != dtype:
                tensor.grad = None
                tensor.data = tensor.detach().to(dtype)
        return self

    def to(self, *args, **kwargs):
        """Converts floating-point parameters to a type. All tensors are on the one device already."""
        for value in (*args, kwargs.get("device"), kwargs.get("dtype")):
            if isinstance(value, _C.dtype):
                self._convert(value)
            elif isinstance(value, _C.Tensor):
                self._convert(value.dtype)
            elif value is not None and not isinstance(value, bool):
                _C._check_device(value)
        return self

    def cuda(self, device=None):
        _C._check_device(device)
        return self

    def cpu(self):
        return self

    def float(self):
        return self._convert(_C.float32)

    def half(self):
        return self._convert(_C.float16)

    def bfloat16(self):
        return self._convert(_C.bfloat16)

    # State.

    def _named_state(self, prefix=""):
        for name, tensor in self._parameters.items():
            if tensor is not None:
                yield prefix + name, tensor
        for name, tensor in self._buffers.items():
            if tensor is not None and name not in self._not_saved:
                yield prefix + name, tensor
        for name, part in self.named_children():
            yield from part._named_state(prefix + name + ".")

    def state_dict(self):
        """Parameters and buffers by name. They share the memory of the module."""
        return collections.OrderedDict((name, tensor.detach()) for name, tensor in self._named_state())

    def load_state_dict(self, state_dict, strict=True):
        """Copies values into the parameters and buffers, which keep their memory."""
        own = dict(self._named_state())
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        wrong = [f"size mismatch for {name}: {tuple(state_dict[name].shape)} in the state, {tuple(tensor.shape)} here"
                 for name, tensor in own.items() if name in state_dict and state_dict[name].shape != tensor.shape]
        if strict:
            wrong += [f'missing "{name}"' for name in missing] + [f'unexpected "{name}"' for name in unexpected]
        if wrong:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(wrong))
        for name, tensor in own.items():
            if name in state_dict:
                tensor.detach().copy_(state_dict[name].detach())
        return _LoadedKeys(missing, unexpected)

    # Printing, as PyTorch does.

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        parts = [f"({name}): " + repr(part).replace("\n", "\n  ") for name, part in self._modules.items()]
        if not parts:
            return f"{type(self).__name__}({extra})"
        lines = ([extra] if extra else []) + parts
        return f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"


_LoadedKeys = collections.namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")


class _HookHandle:
    """Removes the hook that it was returned for."""

    def __init__(self, hooks, hook):
        self._hooks = hooks
        hooks[id(self)] = hook

    def remove(self):
        self._hooks.pop(id(self), None)


class Sequential(Module):
    """Runs modules one after another. A Linear followed by a ReLU or GELU runs as one operation with the same result."""

    def __init__(self, *parts):
        super().__init__()
        if len(parts) == 1 and isinstance(parts[0], dict):
            parts = parts[0].items()
        else:
            parts = ((str(number), part) for number, part in enumerate(parts))
        for name, part in parts:
            self.add_module(name, part)

    def forward(self, input):
        steps = list(self._modules.values())
        number = 0
        while number < len(steps):
            fused = steps[number]._fused_with(steps[number + 1]) if number + 1 < len(steps) else None
            input = (fused or steps[number])(input)
            number += 2 if fused else 1
        return input

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(dict(list(self._modules.items())[index]))
        return list(self._modules.values())[index]


class ModuleList(Module):
    """A list of modules, which are its parts."""

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ModuleList(list(self._modules.values())[index])
        return list(self._modules.values())[index]


class ModuleDict(Module):
    """A dict of modules, which are its parts."""

    def __init__(self, modules=()):
        super().__init__()
        for name, module in dict(modules).items():
            self.add_module(name, module)

    def __setitem__(self, name, module):
        self.add_module(name, module)

    def __getitem__(self, name):
        return self._modules[name]

    def __contains__(self, name):
        return name in self._modules

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()


class ParameterList(Module):
    """A list of parameters."""

    def __init__(self, parameters=()):
        super().__init__()
        for parameter in parameters:
            self.append(parameter)

    def append(self, parameter):
        self.register_parameter(str(len(self)), parameter if isinstance(parameter, Parameter) else Parameter(parameter))
        return self

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        return list(self._parameters.values())[index]
