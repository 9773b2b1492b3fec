import torch

def example_computation(x, weight):
    return torch.nn.functional.conv2d(x, weight)

x = torch.randn(4, 3, 32, 32, device='cuda')
weight = torch.randn(16, 3, 3, 3, device='cuda')

graph = torch.cuda.CUDAGraph()

with torch.cuda.graph(graph, pool=torch.cuda.graphs.graph_pool_handle()):
    output = example_computation(x, weight)

graph.replay()

print(output.shape)
