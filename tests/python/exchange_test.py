"""Arrays of NumPy and DLPack, both ways, with and without copying."""
import gc
import unittest
import weakref

import numpy

import reprise as torch


class NumPyTest(unittest.TestCase):
    def test_arrays_of_every_type_come_and_go(self):
        for dtype in ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"):
            a = numpy.array([[0, 1], [1, 0]], dtype=dtype)
            x = torch.tensor(a)
            self.assertEqual(x.dtype, getattr(torch, dtype))
            back = x.numpy()
            self.assertEqual(back.dtype, a.dtype)
            numpy.testing.assert_array_equal(back, a)
        with self.assertRaisesRegex(TypeError, "bfloat16"):
            torch.zeros(1, dtype=torch.bfloat16).numpy()

    def test_strides_of_an_array_are_followed(self):
        a = numpy.arange(12, dtype="float32").reshape(3, 4)
        for part in (a.T, a[::2], a[:, 1:3], a[::-1]):
            numpy.testing.assert_array_equal(torch.tensor(part).numpy(), part)
            numpy.testing.assert_array_equal(torch.from_numpy(part).numpy(), part)
        x = torch.tensor(a)
        numpy.testing.assert_array_equal(x.t().numpy(), a.T)

    def test_numpy_functions_take_tensors(self):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        self.assertEqual(numpy.asarray(x).shape, (2, 2))
        self.assertEqual(numpy.sum(x.numpy()), 10)
        self.assertEqual(numpy.asarray(x, dtype="float64").dtype, numpy.float64)

    def test_numpy_gives_a_copy(self):
        x = torch.zeros(2)
        array = x.numpy()
        x.fill_(1)
        self.assertEqual(array.tolist(), [0, 0])

    def test_from_numpy_shares_the_memory(self):
        a = numpy.zeros(3, dtype="float32")
        x = torch.from_numpy(a)
        x += 2
        torch.cuda.synchronize()
        self.assertEqual(a.tolist(), [2, 2, 2])
        a[1] = 7
        self.assertEqual(x.tolist(), [2, 7, 2])

    def test_shared_memory_is_copied_and_captured(self):
        a = numpy.arange(4, dtype="float32")
        x, y = torch.from_numpy(a), torch.zeros(4)
        y.copy_(x)
        self.assertEqual(y.tolist(), [0, 1, 2, 3])
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y.copy_(x)
            x.copy_(y * 2)
        del x
        for expected in ([0, 1, 2, 3], [0, 2, 4, 6]):
            graph.replay()
            self.assertEqual(y.tolist(), expected)
        torch.cuda.synchronize()
        self.assertEqual(a.tolist(), [0, 4, 8, 12])

    def test_the_array_lives_as_long_as_the_tensor_and_its_graphs(self):
        class Owner(numpy.ndarray):
            pass

        a = numpy.zeros(1000, dtype="float32").view(Owner)
        reference = weakref.ref(a)
        x = torch.from_numpy(a)
        del a
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = x + 1
        del x
        gc.collect()
        self.assertIsNotNone(reference())
        graph.replay()
        self.assertEqual(y[999].item(), 1)
        del y, graph
        gc.collect()
        self.assertIsNone(reference())


class DLPackTest(unittest.TestCase):
    def test_numpy_shares_the_memory_of_a_tensor(self):
        x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
        a = numpy.from_dlpack(x)
        self.assertEqual(a.tolist(), [[0, 1, 2], [3, 4, 5]])
        a[0, 0] = 9
        self.assertEqual(x[0, 0].item(), 9)
        self.assertEqual(numpy.from_dlpack(x.t()).strides, (4, 12))
        # The memory stays while the array does.
        del x
        torch.zeros(1000)
        self.assertEqual(a[0, 0], 9)

    def test_a_tensor_shares_the_memory_of_an_array(self):
        a = numpy.arange(4, dtype="int64")
        x = torch.from_dlpack(a)
        x.fill_(3)
        torch.cuda.synchronize()
        self.assertEqual(a.tolist(), [3, 3, 3, 3])
        y = torch.from_dlpack(x)
        y.zero_()
        self.assertEqual(x.tolist(), [0, 0, 0, 0])

    def test_a_tensor_with_gradients_is_not_exported(self):
        with self.assertRaisesRegex(BufferError, "detach"):
            numpy.from_dlpack(torch.zeros(1, requires_grad=True))

    def test_nothing_is_exported_during_a_capture(self):
        x = torch.zeros(1)
        graph = torch.cuda.CUDAGraph()
        with self.assertRaisesRegex(RuntimeError, "capturing"), torch.cuda.graph(graph):
            numpy.from_dlpack(x + 1)


if __name__ == "__main__":
    unittest.main()
