"""Gradient scaling for training in 16 bits."""
from . import _C


class GradScaler:
    """Scales losses so that small gradients do not underflow, and skips steps that overflow. It can be captured."""

    def __init__(self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._enabled = enabled
        self._scaler = _C._GradScaler(init_scale, growth_factor, backoff_factor, growth_interval)

    def scale(self, outputs):
        return self._scaler.scale(outputs) if self._enabled else outputs

    def unscale_(self, optimizer):
        if self._enabled:
            self._scaler.unscale_(optimizer._optimizer)

    def step(self, optimizer):
        if self._enabled:
            self._scaler.step(optimizer._optimizer)
        else:
            optimizer.step()

    def update(self):
        if self._enabled:
            self._scaler.update()

    def get_scale(self):
        return self._scaler.current_scale().item() if self._enabled else 1.0

    def state_dict(self):
        return self._scaler.state_dict()

    def load_state_dict(self, state):
        self._scaler.load_state_dict(state)
