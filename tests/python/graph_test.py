"""torch.cuda: streams, events, captured graphs, pools, graphed callables, threads, interrupts."""
import signal
import threading
import unittest
import warnings

import reprise as torch


class StreamsTest(unittest.TestCase):
    def test_a_scope_makes_a_stream_current(self):
        before = torch.cuda.current_stream()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            self.assertEqual(torch.cuda.current_stream(), stream)
            with torch.cuda.stream(None):
                self.assertEqual(torch.cuda.current_stream(), stream)
        self.assertEqual(torch.cuda.current_stream(), before)
        self.assertEqual(before, torch.cuda.default_stream())
        self.assertEqual(before.cuda_stream, 0)

    def test_a_stream_outlives_its_name_while_it_is_current(self):
        with torch.cuda.stream(torch.cuda.Stream()):
            x = torch.ones(1000).sum()
            self.assertFalse(torch.cuda.current_stream() == torch.cuda.default_stream())
        self.assertEqual(x.item(), 1000)

    def test_events_order_streams_and_measure_time(self):
        first, second = torch.cuda.Stream(), torch.cuda.Stream()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        with torch.cuda.stream(first):
            begin.record()
            x = torch.randn(200, 200)
            for _ in range(5):
                x = x @ x / 200
            done = first.record_event()
        second.wait_event(done)
        with torch.cuda.stream(second):
            y = x + 1
            end.record()
        end.synchronize()
        self.assertTrue(done.query())
        self.assertGreater(begin.elapsed_time(end), 0)
        with torch.cuda.stream(second):
            self.assertEqual((y - x).mean().item(), 1)
        with self.assertRaisesRegex(RuntimeError, "enable_timing"):
            done.elapsed_time(end)


class CUDAGraphTest(unittest.TestCase):
    def test_replays_follow_the_input(self):
        x = torch.zeros(3)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = x * 2 + 1
        for value in (1, 5):
            x.fill_(value)
            graph.replay()
            self.assertEqual(y.tolist(), [2 * value + 1] * 3)
        self.assertEqual(graph.replays, 2)

    def test_nothing_can_be_read_during_the_capture_or_before_a_replay(self):
        x = torch.zeros(3)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = x + 1
            for read in (y.sum().item, y.tolist, y.numpy, lambda: bool(y[0]), lambda: torch.tensor([1.0])):
                with self.assertRaisesRegex(RuntimeError, "capturing"):
                    read()
            self.assertEqual(repr(y), "tensor(..., device='cuda:0', size=(3,))")
            self.assertTrue(torch.cuda.is_current_stream_capturing())
        with self.assertRaisesRegex(RuntimeError, "replay"):
            y.tolist()
        graph.replay()
        self.assertEqual(y.tolist(), [1, 1, 1])

    def test_an_exception_discards_the_capture(self):
        x = torch.zeros(1)
        graph = torch.cuda.CUDAGraph()
        with self.assertRaisesRegex(ValueError, "mine"), torch.cuda.graph(graph):
            x.add_(1)
            raise ValueError("mine")
        self.assertFalse(torch.cuda.is_current_stream_capturing())
        with torch.cuda.graph(graph):
            y = x + 1
        graph.replay()
        self.assertEqual((x.item(), y.item()), (0, 1))

    def test_nodes_can_be_looked_at(self):
        x = torch.zeros(8)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = (x + 1).exp()
        kernels = [node for node in graph.nodes if node.kind == "kernel"]
        self.assertEqual(len(kernels), 2)
        self.assertEqual(kernels[1].dependencies, (kernels[0].index,))
        for node in kernels:
            self.assertTrue(node.name)
            self.assertGreaterEqual(node.grid[0] * node.block[0], 1)
        self.assertGreaterEqual(graph.memory_stats()["own_bytes"], 32)
        del y

    def test_graphs_share_a_pool(self):
        pool = torch.cuda.graph_pool_handle()
        x = torch.ones(1000)
        graphs = [torch.cuda.CUDAGraph() for _ in range(3)]
        outputs = []
        for graph in graphs:
            with torch.cuda.graph(graph, pool=pool):
                outputs.append((x * 2).sum())
        self.assertEqual({graph.pool() for graph in graphs}, {pool})
        for graph, output in zip(graphs, outputs):
            graph.replay()
            self.assertEqual(output.item(), 2000)

    def test_an_empty_graph_warns(self):
        graph = torch.cuda.CUDAGraph()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with torch.cuda.graph(graph):
                pass
        self.assertEqual(len(caught), 1)
        self.assertIn("is empty", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)

    def test_a_stream_and_a_mode_can_be_given(self):
        stream = torch.cuda.Stream()
        x = torch.ones(2)
        for mode in ("global", "thread_local", "relaxed"):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=stream, capture_error_mode=mode):
                self.assertEqual(torch.cuda.current_stream(), stream)
                y = x + 1
            graph.replay()
            self.assertEqual(y.tolist(), [2, 2])
        with self.assertRaisesRegex(RuntimeError, "unknown capture mode"):
            with torch.cuda.graph(torch.cuda.CUDAGraph(), capture_error_mode="none"):
                pass

    def test_a_failed_capture_is_explained(self):
        x = torch.zeros(4)
        other = torch.cuda.Stream()
        graph = torch.cuda.CUDAGraph()
        # The other stream joins the capture and does not come back.
        with self.assertRaises(RuntimeError), torch.cuda.graph(graph):
            other.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(other):
                y = x + 1
        text = torch.cuda.explain()
        self.assertIn("cudaErrorStreamCaptureUnjoined", text)
        self.assertIn("why: ", text)
        self.assertIn("instead: ", text)
        with torch.cuda.graph(graph):
            y = x + 1
        graph.replay()
        self.assertEqual(y.sum().item(), 4)

    def test_random_numbers_are_new_in_each_replay_and_follow_the_seed(self):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            x = torch.rand(4)
        drawn = []
        for _ in range(2):
            torch.manual_seed(5)
            graph.replay()
            drawn.append(x.tolist())
            graph.replay()
            drawn.append(x.tolist())
        self.assertEqual(drawn[:2], drawn[2:])
        self.assertNotEqual(drawn[0], drawn[1])
        torch.manual_seed(5)
        self.assertEqual(torch.rand(4).tolist(), drawn[0])

    def test_control_flow_is_decided_in_each_replay(self):
        x = torch.tensor(1.0)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = torch.cond(x > 0, lambda v: v * 10, lambda v: v - 1, (x,))
            (n,) = torch.while_loop(lambda v: v < 100, lambda v: v * 2, (x.abs(),))
        for value, expected, last in ((3.0, 30, 192), (-2.0, -3, 128)):
            x.fill_(value)
            graph.replay()
            self.assertEqual((y.item(), n.item()), (expected, last))

    def test_memory_is_counted(self):
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        x = torch.zeros(1 << 20)
        self.assertGreaterEqual(torch.cuda.memory_allocated() - before, 4 << 20)
        del x
        self.assertGreaterEqual(torch.cuda.max_memory_allocated() - before, 4 << 20)
        self.assertEqual(torch.cuda.memory_allocated(), before)
        free, total = torch.cuda.mem_get_info()
        self.assertGreater(total, free)

    def test_a_pool_serves_eager_work(self):
        pool = torch.cuda.MemPool()
        with torch.cuda.use_mem_pool(pool):
            x = torch.zeros(1 << 18)
        self.assertGreaterEqual(pool.memory_stats()["allocated_bytes.all.current"], 1 << 20)
        self.assertEqual(pool.device, torch.device("cuda:0"))
        del x
        small = torch.cuda.CUDAGraphPool(0, 1 << 20)
        graph = torch.cuda.CUDAGraph()
        with self.assertRaises(torch.cuda.OutOfMemoryError), torch.cuda.graph(graph, pool=small):
            torch.zeros(1 << 20)


class GraphedCallablesTest(unittest.TestCase):
    def train(self, model, inputs):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for x in inputs:
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()
        return [p.tolist() for p in model.parameters()]

    def test_a_graphed_module_trains_like_the_module(self):
        inputs = [torch.randn(8, 4) for _ in range(10)]
        torch.manual_seed(1)
        control = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
        torch.manual_seed(1)
        graphed = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
        graphed = torch.cuda.make_graphed_callables(graphed, (torch.randn(8, 4),))
        self.assertEqual(self.train(graphed, inputs), self.train(control, inputs))
        graphed.eval()
        self.assertEqual(graphed(torch.zeros(3, 4)).shape, (3, 2))

    def test_functions_have_nested_results(self):
        def function(a, pair):
            return {"sum": a + pair[0], "parts": (a * pair[1], a)}

        sample = (torch.ones(3, requires_grad=True), (torch.ones(3), torch.ones(3)))
        graphed = torch.cuda.make_graphed_callables(function, sample)
        a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        result = graphed(a, (torch.ones(3), torch.full((3,), 2.0)))
        self.assertEqual(result["sum"].tolist(), [2, 3, 4])
        self.assertEqual(result["parts"][0].tolist(), [2, 4, 6])
        result["parts"][0].sum().backward()
        self.assertEqual(a.grad.tolist(), [2, 2, 2])
        with self.assertRaisesRegex(RuntimeError, "other arguments"):
            graphed(a)


class ThreadsTest(unittest.TestCase):
    def test_threads_capture_and_replay_at_once(self):
        failures = []

        def work(number):
            try:
                with torch.cuda.stream(torch.cuda.Stream()):
                    x = torch.full((100,), float(number))
                    for round in range(5):
                        graph = torch.cuda.CUDAGraph()
                        with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
                            y = x * 2 + round
                        for _ in range(10):
                            graph.replay()
                        if y.tolist() != [2.0 * number + round] * 100:
                            failures.append((number, round))
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_other_threads_run_while_one_waits(self):
        x = torch.randn(512, 512) / 512
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        try:
            # The wait takes long enough that the counter cannot stand still but for a lock that is held.
            while True:
                for _ in range(20):
                    x = x @ x
                before = counted[0]
                torch.cuda.synchronize()
                if counted[0] > before:
                    break
        finally:
            done.set()
            thread.join()

    def test_an_interrupt_ends_a_loop_of_replays(self):
        x = torch.zeros(1)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            x += 1
        timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
        replays = 0
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            while True:
                graph.replay()
                torch.cuda.synchronize()
                replays += 1
        self.assertIn(x.item() - replays, (0, 1))


if __name__ == "__main__":
    unittest.main()
