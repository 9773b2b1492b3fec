#!/usr/bin/env python3
"""Compares bench_tensor with PyTorch's CUDA graphs, or without a GPU with PyTorch on the CPU, on the same work.

    bench/tensor/compare_with_pytorch.py build-gpu/bin/bench_tensor [--rounds 3] [--cases step,conv]

Both use single precision without TF32, the same numbers and the same number of cores. They run alternately, and the best time of
each counts. Prints a table and checks that losses and outputs agree. PyTorch may be installed for this Python or for the system's
(Debian: python3-torch); without it the table has only our figures.
"""
import argparse
import ctypes
import glob
import math
import os
import subprocess
import sys
import time
import types

SYSTEM_PYTHON = "/usr/bin/python3"

try:
    import torch
except ImportError:
    found = subprocess.run([SYSTEM_PYTHON, "-c", "import torch"], capture_output=True).returncode == 0
    if found and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    torch = None

torch_no_grad = torch.no_grad() if torch else lambda function: function
DEVICE = "cuda" if torch and torch.cuda.is_available() else "cpu"


def wave(sizes, frequency, amplitude):
    count = math.prod(sizes)
    values = amplitude * torch.sin(frequency * torch.arange(count, dtype=torch.float64))
    return values.to(torch.float32).reshape(sizes).to(DEVICE)


def set_waves(model):
    frequency = 0.37
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(wave(parameter.shape, frequency, 0.03))
            frequency += 0.11


def synchronize():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def time_of(call, seconds):
    """Microseconds for one call."""
    def run(count):
        synchronize()
        begin = time.perf_counter()
        for _ in range(count):
            call()
        synchronize()
        return time.perf_counter() - begin

    run(3)
    count = max(3, min(2000, int(seconds / (run(5) / 5))))
    return min(run(count) / count for _ in range(5)) * 1e6


def capture(call):
    for _ in range(3):
        call()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
        call()
    return graph


class Step:
    """The training step of a linear layer."""

    def __init__(self):
        self.x, self.y = wave((64, 1024), 0.71, 1), wave((64, 1024), 1.3, 1)
        self.model = torch.nn.Linear(1024, 1024).to(DEVICE)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-5)

    def __call__(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.loss = (self.model(self.x) - self.y).pow(2).sum()
        self.loss.backward()
        self.optimizer.step()

    def check(self):
        set_waves(self.model)
        for _ in range(100):
            self()
        return self.loss.item()


class Perceptron:
    """Inference of a small model."""

    def __init__(self, batch):
        nn = torch.nn
        self.model = nn.Sequential(nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10)).to(DEVICE)
        set_waves(self.model)
        self.x = wave((batch, 1024), 0.71, 1)

    def __call__(self):
        with torch.no_grad():
            self.y = self.model(self.x)

    def check(self):
        self()
        return self.y.sum().item()


class Convolution:
    def __init__(self, images, filters, bias):
        self.x, self.weight = wave(images, 0.71, 1), wave(filters, 0.37, 1)
        self.bias = wave(filters[:1], 0.5, 1) if bias else None

    def __call__(self):
        with torch.no_grad():
            self.y = torch.nn.functional.conv2d(self.x, self.weight, self.bias)

    def check(self):
        self()
        return (self.y * self.y).sum().item()


class Layer:
    """The memory manager's linear layer."""

    def __init__(self):
        self.model = torch.nn.Linear(1000, 500).to(DEVICE)
        set_waves(self.model)
        self.x = wave((32, 1000), 0.71, 1)

    def __call__(self):
        with torch.no_grad():
            self.y = self.model(self.x)

    def check(self):
        self()
        return (self.y * self.y).sum().item()


class Batches:
    """A graph for each of some batch sizes, eager work for the others."""

    def __init__(self):
        self.model = torch.nn.Linear(1024, 10).to(DEVICE)
        set_waves(self.model)
        self.batches = [wave((size, 1024), 0.71, 1) for size in (32, 32, 16, 7, 1, 4, 20)]

    @torch_no_grad
    def __call__(self):
        return [self.model(data) for data in self.batches]

    def captured(self):
        graphs = {}
        for size in (1, 4, 16, 32):
            program = types.SimpleNamespace(x=torch.zeros((size, 1024), device=DEVICE))

            @torch_no_grad
            def infer(program=program):
                program.y = self.model(program.x)

            program.graph = capture(infer)
            graphs[size] = program

        @torch_no_grad
        def replay():
            for data in self.batches:
                program = graphs.get(data.shape[0])
                if program is None:
                    self.model(data)
                else:
                    program.x.copy_(data)
                    program.graph.replay()
                    program.y.clone()

        return replay

    def check(self):
        return sum(y.sum().item() for y in self())


class Dynamic:
    """Paddle's dynamic usage: one addition."""

    def __init__(self):
        self.x = torch.ones(1, device=DEVICE)

    def __call__(self):
        self.y = self.x + 10

    def check(self):
        self()
        return self.y.item()


class Static:
    """Paddle's static usage: a program of forty operations, fed and fetched."""

    def __init__(self):
        self.x = wave((1024,), 0.71, 1)

    def __call__(self):
        self.y = self.x.clone()
        for _ in range(20):
            self.y = self.y * 1.01 + 1

    def check(self):
        self()
        return self.y.sum().item()


SIZE, HEADS, CONTEXT, BATCH, CLASSES = 64, 4, 32, 16, 27


class Transformer:
    """A training step: forward, loss, backward, clipping, AdamW."""

    def __init__(self):
        nn = torch.nn

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.before_attention = nn.LayerNorm(SIZE)
                self.attention = nn.MultiheadAttention(SIZE, HEADS, batch_first=True)
                self.before_network = nn.LayerNorm(SIZE)
                self.network = nn.Sequential(nn.Linear(SIZE, 4 * SIZE), nn.ReLU(), nn.Linear(4 * SIZE, SIZE))

            def forward(self, x, mask):
                normal = self.before_attention(x)
                x = x + self.attention(normal, normal, normal, attn_mask=mask, need_weights=False)[0]
                return x + self.network(self.before_network(x))

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.characters, self.places = nn.Embedding(CLASSES, SIZE), nn.Embedding(CONTEXT, SIZE)
                self.first, self.second = Block(), Block()
                self.norm, self.head = nn.LayerNorm(SIZE), nn.Linear(SIZE, CLASSES)
                self.register_buffer("counting", torch.arange(CONTEXT), persistent=False)
                self.register_buffer("mask", torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1), persistent=False)

            def forward(self, codes):
                x = self.characters(codes) + self.places(self.counting)
                x = self.second(self.first(x, self.mask), self.mask)
                return self.head(self.norm(x)).reshape(BATCH * CONTEXT, CLASSES)

        def codes(shift):
            return torch.tensor([(i * 7 + i // 5 + shift) % CLASSES for i in range(BATCH * CONTEXT)], device=DEVICE)

        self.model = Model().to(DEVICE)
        set_waves(self.model)
        self.seen, self.next = codes(0).reshape(BATCH, CONTEXT), codes(7)
        options = {"capturable": True} if DEVICE == "cuda" else {}
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, **options)

    def __call__(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.loss = torch.nn.functional.cross_entropy(self.model(self.seen), self.next)
        self.loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def check(self):
        for _ in range(10):
            self()
        return self.loss.item()


CASES = {
    "step": (Step, "loss_after_100_replays"),
    "mlp1": (lambda: Perceptron(1), "output_sum"),
    "mlp32": (lambda: Perceptron(32), "output_sum"),
    "conv": (lambda: Convolution((4, 3, 32, 32), (16, 3, 3, 3), False), "output_sum"),
    "conv_large": (lambda: Convolution((16, 3, 224, 224), (64, 3, 3, 3), True), "output_sum"),
    "layer": (Layer, "output_sum"),
    "batches": (Batches, "output_sum"),
    "dynamic": (Dynamic, "output_sum"),
    "static": (Static, "output_sum"),
    "transformer": (Transformer, "loss_after_10_replays"),
}


def theirs_are():
    """What ours are compared with, in words."""
    if not torch:
        return "no PyTorch here (Debian's is python3-torch): our figures alone"
    if DEVICE == "cuda":
        return f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}"
    try:
        corename = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
        corename.restype = ctypes.c_char_p
        blas = f", OpenBLAS with code for {corename().decode()}"
    except (OSError, AttributeError):
        blas = ""
    return f"PyTorch {torch.__version__} on {torch.get_num_threads()} cores{blas}"


def with_libraries():
    """An environment where NVIDIA's libraries are found that came with PyTorch, after those of a toolkit."""
    if DEVICE != "cuda":
        return None
    packages = os.path.join(os.path.dirname(os.path.dirname(torch.__file__)), "nvidia", "*", "lib")
    folders = [os.environ.get("LD_LIBRARY_PATH", ""), "/usr/local/cuda/lib64", *sorted(glob.glob(packages))]
    return dict(os.environ, LD_LIBRARY_PATH=":".join(folder for folder in folders if folder))


def run_ours(program, *options):
    """{(case, what): value} and the lines about nodes."""
    done = subprocess.run([program, *options], text=True, capture_output=True, env=with_libraries())
    if done.returncode != 0:
        raise SystemExit(f"{program} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    values, nodes = {}, []
    for line in lines:
        case, what, rest = line.split(" ", 2)
        if what == "node":
            nodes.append(f"{case}: {rest}")
        elif case in CASES:
            values[case, what] = float(rest)
    return values, nodes


def best(into, new):
    for key, value in new.items():
        into[key] = min(value, into.get(key, value)) if key[1].endswith("_us") else value


def main():
    # All on one stream that is not the default one: gradients remember where they were first made, and a capture may not
    # depend on the default stream.
    if DEVICE == "cuda":
        torch.cuda.set_stream(torch.cuda.Stream())
    elif torch:
        torch.set_num_threads(os.cpu_count())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cases", default=",".join(CASES), help="of %(default)s")
    parser.add_argument("--without-nodes", action="store_true", help="each node by itself takes a minute on a CPU")
    arguments = parser.parse_args()
    cases = {case: CASES[case] for case in arguments.cases.split(",")}
    if torch:
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False

    theirs, ours, checks = {}, {}, {}
    programs = {case: make() for case, (make, _) in cases.items()} if torch else {}
    for case, program in programs.items():
        checks[case] = program.check()
    replays = {}
    if DEVICE == "cuda":
        for case, program in programs.items():
            replays[case] = program.captured() if hasattr(program, "captured") else capture(program).replay
    nodes = []
    for round_number in range(arguments.rounds):
        for case, program in programs.items():
            best(theirs, {(case, "eager_us"): time_of(program, 0.1)})
            if case in replays:
                best(theirs, {(case, "replay_us"): time_of(replays[case], 0.1)})
        values, seen = run_ours(arguments.program, *(["--nodes"] if round_number == 0 and not arguments.without_nodes else []))
        best(ours, values)
        nodes = nodes or seen

    print(f"{theirs_are()}; microseconds, best of {arguments.rounds} rounds in turns")
    print(f"{'case':12}{'ours eager':>12}{'ours replay':>12}{'theirs eager':>14}{'theirs replay':>14}{'ratio':>8}  nodes  results")
    agree = True
    for case, (_, what) in cases.items():
        replay = ours[case, "replay_us"]
        columns = f"{case:12}{ours[case, 'eager_us']:12.2f}{replay:12.2f}"
        if case in checks:
            eager = theirs[case, "eager_us"]
            other = theirs.get((case, "replay_us"), eager)  # on a CPU it has none
            difference = abs(ours[case, what] - checks[case]) / max(abs(checks[case]), 1e-3)
            agree &= difference < 1e-3
            columns += f"{eager:14.2f}{other:14.2f}{replay / other:8.2f}"
        else:
            columns += f"{'':36}"
        results = f"{ours[case, what]:.6g}" + (f" and {checks[case]:.6g}" if case in checks else "")
        print(f"{columns}{ours[case, 'nodes']:7.0f}  {results}")
    if nodes:
        print("each node by itself, in a chain:")
    for line in nodes:
        print(" ", line)
    if not agree:
        raise SystemExit("results differ")


if __name__ == "__main__":
    main()
