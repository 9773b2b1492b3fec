#!/usr/bin/env python3
"""What Python costs: calls and replays from Python beside the same from C++, and beside PyTorch's eager CPU where it is.

    PYTHONPATH=build/lib/python bench/python.py [build/bin/bench_tensor_calls]

Each figure is the best of several rounds, contenders in turns, in microseconds per call.
"""
import subprocess
import sys
import time

import reprise


def per_call(function, count=20_000):
    begin = time.perf_counter()
    for _ in range(count):
        function()
    return (time.perf_counter() - begin) / count * 1e6


def cases(torch, device):
    """(name, function, what to call between rounds)"""
    x, y = torch.ones(8, device=device), torch.ones(8, device=device)
    layer = torch.nn.Linear(8, 8).to(device)
    rows = torch.ones(8, 8, device=device)
    with torch.no_grad():
        yield "x + y", lambda: x + y
        yield "x.add_(1)", lambda: x.add_(1)
        yield "x.sum()", lambda: x.sum()
        yield "x[2:5]", lambda: x[2:5]
        yield "x.shape", lambda: x.shape
        yield "Linear(8, 8)(rows)", lambda: layer(rows)
        if device == "cuda":
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                x.add_(1)
            yield "replay() of one node", graph.replay


def measure(torch, device, wait):
    best = {}
    for _ in range(5):
        for name, function in cases(torch, device):
            spent = per_call(function)
            wait()
            best[name] = min(best.get(name, spent), spent)
    return best


def main():
    ours = measure(reprise, "cuda", reprise.cuda.synchronize)
    nothing = min(per_call(lambda: None) for _ in range(5))
    columns = {"reprise": ours}
    if len(sys.argv) > 1:
        lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
        columns["C++"] = {name: float(value) for name, value in (line.split("\t") for line in lines)}
    try:
        import torch
    except (ImportError, OSError):
        pass
    else:
        columns["PyTorch, CPU"] = measure(torch, "cpu", lambda: None)
    print(f"an empty lambda: {nothing:.3f} µs")
    print("".join(f"{title:>24}" for title in ["", *columns]))
    for name in ours:
        print(f"{name:>24}" + "".join(f"{column[name]:24.3f}" if name in column else " " * 24 for column in columns.values()))


if __name__ == "__main__":
    main()
