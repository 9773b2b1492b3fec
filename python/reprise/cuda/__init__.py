"""Streams, events, graphs and memory of the device, as torch.cuda."""
from .. import _C
from .._C import (CUDAGraph, Event, MemPool, OutOfMemoryError, Stream, current_stream, default_stream, graph_pool_handle,
                  is_current_stream_capturing, synchronize, use_mem_pool)
from . import graphs
from .graphs import explain, graph, make_graphed_callables
from .memory import (empty_cache, max_memory_allocated, max_memory_reserved, mem_get_info, memory_allocated,
                     memory_reserved, memory_stats, reset_peak_memory_stats)

__all__ = [
    "CUDAGraph", "CUDAGraphPool", "Event", "MemPool", "OutOfMemoryError", "Stream", "StreamContext", "current_device",
    "current_stream", "default_stream", "device_count", "empty_cache", "explain", "get_device_capability", "get_device_name", "get_device_properties",
    "graph", "graph_pool_handle", "graphs", "is_available", "is_current_stream_capturing", "make_graphed_callables",
    "manual_seed", "manual_seed_all", "max_memory_allocated", "max_memory_reserved", "mem_get_info", "memory_allocated",
    "memory_reserved", "memory_stats", "reset_peak_memory_stats", "set_device", "stream", "synchronize", "use_mem_pool",
]

StreamContext = _C._StreamScope


def stream(stream):
    """with torch.cuda.stream(s): work of this thread goes to `s`. None changes nothing."""
    return _C._StreamScope(stream)


def is_available():
    """Whether there is a device: always."""
    return device_count() > 0


def is_initialized():
    return True


def init():
    pass


def device_count():
    """The number of devices."""
    return _C._device_count()


def current_device():
    """The number of the device that tensors are on."""
    return _C._current_device()


def set_device(device):
    """Makes a device current."""
    _C._set_device(device if isinstance(device, int) else _C.device(device).index)


def _index(device):
    return current_device() if device is None else _C.device(device).index


def get_device_properties(device=None):
    """Name, memory and so on of a device."""
    import types

    return types.SimpleNamespace(**_C._device_properties(_index(device)))


def get_device_name(device=None):
    return get_device_properties(device).name


def get_device_capability(device=None):
    properties = get_device_properties(device)
    return properties.major, properties.minor


def manual_seed(seed):
    """Seeds the generator of the device, which is the default one."""
    _C.manual_seed(seed)


manual_seed_all = manual_seed


def CUDAGraphPool(device=None, size=None):
    """A pool for graphs, of `size` bytes that are reserved now and never exceeded."""
    _C._check_device(device)
    return MemPool() if size is None else MemPool(fixed_bytes=size)
