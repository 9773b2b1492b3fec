"""The operations of layers as functions, as torch.nn.functional."""
from .._C import (avg_pool2d, conv1d, conv2d, conv_transpose2d, cross_entropy, dropout, embedding, gelu, layer_norm, linear, linear_gelu,
                  linear_relu, log_softmax, max_pool2d, mse_loss, relu, scaled_dot_product_attention, sigmoid, softmax,
                  tanh)
