"""The operations of layers as functions, as torch.nn.functional."""
from .._C import (avg_pool2d, celu, conv1d, conv2d, conv_transpose2d, cross_entropy, dropout, elu, embedding, gelu, glu,
                  hardsigmoid, hardswish, hardtanh, layer_norm, leaky_relu, linear, linear_gelu, linear_relu, log_softmax,
                  logsigmoid, max_pool2d, mish, mse_loss, one_hot, pad, prelu, relu, relu6, scaled_dot_product_attention,
                  selu, sigmoid, silu, softmax, softplus, softsign, tanh)
