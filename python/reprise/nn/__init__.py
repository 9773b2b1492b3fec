"""Layers, as torch.nn."""
from . import functional, init, utils
from .layers import (GELU, AvgPool2d, Conv2d, CrossEntropyLoss, Dropout, Embedding, Flatten, Identity, LayerNorm, Linear,
                     LogSoftmax, MaxPool2d, MSELoss, MultiheadAttention, ReLU, Sigmoid, Softmax, Tanh)
from .module import Module, ModuleDict, ModuleList, ParameterList, Sequential
from .parameter import Buffer, Parameter
