"""Capturing and replaying graphs."""
import collections
import re
import threading
import warnings

from .. import _C
from .._C import CUDAGraph, graph_pool_handle, is_current_stream_capturing

__all__ = ["CUDAGraph", "GraphNode", "explain", "graph", "graph_pool_handle", "is_current_stream_capturing",
           "make_graphed_callables"]

GraphNode = collections.namedtuple("GraphNode", "index kind dependencies name grid block")
GraphNode.__doc__ = """A node of CUDAGraph.nodes: its number, its kind ("kernel", "memcpy", ...), the numbers of the nodes it
waits for and, of a kernel node, the kernel's name, its grid and its block."""


_C._set_warning_handler(lambda text: warnings.warn(text, UserWarning, stacklevel=3))


def explain():
    """Why the last capture failed: the call that it refused, the reason, and what to do instead. None if none failed."""
    entries = re.split(r"\n(?=\[)", _C._log())
    failed = [entry.strip() for entry in entries if "\n  why: " in entry]
    return failed[-1] if failed else None


_capture = threading.local()


class graph:
    """with torch.cuda.graph(g): captures the work of the scope into `g`.

    `pool` is that of another graph, or what graph_pool_handle() gives. If an exception leaves the scope, the capture is
    discarded.
    """

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="global"):
        self.cuda_graph = cuda_graph
        self.pool = pool
        self.capture_error_mode = capture_error_mode
        self._given_stream = stream
        self._stream = None

    def __enter__(self):
        stream = self._given_stream
        # The default stream cannot be captured. As in PyTorch, captures have a stream to share; each thread has its own.
        if stream is None and _C.current_stream() == _C.default_stream():
            if not hasattr(_capture, "stream"):
                _capture.stream = _C.Stream()
            stream = _capture.stream
        self._stream = None if stream is None else _C._StreamScope(stream)
        if self._stream:
            self._stream.__enter__()
        try:
            self.cuda_graph.capture_begin(self.pool, self.capture_error_mode)
        except BaseException:
            if self._stream:
                self._stream.__exit__()
            raise

    def __exit__(self, kind, exception, trace):
        try:
            if kind is not None:
                self.cuda_graph.capture_abort()
            else:
                try:
                    self.cuda_graph.capture_end()
                except BaseException:
                    self.cuda_graph.capture_abort()
                    raise
        finally:
            if self._stream:
                self._stream.__exit__()


def _flatten(value, tensors):
    """Replaces the tensors of nested tuples, lists and dicts by their numbers in `tensors`."""
    if isinstance(value, _C.Tensor):
        tensors.append(value)
        return len(tensors) - 1
    if isinstance(value, (tuple, list)):
        return type(value)(_flatten(each, tensors) for each in value)
    if isinstance(value, dict):
        return {key: _flatten(each, tensors) for key, each in value.items()}
    raise TypeError("make_graphed_callables: arguments and results are tensors, or tuples, lists and dicts of tensors, not "
                    f"{type(value).__name__}")


def _unflatten(layout, tensors):
    if isinstance(layout, int):
        return tensors[layout]
    if isinstance(layout, dict):
        return {key: _unflatten(each, tensors) for key, each in layout.items()}
    return type(layout)(_unflatten(each, tensors) for each in layout)


class _Flat:
    """A callable as a function of lists of tensors."""

    def __init__(self, function, arguments):
        self.function = function
        self.sample = []
        self.arguments = _flatten(tuple(arguments), self.sample)
        self.result = None

    def __call__(self, tensors):
        results = []
        self.result = _flatten(self.function(*_unflatten(self.arguments, tensors)), results)
        return results


def _graphed(flat, replay):
    def graphed(*arguments):
        tensors = []
        if _flatten(tuple(arguments), tensors) != flat.arguments:
            raise RuntimeError("a graphed callable is called with other arguments than the sample it was captured with")
        return _unflatten(flat.result, replay(tensors))

    return graphed


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """Functions and modules whose forward and backward passes are graphs.

    A module is changed in place: while its training mode is that of the capture, it replays the graphs. Functions are
    returned. With a tuple of callables, `sample_args` is a tuple of their arguments, and all graphs share a pool.
    """
    from .. import nn

    single = not isinstance(callables, tuple)
    if single:
        callables, sample_args = (callables,), (sample_args,)
    flats = []
    for each, arguments in zip(callables, sample_args, strict=True):
        is_module = isinstance(each, nn.Module)
        flats.append(_Flat(each.forward if is_module else each, arguments))
    parameters = [list(each.parameters()) if isinstance(each, nn.Module) else [] for each in callables]
    replays = _C._make_graphed_callables(list(zip(flats, parameters)), [flat.sample for flat in flats], num_warmup_iters,
                                         allow_unused_input, pool)
    results = []
    for each, flat, replay in zip(callables, flats, replays):
        function = _graphed(flat, replay)
        if isinstance(each, nn.Module):
            each.forward = _in_mode(each, function, each.forward)
            function = each
        results.append(function)
    return results[0] if single else tuple(results)


def _in_mode(module, graphed, eager):
    captured_in = module.training

    def forward(*arguments):
        return (graphed if module.training == captured_in else eager)(*arguments)

    return forward
