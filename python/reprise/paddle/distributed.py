"""Paddle's names for training with several processes, as far as one process goes."""


def get_rank():
    return 0


def get_world_size():
    return 1


class _Fleet:
    """One process: everything that fleet adds to it is nothing."""

    def init(self, role_maker=None, is_collective=False, strategy=None):
        if not is_collective:
            raise ValueError("fleet.init: only collective training is supported (is_collective=True), since there are no "
                             "parameter servers")

    def worker_num(self):
        return 1

    def worker_index(self):
        return 0

    def is_first_worker(self):
        return True

    def distributed_optimizer(self, optimizer, strategy=None):
        return optimizer

    def distributed_model(self, model):
        return model


fleet = _Fleet()


class DistributedStrategy:
    """Settings of fleet. None changes what one process computes."""
