import torch
import time

class CUDAGraphModel:
    def __init__(self):
        self.model = torch.nn.Sequential(
            torch.nn.Linear(1024, 512),
            torch.nn.ReLU(),
            torch.nn.Linear(512, 256),
            torch.nn.ReLU(),
            torch.nn.Linear(256, 10)
        ).cuda()

        self.graph = None
        self.static_input = None
        self.static_output = None

    def capture_graph(self, batch_size=32):
        """捕获计算图"""

        self.static_input = torch.randn(batch_size, 1024, device='cuda')

        self.graph = torch.cuda.CUDAGraph()

        with torch.cuda.graph(self.graph,
                            pool=torch.cuda.graphs.graph_pool_handle()):
            self.static_output = self.model(self.static_input)

    def inference(self, input_data):
        """使用图进行推理"""
        if self.graph is None:
            return self.model(input_data)

        self.static_input.copy_(input_data)

        self.graph.replay()

        return self.static_output.clone()

def benchmark():
    model = CUDAGraphModel()
    batch_size = 32

    test_input = torch.randn(batch_size, 1024, device='cuda')
    for _ in range(10):
        _ = model.model(test_input)

    torch.cuda.synchronize()
    start_time = time.time()
    for _ in range(1000):
        output = model.model(test_input)
    torch.cuda.synchronize()
    normal_time = time.time() - start_time

    model.capture_graph(batch_size)
    torch.cuda.synchronize()
    start_time = time.time()
    for _ in range(1000):
        output = model.inference(test_input)
    torch.cuda.synchronize()
    graph_time = time.time() - start_time

    print(f"普通推理时间: {normal_time:.4f}s")
    print(f"图推理时间: {graph_time:.4f}s")
    print(f"加速比: {normal_time/graph_time:.2f}x")

if __name__ == "__main__":
    benchmark()
