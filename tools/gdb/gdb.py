"""For gdb: backtraces without the runtime's own frames.

    gdb -x PREFIX/share/reprise/gdb.py ./app

`bt` then shows the program's host and device functions; `bt -no-filters` shows all frames. `frame`, `up` and `down` are not
changed.
"""
import gdb
from gdb.FrameDecorator import FrameDecorator

# The runtime, what it is built from, and what the compiler puts around device code.
OWN_PREFIXES = ("reprise_runtime::", "boost::context", "__reprise_", "__device_stub__", "make_fcontext", "jump_fcontext",
                "start_thread", "__clone", "clone3", "__cudaPushCallConfiguration", "__cudaPopCallConfiguration")
# Functions that the device compiler makes of a kernel, before its mangled name.
GENERATED = ("thunk.", "shaped.", "by_shape.", "choose.", "fiber.")


def readable(name):
    """A kernel's name as its author wrote it."""
    for prefix in GENERATED:
        if name.startswith(prefix):
            name = name[len(prefix):]
    if not name.startswith("_Z"):
        return name
    try:
        return gdb.execute(f"demangle -- {name}", to_string=True).strip()
    except gdb.error:
        return name


def name_of(frame):
    """Of the function, also without debug information; "" if it is not known."""
    return frame.inferior_frame().name() or ""


def is_own(frame):
    name = name_of(frame)
    if any(name.startswith(prefix) for prefix in OWN_PREFIXES):
        return True
    # Entry points of the API stay: they tell how the program got here.
    library = gdb.solib_name(frame.inferior_frame().pc())
    return bool(library and "libreprise" in library and not name.startswith("cuda"))


def without_loops(frames):
    """Leaves out the loop over threads around a kernel whose own frame was there."""
    last = None
    for frame in frames:
        name = name_of(frame)
        kernel = readable(name).split("(")[0]
        if not (name.startswith(GENERATED) and kernel == last):
            yield frame
        last = kernel


class DeviceFrame(FrameDecorator):
    def function(self):
        name = name_of(self)
        return readable(name) if name.startswith(GENERATED) else super().function()


class RuntimeFrames:
    """Leaves out the runtime's frames, and names the kernels."""

    def __init__(self):
        self.name = "reprise"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (DeviceFrame(frame) for frame in without_loops(frames) if not is_own(frame))


RuntimeFrames()
