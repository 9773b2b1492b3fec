"""The programs of PyTorch's and Paddle's documents run to their end with the import replaced, and compute what they should.

programs/ has them as the documents print them, without comments. A name that a document leaves to its reader (a data loader,
a model) is given by the test.
"""
import contextlib
import inspect
import io
import pathlib
import re
import unittest

import numpy

import reprise
import reprise.paddle

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def with_imports_replaced(source):
    source = re.sub(r"^import torch$", "import reprise as torch", source, flags=re.M)
    source = re.sub(r"^import paddle$", "import reprise.paddle as paddle", source, flags=re.M)
    return re.sub(r"^from paddle\.", "from reprise.paddle.", source, flags=re.M)


def run(name, **names):
    """Runs a program; returns its names and what it printed."""
    path = PROGRAMS / f"{name}.py"
    names["__name__"] = "__main__"
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(with_imports_replaced(path.read_text()), path, "exec"), names)
    return names, output.getvalue()


def convolution(x, weight, bias=None):
    """A convolution without padding, in double precision."""
    x, weight = x.astype("float64"), weight.astype("float64")
    height, width = x.shape[2] - weight.shape[2] + 1, x.shape[3] - weight.shape[3] + 1
    result = numpy.zeros((x.shape[0], weight.shape[0], height, width))
    for i in range(weight.shape[2]):
        for j in range(weight.shape[3]):
            result += numpy.einsum("nchw,oc->nohw", x[:, :, i:i + height, j:j + width], weight[:, :, i, j])
    return result if bias is None else result + bias[None, :, None, None]


class TorchProgramsTest(unittest.TestCase):
    def test_a_captured_training_step_computes_what_the_steps_do(self):
        names, printed = run("capture_training_step")
        self.assertIn("Graph captured! Replaying...", printed)
        self.assertRegex(printed, r"1000 iter finished in \d+\.\d{4}s")
        # The graph lives on after the program: from given weights it makes the steps that NumPy makes. The loss grows,
        # since the document's learning rate is too large for its random data, so that few steps are compared.
        model, graph = names["model"], names["g"]
        x, y = (names[name].numpy().astype("float64") for name in "xy")
        weight, bias = numpy.zeros((1024, 1024)), numpy.zeros(1024)
        with reprise.no_grad():
            model.weight.zero_()
            model.bias.zero_()
        for _ in range(3):
            graph.replay()
            apart = x @ weight.T + bias - y
            numpy.testing.assert_allclose(names["loss"].item(), (apart**2).sum(), rtol=1e-4)
            weight -= 1e-3 * 2 * apart.T @ x
            bias -= 1e-3 * 2 * apart.sum(0)
        numpy.testing.assert_allclose(model.weight.numpy(), weight, rtol=1e-3, atol=1e-4)

    def test_a_convolution_is_captured_in_a_pool(self):
        names, printed = run("capture_with_pool")
        # The document's own comment.
        self.assertEqual(printed, "torch.Size([4, 16, 30, 30])\n")
        expected = convolution(names["x"].numpy(), names["weight"].numpy())
        numpy.testing.assert_allclose(names["output"].numpy(), expected, rtol=1e-4, atol=1e-4)

    def test_a_model_infers_the_same_by_its_graph(self):
        names, printed = run("graph_model")
        self.assertEqual(len(re.findall(r"\d+\.\d{4}s$", printed, flags=re.M)), 2)
        self.assertRegex(printed, r"\d+\.\d{2}x")
        model = names["CUDAGraphModel"]()
        data = reprise.randn(8, 1024, device="cuda")
        eager = model.inference(data).numpy()
        model.capture_graph(8)
        numpy.testing.assert_array_equal(model.inference(data).numpy(), eager)
        expected = data.numpy().astype("float64")
        for number in (0, 2, 4):
            layer = model.model[number]
            expected = expected @ layer.weight.numpy().T + layer.bias.numpy()
            expected = numpy.maximum(expected, 0) if number < 4 else expected
        numpy.testing.assert_allclose(eager, expected, rtol=1e-4, atol=1e-5)

    def test_graphs_share_a_pool_of_a_fixed_size(self):
        names, _ = run("pool_manager", torch=reprise)
        manager = names["manager"]
        self.assertEqual((names["graph_id1"], names["graph_id2"]), (0, 1))
        self.assertEqual(manager.pool.memory_stats()["reserved_bytes.all.current"], 1 << 30)
        first, second = manager.graphs
        with reprise.no_grad():
            second["input"].fill_(0.5)
        first["graph"].replay()
        x, layer = first["input"].numpy().astype("float64"), names["model1"]
        numpy.testing.assert_allclose(first["output"].numpy(), x @ layer.weight.numpy().T + layer.bias.numpy(), rtol=1e-4,
                                      atol=1e-4)
        second["graph"].replay()
        # Every window has the same values.
        layer = names["model2"]
        expected = 0.5 * layer.weight.numpy().astype("float64").sum((1, 2, 3)) + layer.bias.numpy()
        self.assertEqual(second["output"].shape, (16, 64, 222, 222))
        numpy.testing.assert_allclose(second["output"][15, :, 0, 221].numpy(), expected, rtol=1e-4, atol=1e-5)
        numpy.testing.assert_allclose(second["output"][0, :, 100, 7].numpy(), expected, rtol=1e-4, atol=1e-5)

    def test_each_batch_size_has_its_graph(self):
        made = []

        class YourModel(reprise.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = reprise.nn.Linear(3, 2)
                made.append(self)

            def forward(self, x):
                return self.layer(x).relu()

        names, _ = run("graph_per_batch_size", torch=reprise, YourModel=YourModel, input_shape=(3,))
        infer = names["optimized_inference_pipeline"]()
        self.assertFalse(made[0].training)
        weight, bias = made[0].layer.weight.numpy(), made[0].layer.bias.numpy()
        # 5 has no graph and runs eagerly.
        for size in (1, 4, 5, 16, 32, 4):
            data = reprise.randn(size, 3, device="cuda")
            expected = numpy.maximum(data.numpy() @ weight.T + bias, 0)
            numpy.testing.assert_allclose(infer(data).numpy(), expected, rtol=1e-5, atol=1e-6)


class PaddleProgramsTest(unittest.TestCase):
    def test_the_class_has_the_document_s_signatures(self):
        names, _ = run("paddle_signatures")
        ours = reprise.paddle.device.cuda.graphs.CUDAGraph
        for name, method in inspect.getmembers(names["CUDAGraph"], inspect.isfunction):
            self.assertEqual(inspect.signature(getattr(ours, name)), inspect.signature(method), name)

    def test_the_dynamic_program_follows_its_input(self):
        batches = [reprise.paddle.to_tensor(numpy.array([value], dtype="float32")) for value in (2, 3, -4)]
        names, printed = run("paddle_dynamic", dataloader=lambda: batches)
        lines = printed.splitlines()
        # The first value is read before the first replay and unspecified.
        self.assertEqual(lines[1:], ["[11.]", "[12.]", "[13.]", "[6.]"])
        self.assertEqual(len(lines), 5)
        with self.assertRaisesRegex(RuntimeError, "reset\\(\\) was called"):
            names["graph"].replay()

    def test_the_static_program_is_captured_from_the_second_batch(self):
        def dataloader():
            for number, value in enumerate((1, 5, 7, -2)):
                yield number, [{"input": reprise.paddle.to_tensor(numpy.array([value], dtype="float32"))}]

        names, printed = run("paddle_static", dataloader=dataloader)
        self.assertEqual(printed.splitlines(), ["[2.]", "[6.]", "[8.]", "[-1.]"])
        with self.assertRaisesRegex(RuntimeError, "reset\\(\\) was called"):
            names["graph"].replay()


if __name__ == "__main__":
    unittest.main()
