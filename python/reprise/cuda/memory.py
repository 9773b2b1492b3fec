"""Statistics of the default pool of device memory, in bytes."""
from .. import _C


def _stats(device):
    _C._check_device(device)
    return _C._memory_stats()


def memory_stats(device=None):
    """All statistics, by PyTorch's names."""
    return _stats(device)


def memory_allocated(device=None):
    """Bytes in use by tensors."""
    return _stats(device)["allocated_bytes.all.current"]


def max_memory_allocated(device=None):
    return _stats(device)["allocated_bytes.all.peak"]


def memory_reserved(device=None):
    """Bytes taken from the device."""
    return _stats(device)["reserved_bytes.all.current"]


def max_memory_reserved(device=None):
    return _stats(device)["reserved_bytes.all.peak"]


def reset_peak_memory_stats(device=None):
    _C._check_device(device)
    _C._reset_peak_memory_stats()


def empty_cache():
    """Returns unused memory to the device."""
    _C._empty_cache()


def mem_get_info(device=None):
    """Free and total memory of the device."""
    _C._check_device(device)
    return _C._mem_get_info()
