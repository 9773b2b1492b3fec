"""Learning-rate schedules. The device counts steps and computes rates, so that step() can be captured."""
from .. import _C


class LRScheduler:
    """Applies a schedule to an optimiser."""

    def __init__(self, optimizer, schedule):
        self.optimizer = optimizer
        self._scheduler = _C._LRScheduler(optimizer._optimizer, schedule)

    def step(self):
        self._scheduler.step()

    def get_last_lr(self):
        """The current rate of each group."""
        return [self.optimizer._optimizer.learning_rate(group).item() for group in range(len(self.optimizer.param_groups))]

    def state_dict(self):
        return self._scheduler.state_dict()

    def load_state_dict(self, state_dict):
        self._scheduler.load_state_dict(state_dict)


class StepLR(LRScheduler):
    """Multiplies the rate by gamma every step_size steps."""

    def __init__(self, optimizer, step_size, gamma=0.1):
        super().__init__(optimizer, _C._Schedule().decay_every(step_size, gamma))


class ExponentialLR(LRScheduler):
    """Multiplies the rate by gamma every step."""

    def __init__(self, optimizer, gamma):
        super().__init__(optimizer, _C._Schedule().decay_every(1, gamma))


class CosineAnnealingLR(LRScheduler):
    """Anneals the rate to eta_min over T_max steps along a cosine."""

    def __init__(self, optimizer, T_max, eta_min=0.0):
        super().__init__(optimizer, _C._Schedule().cosine(T_max, eta_min))
