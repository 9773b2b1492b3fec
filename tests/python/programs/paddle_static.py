import numpy as np
import paddle
from paddle.device.cuda.graphs import CUDAGraph

input = paddle.static.data(shape=[1], dtype='float32', name='input')
input.persistable = True
output = input + 1
output.persistable = True

place = paddle.CUDAPlace(0)
exe = paddle.static.Executor(place)

exe.run(paddle.static.default_startup_program())

scope = paddle.static.global_scope()
input_tensor_var = scope.var(input.name).get_tensor()
output_tensor_var = scope.var(output.name).get_tensor()
graph = None
capture_batch_id = 1
for batch_id, input_tensors in dataloader():
    if graph is not None:
        input_tensor_var._copy_from(input_tensors[0][input.name])
        graph.replay()
    else:
        if batch_id == capture_batch_id:
            input_tensor_var._copy_from(input_tensors[0][input.name])
            input_tensors = None
            graph = CUDAGraph()
            graph.capture_begin()
        exe.run(paddle.static.default_main_program(), feed=input_tensors)
        if batch_id == capture_batch_id:
            graph.capture_end()
            graph.replay()
    print(np.array(output_tensor_var))

if graph is not None:
    graph.reset()
