"""Streams, events and memory, as paddle.device.cuda."""
from .... import cuda as _cuda
from ...._C import Event, Stream, current_stream, synchronize
from ....cuda import empty_cache, max_memory_allocated, max_memory_reserved, memory_allocated, memory_reserved
from . import graphs

device_count = _cuda.device_count


def stream_guard(stream):
    """with stream_guard(s): work of this thread goes to `s`."""
    return _cuda.stream(stream)
