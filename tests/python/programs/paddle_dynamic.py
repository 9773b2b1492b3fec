import numpy as np
import paddle
from paddle.device.cuda.graphs import CUDAGraph

input = paddle.to_tensor(np.array([1], dtype='float32'))

graph = CUDAGraph()
graph.capture_start()
output = input + 10
graph.capture_end()

print(output.numpy())

graph.replay()
print(output.numpy())

for input_tensor in dataloader():
    input.copy_(input_tensor, False)
    graph.replay()
    print(output.numpy())

graph.reset()
