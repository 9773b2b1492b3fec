"""Paddle's FLAGS_, with what each means here."""
import os

_ACCEPTED = {
    # Replays need fixed addresses, which every pool here keeps; both of Paddle's strategies are the same.
    "FLAGS_allocator_strategy": ("auto_growth", "naive_best_fit"),
    # No call of a collective waits for the stream.
    "FLAGS_sync_nccl_allreduce": (False, 0, "0", "False"),
    "FLAGS_cudnn_deterministic": (True, False, 0, 1, "0", "1"),
    "FLAGS_cudnn_exhaustive_search": (False, 0, "0"),
}
_REASONS = {
    "FLAGS_sync_nccl_allreduce": "it would wait for the stream after each all-reduce, which a capture forbids",
}
_values = {"FLAGS_allocator_strategy": "auto_growth", "FLAGS_sync_nccl_allreduce": False}


def set_flags(flags):
    """Sets flags. One that cannot be honoured is refused with the reason."""
    for name, value in flags.items():
        if name not in _ACCEPTED:
            raise ValueError(f"set_flags: {name} is not known; known are {', '.join(sorted(_ACCEPTED))}")
        if value not in _ACCEPTED[name]:
            reason = _REASONS.get(name, "it must be one of " + ", ".join(map(repr, _ACCEPTED[name])))
            raise ValueError(f"set_flags: {name}={value!r}: {reason}")
        _values[name] = value


def get_flags(flags):
    """The values of flags, as a dict."""
    names = [flags] if isinstance(flags, str) else flags
    return {name: _values.get(name, os.environ.get(name)) for name in names}
