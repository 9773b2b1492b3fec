"""Loops of captures, replays and exchanges do not grow."""
import gc
import os
import sys
import unittest

import numpy

import reprise as torch

# The environment variable makes the long test of it.
ROUNDS = 100_000 if os.environ.get("REPRISE_LONG_TESTS") else 1_000


def resident():
    """Bytes of the process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class LeaksTest(unittest.TestCase):
    def check(self, work, rounds=ROUNDS, each=64):
        """After a warm-up, `rounds` calls leave no object, no device memory and less than `each` bytes per call."""
        for _ in range(max(rounds // 4, 50)):
            work()
        gc.collect()
        torch.cuda.synchronize()
        objects, device, memory = len(gc.get_objects()), torch.cuda.memory_allocated(), resident()
        blocks = sys.getallocatedblocks()
        for _ in range(rounds):
            work()
        gc.collect()
        torch.cuda.synchronize()
        self.assertEqual(torch.cuda.memory_allocated(), device)
        self.assertLess(len(gc.get_objects()) - objects, 50)
        self.assertLess(sys.getallocatedblocks() - blocks, 200)
        # The runtime remembers the latest 65,536 allocations, and the allocator keeps pages.
        self.assertLess(resident() - memory, rounds * each + (4 << 20))

    def test_captures_and_replays(self):
        x = torch.ones(16)

        def work():
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                y = (x * 2).sum()
            graph.replay()
            y.item()

        self.check(work)

    def test_replays(self):
        x = torch.ones(16)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = (x * 2).sum()
        self.check(graph.replay, 10 * ROUNDS, 4)
        self.assertEqual(y.item(), 32)

    def test_gradients_and_exceptions(self):
        x = torch.ones(4, requires_grad=True)

        def work():
            (x * x).sum().backward()
            x.grad = None
            try:
                x + torch.ones(3)
            except RuntimeError:
                pass

        self.check(work)

    def test_exchanges(self):
        array = numpy.ones(16, dtype="float32")

        def work():
            x = torch.from_numpy(array)
            numpy.from_dlpack(x)
            x.numpy()
            torch.tensor([1.0, 2.0])
            x.shape, x[0], x[1:3], x.tolist()

        self.check(work)

    def test_failed_captures(self):
        x = torch.ones(4)

        def work():
            try:
                with torch.cuda.graph(torch.cuda.CUDAGraph()):
                    (x + 1).item()
            except RuntimeError:
                pass

        self.check(work, ROUNDS // 2)


if __name__ == "__main__":
    unittest.main()
