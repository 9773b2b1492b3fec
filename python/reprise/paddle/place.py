"""Paddle's names for devices."""


class CUDAPlace:
    """The device that tensors are on, by its number."""

    def __init__(self, device=0):
        self._device = device

    def get_device_id(self):
        return self._device

    def __repr__(self):
        return f"Place(gpu:{self._device})"


class CPUPlace:
    """Accepted where a place is named; tensors are on the one device."""

    def get_device_id(self):
        return 0

    def __repr__(self):
        return "Place(cpu)"


class CUDAPinnedPlace(CPUPlace):
    """As CPUPlace."""

    def __repr__(self):
        return "Place(gpu_pinned)"
