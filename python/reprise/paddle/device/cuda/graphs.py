"""CUDAGraph with Paddle's constructor and method names."""
import os

from .... import _C


class CUDAGraph:
    """Work captured once and replayed any number of times.

    As in Paddle, results may be read before the first replay; their values are unspecified then.
    """

    def __init__(self, place=None, mode="thread_local"):
        if place is not None:
            _C._check_place(place.get_device_id())
        self._graph = _C.CUDAGraph()
        self._graph._set_mode(mode)

    def capture_begin(self):
        """Captures work submitted to the current stream until capture_end()."""
        self._graph.capture_begin()

    capture_start = capture_begin

    def capture_end(self):
        self._graph.capture_end()
        self._graph._mark_computed()

    def replay(self):
        self._graph.replay()

    def reset(self):
        """Destroys the captured graph and releases its memory pool."""
        self._graph.reset()

    def print_to_dot_files(self, dirname, flags=None):
        """Writes graph_<id>.dot into a directory."""
        os.makedirs(dirname, exist_ok=True)
        self._graph.debug_dump(os.path.join(dirname, f"graph_{self._graph.id}.dot"))

    @property
    def nodes(self):
        return self._graph.nodes


def is_cuda_graph_supported():
    return True
