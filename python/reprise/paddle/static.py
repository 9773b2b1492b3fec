"""Paddle's static programs: described once, run by an Executor.

Unlike in Paddle, feeds and fetches work in a captured run, and the first run may be captured.
"""
import contextlib

from .. import _C
from .types import dtype_named


class Variable:
    """A value in a program."""

    def __init__(self, variable, shape=None, dtype=None):
        self._variable = variable
        self._persistable = False
        self.shape = shape
        self.dtype = dtype

    @property
    def name(self):
        return self._variable.name

    @property
    def persistable(self):
        """Whether the scope keeps the variable under its name, at a fixed address."""
        return self._persistable

    @persistable.setter
    def persistable(self, value):
        self._variable.set_persistable(bool(value))
        self._persistable = bool(value)

    def __add__(self, other):
        return _binary(self, other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other):
        return _binary(self, other, lambda a, b: a - b)

    def __rsub__(self, other):
        return _binary(self, other, lambda a, b: b - a)

    def __mul__(self, other):
        return _binary(self, other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return _binary(self, other, lambda a, b: a / b)

    def __rtruediv__(self, other):
        return _binary(self, other, lambda a, b: b / a)

    def __matmul__(self, other):
        return apply(_C.matmul, self, other)

    def __neg__(self):
        return apply(_C.neg, self)

    def __repr__(self):
        return f"var {self.name} : shape({self.shape})"


def apply(function, *args, **kwargs):
    """The result of an operation on variables, tensors and numbers, as a variable of the same program."""
    places = [place for place, each in enumerate(args) if isinstance(each, Variable)]
    inputs = [args[place]._variable for place in places]

    def operation(tensors):
        arguments = list(args)
        for place, tensor in zip(places, tensors):
            arguments[place] = tensor
        return [function(*arguments, **kwargs)]

    return Variable(inputs[0].program.apply(operation, inputs)[0])


def _binary(a, b, function):
    return apply(function, a, b) if isinstance(b, (Variable, _C.Tensor, int, float)) else NotImplemented


class Program:
    """A sequence of operations."""

    def __init__(self, program=None):
        self._program = _C._Program() if program is None else program

    def global_block(self):
        return self

    def __eq__(self, other):
        return isinstance(other, Program) and self._program.id == other._program.id

    def __hash__(self):
        return self._program.id


def default_main_program():
    return Program(_C._default_main_program())


def default_startup_program():
    return Program(_C._default_startup_program())


@contextlib.contextmanager
def program_guard(main_program, startup_program=None):
    """with program_guard(main, startup): they are the default programs of this thread."""
    startup_program = startup_program or Program()
    guard = _C._ProgramGuard(main_program._program, startup_program._program)
    try:
        yield
    finally:
        del guard


def data(name, shape, dtype="float32", lod_level=0):
    """An input of the default main program."""
    dtype = dtype_named(dtype)
    sizes = [1 if size is None or size < 0 else size for size in shape]
    return Variable(_C._static_data(name, sizes, dtype), list(shape), dtype)


def create_parameter(shape, dtype="float32", name=None, default_initializer=None):
    """A parameter of the default main program, whose first value the default startup program computes."""
    initial = default_initializer or (lambda sizes: _C.zeros(*sizes))
    dtype = dtype_named(dtype)
    name = name or f"parameter_{len(_names)}"
    _names.append(name)
    return Variable(_C._create_parameter(name, list(shape), lambda sizes: initial(sizes).to(dtype)), list(shape), dtype)


_names = []


class _ScopeTensor:
    """The tensor that a scope has under a name at the time of a call."""

    def __init__(self, tensor):
        self._tensor = tensor

    def _copy_from(self, value, place=None):
        self._tensor.copy_from(value if isinstance(value, _C.Tensor) else _C.tensor(value))

    set = _copy_from

    def shape(self):
        return list(self._tensor.tensor().shape)

    def __array__(self, dtype=None, copy=None):
        return self._tensor.tensor().__array__(dtype)


class _ScopeVariable:
    def __init__(self, variable):
        self._variable = variable

    def get_tensor(self):
        return _ScopeTensor(self._variable.get_tensor())


class Scope:
    """Tensors by name, at addresses that stay the same while their sizes do."""

    def __init__(self, scope=None):
        self._scope = _C._Scope() if scope is None else scope

    def var(self, name):
        return _ScopeVariable(self._scope.var(name))

    def find_var(self, name):
        """The variable, or None."""
        return self.var(name) if self._scope.has(name) else None


def global_scope():
    return Scope(_C._global_scope())


class BuildStrategy:
    """How a program is built. What a capture needs holds always, so that it may only be confirmed."""

    def __init__(self):
        # Variables keep their tensors from run to run, and operations run in the order of the program.
        self._allow_cuda_graph_capture = True
        self._fix_op_run_order = True

    @property
    def allow_cuda_graph_capture(self):
        return self._allow_cuda_graph_capture

    @allow_cuda_graph_capture.setter
    def allow_cuda_graph_capture(self, value):
        # Without it Paddle may drop the scope's variables from time to time; here they stay in any case.
        self._allow_cuda_graph_capture = bool(value)

    @property
    def fix_op_run_order(self):
        return self._fix_op_run_order

    @fix_op_run_order.setter
    def fix_op_run_order(self, value):
        # A program's operations run in its order in any case.
        self._fix_op_run_order = bool(value)


class ExecutionStrategy:
    """How a program is run: by the thread that calls run()."""

    def __init__(self):
        self._num_threads = 1

    @property
    def num_threads(self):
        return self._num_threads

    @num_threads.setter
    def num_threads(self, value):
        if value != 1:
            raise ValueError(f"ExecutionStrategy.num_threads = {value}: a program runs on the thread that calls run(), so "
                             "that a capture in the mode \"thread_local\" sees all of it; kernels use every core")
        self._num_threads = value


class CompiledProgram:
    """A program with strategies."""

    def __init__(self, program, build_strategy=None):
        self._program = program._program
        self.build_strategy = build_strategy or BuildStrategy()


class Executor:
    """Runs programs: eagerly, or as part of a capture."""

    def __init__(self, place=None):
        self._executor = _C._Executor(0 if place is None else place.get_device_id(), -1)

    def run(self, program=None, feed=None, fetch_list=None, return_numpy=True):
        """Runs a program. `feed` is a dict of values by name, or a list of one such dict."""
        program = program or default_main_program()
        feed = _merged(feed)
        fetch = [each._variable if isinstance(each, Variable) else each for each in fetch_list or ()]
        for each in fetch:
            if isinstance(each, str):
                raise TypeError(f'fetching "{each}": a fetch is named by its variable')
        results = self._executor.run(program._program, feed, fetch)
        return [each.numpy() for each in results] if return_numpy and not _C.is_current_stream_capturing() else results

    def close(self):
        self._executor.reset()


def _merged(feed):
    if feed is None:
        return {}
    if isinstance(feed, (list, tuple)):
        if len(feed) > 1:
            raise ValueError(f"a feed for {len(feed)} devices: there is one")
        feed = feed[0] if feed else {}
    return {name: value if isinstance(value, _C.Tensor) else _C._tensor_outside_capture(value)
            for name, value in feed.items()}


class ParallelExecutor(Executor):
    """An Executor of one program on one device."""

    def __init__(self, use_cuda=True, loss_name=None, main_program=None, build_strategy=None, exec_strategy=None,
                 num_trainers=1, **kwargs):
        if num_trainers != 1:
            raise ValueError(f"ParallelExecutor(num_trainers={num_trainers}): there is one device in this process")
        super().__init__()
        self._main_program = main_program

    def run(self, fetch_list=None, feed=None, return_numpy=True):
        return super().run(self._main_program, feed, fetch_list, return_numpy)
