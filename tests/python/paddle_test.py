"""Paddle's names beyond its documents' programs: what its settings do, and what is refused with the reason."""
import os
import tempfile
import unittest

import numpy

import reprise.paddle as paddle
from reprise.paddle import static
from reprise.paddle.device.cuda.graphs import CUDAGraph


class DynamicTest(unittest.TestCase):
    def test_tensors_of_arrays(self):
        x = paddle.to_tensor(numpy.array([1, 2], dtype="float32"), stop_gradient=False)
        (x * x).sum().backward()
        self.assertEqual(x.grad.numpy().tolist(), [2, 4])
        self.assertEqual(paddle.to_tensor([1, 2], dtype="float32").dtype, paddle.float32)
        with self.assertRaisesRegex(TypeError, "complex64"):
            paddle.to_tensor([1], dtype="complex64")

    def test_graphs_take_every_mode_and_name_their_place(self):
        for mode in ("global", "thread_local", "relaxed"):
            x = paddle.to_tensor([1.0])
            graph = CUDAGraph(paddle.CUDAPlace(0), mode)
            graph.capture_begin()
            y = x + 1
            graph.capture_end()
            graph.replay()
            self.assertEqual(y.numpy().tolist(), [2])
        with self.assertRaisesRegex(RuntimeError, "device 9"):
            CUDAGraph(paddle.CUDAPlace(9))
        with self.assertRaisesRegex(RuntimeError, "thread_local"):
            CUDAGraph(mode="local")

    def test_graphs_are_written_as_dot_files(self):
        x = paddle.to_tensor([1.0])
        graph = CUDAGraph()
        graph.capture_begin()
        y = x + 1
        graph.capture_end()
        with tempfile.TemporaryDirectory() as folder:
            graph.print_to_dot_files(folder)
            (name,) = os.listdir(folder)
            with open(os.path.join(folder, name)) as file:
                self.assertIn("digraph", file.read())
        del y


class StaticTest(unittest.TestCase):
    def program(self):
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x = static.data("x", [2], "float32")
            weight = static.create_parameter([2], name=f"w{id(main)}",
                                             default_initializer=lambda sizes: paddle.full(sizes, 3.0))
            y = paddle.relu(x * weight - 1)
        executor = static.Executor(paddle.CUDAPlace(0))
        executor.run(startup)
        return main, executor, y

    def test_feeds_and_fetches(self):
        main, executor, y = self.program()
        for value in ([1, -1], [2, 3]):
            (result,) = executor.run(main, feed={"x": numpy.array(value, dtype="float32")}, fetch_list=[y])
            self.assertEqual(result.tolist(), numpy.maximum(numpy.array(value) * 3 - 1, 0).tolist())
        with self.assertRaisesRegex(RuntimeError, "no data of that name"):
            executor.run(main, feed={"z": numpy.zeros(2, dtype="float32")})

    def test_feeds_and_fetches_work_in_a_captured_run(self):
        main, executor, y = self.program()
        graph = CUDAGraph()
        graph.capture_begin()
        (result,) = executor.run(main, feed={"x": numpy.array([1, 2], dtype="float32")}, fetch_list=[y])
        graph.capture_end()
        graph.replay()
        self.assertEqual(result.numpy().tolist(), [2, 5])

    def test_what_a_capture_needs_may_be_confirmed(self):
        build = static.BuildStrategy()
        build.allow_cuda_graph_capture = True
        build.fix_op_run_order = True
        self.assertTrue(build.allow_cuda_graph_capture and build.fix_op_run_order)
        execution = static.ExecutionStrategy()
        execution.num_threads = 1
        with self.assertRaisesRegex(ValueError, "thread that calls run"):
            execution.num_threads = 4
        paddle.set_flags({"FLAGS_sync_nccl_allreduce": 0, "FLAGS_allocator_strategy": "auto_growth"})
        self.assertEqual(paddle.get_flags("FLAGS_allocator_strategy"), {"FLAGS_allocator_strategy": "auto_growth"})
        with self.assertRaisesRegex(ValueError, "capture forbids"):
            paddle.set_flags({"FLAGS_sync_nccl_allreduce": 1})
        with self.assertRaisesRegex(ValueError, "not known"):
            paddle.set_flags({"FLAGS_unheard_of": 1})

    def test_a_parallel_executor_runs_its_program(self):
        main, _, y = self.program()
        executor = static.ParallelExecutor(main_program=main, build_strategy=static.BuildStrategy())
        (result,) = executor.run(fetch_list=[y], feed=[{"x": numpy.array([1, 1], dtype="float32")}])
        self.assertEqual(result.tolist(), [2, 2])
        with self.assertRaisesRegex(ValueError, "one device"):
            static.ParallelExecutor(main_program=main, num_trainers=2)
        paddle.distributed.fleet.init(is_collective=True)
        with self.assertRaisesRegex(ValueError, "parameter servers"):
            paddle.distributed.fleet.init()


if __name__ == "__main__":
    unittest.main()
