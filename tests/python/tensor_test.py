"""Tensors: creation, printing, operators, indexing, gradients, errors. Expectations are PyTorch's rules, or NumPy's values."""
import copy
import pickle
import sys
import unittest
import weakref

import numpy

import reprise as torch


def values(tensor):
    return tensor.tolist()


class CreationTest(unittest.TestCase):
    def test_types_follow_the_values(self):
        self.assertIs(torch.tensor([1, 2]).dtype, torch.int64)
        self.assertIs(torch.tensor([1, 2.5]).dtype, torch.float32)
        self.assertIs(torch.tensor([True, False]).dtype, torch.bool)
        self.assertIs(torch.tensor([1, 2], dtype=torch.float16).dtype, torch.float16)
        self.assertIs(torch.arange(3).dtype, torch.int64)
        self.assertIs(torch.arange(0, 1, 0.5).dtype, torch.float32)
        self.assertIs(torch.full((2,), 7).dtype, torch.int64)

    def test_nested_lists_keep_their_shape(self):
        x = torch.tensor([[[1, 2, 3], [4, 5, 6]]])
        self.assertEqual(x.shape, (1, 2, 3))
        self.assertEqual(values(x), [[[1, 2, 3], [4, 5, 6]]])
        self.assertEqual(torch.tensor(5).shape, ())
        self.assertEqual(torch.tensor([]).shape, (0,))
        self.assertEqual(torch.tensor([[], []]).shape, (2, 0))
        self.assertEqual(values(torch.tensor([numpy.float32(1.5), 2])), [1.5, 2.0])
        large = 2**53 + 1
        self.assertEqual(torch.tensor([large]).item(), large)

    def test_uneven_lists_are_refused(self):
        for uneven in ([[1, 2], [3]], [[1], 2], [1, [2]], [[], [1]]):
            with self.assertRaises(ValueError, msg=uneven):
                torch.tensor(uneven)
        with self.assertRaises(TypeError):
            torch.tensor(["a"])

    def test_sizes_are_given_one_by_one_or_together(self):
        for x in (torch.zeros(2, 3), torch.zeros((2, 3)), torch.zeros([2, 3]), torch.zeros(torch.Size((2, 3)))):
            self.assertEqual(x.shape, torch.Size([2, 3]))
        self.assertEqual(torch.zeros(()).shape, ())
        with self.assertRaises(TypeError):
            torch.zeros("2")

    def test_devices_are_names_of_the_one_device(self):
        for device in ("cuda", "cuda:0", 0, torch.device("cuda"), "cpu", None):
            self.assertEqual(torch.ones(1, device=device).device, torch.device("cuda:0"))
        with self.assertRaisesRegex(RuntimeError, "cuda:7"):
            torch.ones(1, device="cuda:7")
        with self.assertRaisesRegex(RuntimeError, "tpu"):
            torch.ones(1, device="tpu")

    def test_a_seed_repeats_the_numbers(self):
        torch.manual_seed(3)
        first = torch.randn(100).numpy()
        torch.manual_seed(3)
        numpy.testing.assert_array_equal(torch.randn(100).numpy(), first)


class PrintingTest(unittest.TestCase):
    def test_values_and_what_is_worth_knowing(self):
        cases = [
            (torch.tensor([1.0, 2.5]), "tensor([1.0000, 2.5000], device='cuda:0')"),
            (torch.tensor([1.0, -2.0]), "tensor([ 1., -2.], device='cuda:0')"),
            (torch.tensor([[1, 2], [3, 4]]), "tensor([[1, 2],\n        [3, 4]], device='cuda:0')"),
            (torch.tensor(True), "tensor(True, device='cuda:0')"),
            (torch.tensor([1.0], dtype=torch.float16), "tensor([1.], device='cuda:0', dtype=torch.float16)"),
            (torch.tensor([1.0], requires_grad=True), "tensor([1.], device='cuda:0', requires_grad=True)"),
            (torch.tensor([1.0], requires_grad=True) + 1, "tensor([2.], device='cuda:0', grad_fn=<AddBackward0>)"),
            (torch.zeros(0), "tensor([], device='cuda:0')"),
            (torch.zeros(0, 3), "tensor([], device='cuda:0', size=(0, 3))"),
            (torch.zeros(0, dtype=torch.int64), "tensor([], device='cuda:0', dtype=torch.int64)"),
        ]
        for x, text in cases:
            self.assertEqual(repr(x), text)

    def test_a_long_line_breaks_before_the_suffix(self):
        text = repr(torch.tensor([10000000 + number for number in range(7)]))
        self.assertEqual(text.splitlines()[-1], "       device='cuda:0')")

    def test_numbers_are_formatted(self):
        self.assertEqual(f"{torch.tensor(1.23456):.2f}", "1.23")
        self.assertEqual(str(torch.Size([2, 3])), "torch.Size([2, 3])")
        self.assertEqual(str(torch.float32), "torch.float32")
        self.assertEqual(repr(torch.device("cuda")), "device(type='cuda', index=0)")


class OperatorsTest(unittest.TestCase):
    def test_numbers_stand_on_both_sides(self):
        x = torch.tensor([1.0, 2.0, 4.0])
        self.assertEqual(values(x + 1), [2, 3, 5])
        self.assertEqual(values(1 + x), [2, 3, 5])
        self.assertEqual(values(1 - x), [0, -1, -3])
        self.assertEqual(values(2 * x), [2, 4, 8])
        self.assertEqual(values(4 / x), [4, 2, 1])
        self.assertEqual(values(x**2), [1, 4, 16])
        self.assertEqual(values(-x), [-1, -2, -4])
        self.assertEqual(values(x + numpy.float32(1)), [2, 3, 5])

    def test_comparisons_give_masks(self):
        x = torch.tensor([1.0, 2.0, 4.0])
        self.assertEqual(values(x > 1), [False, True, True])
        self.assertEqual(values((x > 1) & ~(x == 4)), [False, True, False])
        self.assertEqual(values((x < 2) | (x >= 4)), [True, False, True])
        self.assertIs(x == None, False)  # noqa: E711
        with self.assertRaisesRegex(TypeError, "bool"):
            x & x

    def test_in_place_operations_return_the_same_object(self):
        x = torch.zeros(3)
        before = x
        x += 2
        x *= torch.tensor([1.0, 2.0, 3.0])
        x -= 1
        x /= 2
        self.assertIs(x, before)
        self.assertIs(x.add_(0), x)
        self.assertEqual(values(x), [0.5, 1.5, 2.5])

    def test_an_ambiguous_truth_value_is_refused(self):
        self.assertTrue(torch.tensor(2))
        with self.assertRaisesRegex(RuntimeError, "ambiguous"):
            bool(torch.zeros(2))

    def test_methods_and_functions_agree_with_numpy(self):
        a = numpy.random.default_rng(1).standard_normal((4, 5)).astype("float32")
        x = torch.tensor(a)
        for ours, theirs in [(x.exp(), numpy.exp(a)), (torch.tanh(x), numpy.tanh(a)), (x.sum(0), a.sum(0)),
                             (x.mean(dim=1, keepdim=True), a.mean(1, keepdims=True)), (x @ x.T, a @ a.T),
                             (x.max(dim=1).values, a.max(1)), (x.max(1)[1], a.argmax(1)), (x.clamp(min=0), a.clip(0)),
                             (x.clamp(-0.5, 0.5), a.clip(-0.5, 0.5)), (torch.cat([x, x], 1), numpy.concatenate([a, a], 1)),
                             (x.reshape(2, -1), a.reshape(2, -1)), (x.permute(1, 0), a.T), (x.t(), a.T),
                             (x.abs().sqrt().sum(), numpy.sqrt(abs(a)).sum()),
                             (torch.where(x > 0, x, torch.zeros(1)), numpy.where(a > 0, a, 0))]:
            numpy.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-5, atol=1e-6)


class IndexingTest(unittest.TestCase):
    def test_parts_are_those_of_numpy(self):
        a = numpy.arange(60).reshape(3, 4, 5)
        x = torch.tensor(a)
        for index in (slice(None, None, 2), (0, slice(1, 4, 2)), [2, 0], [-1], 0, -1, (1, 2), (slice(None), 1), (..., 0), (slice(1, None), slice(None, 2)), None, (0, None, ...),
                      (slice(2, 1),), (slice(-2, None), ..., slice(1, 3)), ()):
            numpy.testing.assert_array_equal(x[index].numpy(), a[index], err_msg=str(index))
        self.assertEqual([row.shape for row in x], [(4, 5)] * 3)
        self.assertEqual(len(x), 3)

    def test_a_mask_selects(self):
        x = torch.tensor([[1.0, -2.0], [3.0, -4.0]])
        self.assertEqual(values(x[x > 0]), [1, 3])
        self.assertEqual(values(x[torch.tensor([1, 1, 0])]), [[3, -4], [3, -4], [1, -2]])

    def test_parts_can_be_written(self):
        a, x = numpy.zeros((3, 4)), torch.zeros(3, 4)
        a[1] = 5
        x[1] = 5
        a[:, 2] = [1, 2, 3]
        x[:, 2] = torch.tensor([1.0, 2.0, 3.0])
        a[0, 1:3] = -1
        x[0, 1:3] = -1
        numpy.testing.assert_array_equal(x.numpy(), a)
        x[x > 2] = 0
        a[a > 2] = 0
        numpy.testing.assert_array_equal(x.numpy(), a)

    def test_what_does_not_exist_is_an_index_error(self):
        x = torch.zeros(3, 4)
        for index in (3, -4, (0, 4), (0, 0, 0)):
            with self.assertRaises(IndexError, msg=index):
                x[index]
        with self.assertRaisesRegex(IndexError, "no dimension 2"):
            x.sum(2)
        with self.assertRaises(TypeError):
            x["a"]
        with self.assertRaises(TypeError):
            len(torch.tensor(1))


class GradientsTest(unittest.TestCase):
    def test_backward_fills_the_leaves(self):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        (x * x).sum().backward()
        self.assertEqual(values(x.grad), [2, 4, 6])
        x.grad = None
        self.assertIsNone(x.grad)

    def test_recording_can_be_turned_off(self):
        x = torch.ones(1, requires_grad=True)
        with torch.no_grad():
            self.assertFalse((x * 2).requires_grad)
            with torch.enable_grad():
                self.assertTrue((x * 2).requires_grad)

        @torch.no_grad()
        def function():
            return (x * 2).requires_grad

        self.assertFalse(function())
        self.assertTrue((x * 2).requires_grad)
        with self.assertRaises(ValueError), torch.no_grad():
            raise ValueError
        self.assertTrue(torch.is_grad_enabled())

    def test_grad_leaves_the_leaves_alone(self):
        x = torch.tensor(3.0, requires_grad=True)
        (first,) = torch.autograd.grad(x**3, x, create_graph=True)
        (second,) = torch.autograd.grad(first, x)
        self.assertEqual((first.item(), second.item(), x.grad), (27, 18, None))

    def test_a_function_has_a_gradient_of_its_own(self):
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(x)
                return x * factor

            @staticmethod
            def backward(ctx, gradient):
                (x,) = ctx.saved_tensors
                return gradient * x * 100, None

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = Double.apply(x, 2)
        self.assertEqual(values(y), [2, 4])
        y.sum().backward()
        self.assertEqual(values(x.grad), [100, 200])

    def test_an_exception_of_a_hook_arrives(self):
        x = torch.ones(1, requires_grad=True)

        def hook(gradient):
            raise KeyError("from the hook")

        x.register_hook(hook)
        with self.assertRaisesRegex(KeyError, "from the hook"):
            (x * 2).backward()

    def test_checkpoints_give_the_same_gradients(self):
        from reprise.utils.checkpoint import checkpoint

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        checkpoint(lambda y, factor: (y * y * factor), x, 3).sum().backward()
        self.assertEqual(values(x.grad), [6, 12])


class ErrorsTest(unittest.TestCase):
    def test_the_texts_are_those_of_cpp(self):
        with self.assertRaisesRegex(RuntimeError, r"\[2\] and \[3\] do not broadcast"):
            torch.zeros(2) + torch.zeros(3)
        with self.assertRaises(TypeError):
            torch.zeros(2) + "a"
        with self.assertRaises(TypeError):
            torch.zeros(2).sum(unknown=1)
        with self.assertRaisesRegex(ValueError, "min and max"):
            torch.zeros(2).clamp()
        with self.assertRaisesRegex(ValueError, "reduction"):
            torch.nn.functional.mse_loss(torch.zeros(2), torch.zeros(2), reduction="median")

    def test_too_large_a_tensor_is_out_of_memory(self):
        with self.assertRaises(torch.cuda.OutOfMemoryError):
            torch.empty(1 << 50)
        self.assertTrue(issubclass(torch.cuda.OutOfMemoryError, RuntimeError))


class ObjectsTest(unittest.TestCase):
    def test_tensors_are_pickled_with_their_values(self):
        for x in (torch.tensor([[1.0, 2.0]]), torch.tensor([1, 2]), torch.tensor([True]), torch.zeros(0, 2),
                  torch.tensor([1.5], dtype=torch.bfloat16), torch.tensor([2.0], requires_grad=True)):
            y = pickle.loads(pickle.dumps(x))
            self.assertEqual((values(y), y.dtype, y.shape, y.requires_grad), (values(x), x.dtype, x.shape, x.requires_grad))
        with self.assertRaisesRegex(RuntimeError, "detach"):
            pickle.dumps(torch.ones(1, requires_grad=True) * 2)

    def test_copies_are_apart(self):
        x = torch.tensor([1.0], requires_grad=True)
        y = copy.deepcopy(x)
        with torch.no_grad():
            y.add_(1)
        self.assertEqual((x.item(), y.item(), y.requires_grad), (1, 2, True))

    def test_objects_are_released_at_once(self):
        x = torch.zeros(1 << 20)
        before = torch.cuda.memory_allocated()
        reference = weakref.ref(x)
        del x
        self.assertIsNone(reference())
        self.assertLess(torch.cuda.memory_allocated(), before)

    def test_every_function_has_a_signature_to_show(self):
        self.assertIn("dim", torch.Tensor.sum.__doc__)
        self.assertIn("fill_value", torch.full.__doc__)
        self.assertGreater(len([name for name in dir(torch.Tensor) if not name.startswith("_")]), 80)
        self.assertNotIn("numpy.linalg", sys.modules.get("reprise").__dict__)


if __name__ == "__main__":
    unittest.main()
