"""torch.nn, torch.optim, saving and loading. Expectations are PyTorch's rules or computed by NumPy."""
import io
import os
import pickle
import tempfile
import unittest

import numpy

import reprise as torch
from reprise import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.last = nn.Linear(4, 2, bias=False)
        self.register_buffer("count", torch.zeros(1))
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.last(self.first(x).relu()) * self.scale


class ModuleTest(unittest.TestCase):
    def test_attributes_are_registered(self):
        net = Net()
        names = [name for name, _ in net.named_parameters()]
        self.assertEqual(names, ["scale", "first.weight", "first.bias", "last.weight"])
        self.assertEqual([name for name, _ in net.named_buffers()], ["count"])
        self.assertEqual([name for name, _ in net.named_modules()], ["", "first", "last"])
        self.assertTrue(all(isinstance(each, nn.Parameter) and each.requires_grad for each in net.parameters()))
        net.last.weight = net.first.weight
        self.assertEqual(len(list(net.parameters())), 3)
        with self.assertRaises(TypeError):
            net.scale = torch.ones(2)
        with self.assertRaises(AttributeError):
            net.unknown

    def test_modules_print_as_in_pytorch(self):
        self.assertEqual(repr(nn.Sequential(nn.Linear(3, 4), nn.ReLU())),
                         "Sequential(\n  (0): Linear(in_features=3, out_features=4, bias=True)\n  (1): ReLU()\n)")
        self.assertEqual(repr(nn.Conv2d(3, 64, 3)), "Conv2d(3, 64, kernel_size=(3, 3), stride=(1, 1))")

    def test_layers_compute_what_they_say(self):
        x = torch.randn(5, 3)
        a = x.numpy()
        linear = nn.Linear(3, 4)
        expected = a @ linear.weight.numpy().T + linear.bias.numpy()
        numpy.testing.assert_allclose(linear(x).numpy(), expected, rtol=1e-5, atol=1e-6)
        for second, function in ((nn.ReLU(), lambda y: numpy.maximum(y, 0)), (nn.Tanh(), numpy.tanh)):
            numpy.testing.assert_allclose(nn.Sequential(linear, second)(x).numpy(), function(expected), rtol=1e-5,
                                          atol=1e-6)
        norm = nn.LayerNorm(3)
        centred = a - a.mean(1, keepdims=True)
        numpy.testing.assert_allclose(norm(x).numpy(), centred / numpy.sqrt(centred.var(1, keepdims=True) + 1e-5),
                                      rtol=1e-4, atol=1e-5)
        table = nn.Embedding(7, 3)
        numpy.testing.assert_array_equal(table(torch.tensor([6, 0])).numpy(), table.weight.numpy()[[6, 0]])
        self.assertEqual(nn.Flatten()(torch.zeros(2, 3, 4)).shape, (2, 12))
        dropout = nn.Dropout(0.5).eval()
        numpy.testing.assert_array_equal(dropout(x).numpy(), a)

    def test_convolutions_have_sides_and_groups_of_their_own(self):
        layer = nn.Conv2d(4, 6, (1, 3), stride=(2, 1), padding=(0, 1), groups=2)
        self.assertEqual(layer.weight.shape, (6, 2, 1, 3))
        x = torch.randn(2, 4, 5, 7)
        a, weight = numpy.pad(x.numpy(), ((0, 0), (0, 0), (0, 0), (1, 1)))[:, :, ::2], layer.weight.numpy()
        expected = numpy.zeros((2, 6, 3, 7))
        for group in range(2):
            part, kernels = a[:, 2 * group:2 * group + 2], weight[3 * group:3 * group + 3, :, 0]
            for j in range(3):
                expected[:, 3 * group:3 * group + 3] += numpy.einsum("nchw,oc->nohw", part[..., j:j + 7], kernels[..., j])
        expected += layer.bias.numpy()[None, :, None, None]
        numpy.testing.assert_allclose(layer(x).numpy(), expected, rtol=1e-4, atol=1e-5)

    def test_hooks_see_and_replace(self):
        layer = nn.Identity()
        before = layer.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
        after = layer.register_forward_hook(lambda module, args, result: result * 10)
        self.assertEqual(layer(torch.tensor(1.0)).item(), 20)
        before.remove()
        after.remove()
        self.assertEqual(layer(torch.tensor(1.0)).item(), 1)

    def test_a_derived_layer_in_a_sequence_keeps_its_forward(self):
        class Doubled(nn.Linear):
            def forward(self, x):
                return super().forward(x) * 2

        layer = Doubled(2, 2)
        x = torch.ones(1, 2)
        self.assertEqual(nn.Sequential(layer, nn.ReLU())(x).tolist(), layer(x).relu().tolist())

    def test_the_seed_draws_the_same_parameters(self):
        torch.manual_seed(7)
        first = nn.Linear(10, 10).weight.tolist()
        torch.manual_seed(7)
        self.assertEqual(nn.Linear(10, 10).weight.tolist(), first)
        self.assertLessEqual(max(abs(each) for row in first for each in row), 10**-0.5)

    def test_types_are_converted_in_place(self):
        net = Net().half()
        self.assertEqual({each.dtype for each in net.parameters()}, {torch.float16})
        self.assertIs(net.to("cuda"), net)
        self.assertEqual(net.to(torch.float32)(torch.ones(1, 3)).dtype, torch.float32)


class StateTest(unittest.TestCase):
    def test_a_state_is_copied_into_the_parameters(self):
        source, target = Net(), Net()
        address = target.first.weight.data_ptr()
        target.load_state_dict(source.state_dict())
        self.assertEqual(target.first.weight.data_ptr(), address)
        x = torch.randn(2, 3)
        self.assertEqual(target(x).tolist(), source(x).tolist())

    def test_a_wrong_state_is_refused_and_changes_nothing(self):
        net = Net()
        before = net.scale.tolist()
        state = {name: torch.zeros_like(value) for name, value in net.state_dict().items()}
        del state["count"]
        state["more"] = torch.zeros(1)
        with self.assertRaisesRegex(RuntimeError, '(?s)missing "count".*unexpected "more"'):
            net.load_state_dict(state)
        self.assertEqual(net.scale.tolist(), before)
        state["last.weight"] = torch.zeros(9)
        with self.assertRaisesRegex(RuntimeError, "size mismatch for last.weight"):
            net.load_state_dict(state, strict=False)

    def test_states_are_saved_and_loaded(self):
        net = Net()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.pt")
            torch.save({"net": net.state_dict(), "step": 3}, path)
            loaded = torch.load(path)
        self.assertEqual(loaded["step"], 3)
        self.assertEqual(loaded["net"]["first.weight"].tolist(), net.first.weight.tolist())

    def test_safetensors_are_written_and_read(self):
        net = Net()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.safetensors")
            torch.safetensors.save_file(net.state_dict(), path, {"format": "pt"})
            loaded = torch.safetensors.load_file(path, device="cuda")
            self.assertEqual(torch.safetensors.load_metadata(path), {"format": "pt"})
        self.assertEqual({name: value.tolist() for name, value in loaded.items()},
                         {name: value.tolist() for name, value in net.state_dict().items()})
        with self.assertRaisesRegex(RuntimeError, "missing.safetensors"):
            torch.safetensors.load_file("missing.safetensors")

    def test_a_file_with_code_is_refused(self):
        class Trap:
            def __reduce__(self):
                return os.getcwd, ()

        with self.assertRaisesRegex(pickle.UnpicklingError, "weights_only=False"):
            torch.load(io.BytesIO(pickle.dumps(Trap())))


class OptimizerTest(unittest.TestCase):
    def test_sgd_with_momentum(self):
        p = nn.Parameter(torch.tensor([1.0, -2.0]))
        optimizer = torch.optim.SGD([p], lr=0.1, momentum=0.9, weight_decay=0.01)
        value, velocity = numpy.array([1.0, -2.0]), numpy.zeros(2)
        for _ in range(4):
            optimizer.zero_grad()
            (p**2).sum().backward()
            optimizer.step()
            velocity = 0.9 * velocity + 2 * value + 0.01 * value
            value = value - 0.1 * velocity
        numpy.testing.assert_allclose(p.numpy(), value, rtol=1e-5)

    def test_adamw(self):
        p = nn.Parameter(torch.tensor([1.0, -2.0]))
        optimizer = torch.optim.AdamW([{"params": [p]}], lr=0.1)
        value, first, second = numpy.array([1.0, -2.0]), 0, 0
        for step in range(1, 5):
            optimizer.zero_grad()
            (p**2).sum().backward()
            optimizer.step()
            gradient = 2 * value
            value = value * (1 - 0.1 * 0.01)
            first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
            value = value - 0.1 * (first / (1 - 0.9**step)) / (numpy.sqrt(second / (1 - 0.999**step)) + 1e-8)
        numpy.testing.assert_allclose(p.numpy(), value, rtol=1e-4)

    def test_the_rate_of_a_captured_step_can_be_set(self):
        p = nn.Parameter(torch.tensor([0.0]))
        optimizer = torch.optim.SGD([p], lr=1.0)
        p.grad = torch.ones(1)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            optimizer.step()
        graph.replay()
        optimizer.param_groups[0]["lr"] = 0.25
        graph.replay()
        self.assertEqual(p.item(), -1.25)
        self.assertEqual(optimizer.param_groups[0]["lr"], 0.25)

    def test_a_schedule_runs_within_the_graph(self):
        p = nn.Parameter(torch.tensor([0.0]))
        optimizer = torch.optim.SGD([p], lr=1.0)
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        p.grad = torch.ones(1)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            optimizer.step()
            scheduler.step()
        for _ in range(3):
            graph.replay()
        self.assertEqual(p.item(), -1.75)
        self.assertEqual(scheduler.get_last_lr(), [0.125])

    def test_states_continue(self):
        def steps(p, optimizer, count):
            for _ in range(count):
                optimizer.zero_grad()
                (p**2).sum().backward()
                optimizer.step()

        p = nn.Parameter(torch.tensor([1.0]))
        first = torch.optim.Adam([p], lr=0.1)
        steps(p, first, 3)
        q = nn.Parameter(p.detach().clone())
        second = torch.optim.Adam([q], lr=0.1)
        second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
        steps(p, first, 3)
        steps(q, second, 3)
        self.assertEqual(p.item(), q.item())

    def test_bad_parameters_are_refused(self):
        with self.assertRaisesRegex(ValueError, "empty parameter list"):
            torch.optim.SGD([], lr=1)
        with self.assertRaisesRegex(ValueError, "non-leaf"):
            torch.optim.SGD([torch.ones(1, requires_grad=True) * 2], lr=1)
        with self.assertRaisesRegex(TypeError, "can only optimize Tensors"):
            torch.optim.SGD([1], lr=1)

    def test_gradients_are_clipped(self):
        p = nn.Parameter(torch.zeros(2))
        p.grad = torch.tensor([3.0, 4.0])
        self.assertEqual(nn.utils.clip_grad_norm_([p], 1.0).item(), 5)
        numpy.testing.assert_allclose(p.grad.numpy(), [0.6, 0.8], rtol=1e-4)


class DataTest(unittest.TestCase):
    def test_batches_cover_the_dataset(self):
        from reprise.utils.data import DataLoader, TensorDataset

        data = TensorDataset(torch.arange(10), torch.arange(10) * 2)
        loader = DataLoader(data, batch_size=4)
        batches = list(loader)
        self.assertEqual([each[0].tolist() for each in batches], [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        self.assertEqual(batches[2][1].tolist(), [16, 18])
        self.assertEqual(len(loader), 3)
        shuffled = [number for batch in DataLoader(data, 3, shuffle=True, drop_last=True) for number in batch[0].tolist()]
        self.assertEqual(len(set(shuffled)), 9)


if __name__ == "__main__":
    unittest.main()
