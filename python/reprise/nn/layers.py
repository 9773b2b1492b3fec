"""Layers. Initial values are those of PyTorch's distributions, drawn by the C++ layers."""
from .. import _C
from . import functional as F
from .module import Module
from .parameter import Parameter


def _parameter(tensor):
    return None if tensor is None else Parameter(tensor)


def _pair(value):
    """One number for height and width, or two."""
    return (value, value) if isinstance(value, int) else tuple(value)


class Identity(Module):
    """Returns its argument."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    """x weight^T + bias."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        _C._check_device(device)
        self.in_features = in_features
        self.out_features = out_features
        weight, bias = _C._initial_linear(in_features, out_features, bias)
        self.weight = Parameter(weight)
        self.register_parameter("bias", _parameter(bias))
        if dtype is not None:
            self.to(dtype)

    def forward(self, input):
        return _C.linear(input, self.weight, self.bias)

    def _fused_with(self, following):
        # Exactly these types, since a derived class may have another forward().
        if type(self) is not Linear or self._forward_hooks or following._forward_pre_hooks:
            return None
        if type(following) is ReLU:
            fused = _C.linear_relu
        elif type(following) is GELU:
            fused = _C.linear_gelu
        else:
            return None
        if self._forward_pre_hooks or following._forward_hooks or "forward" in self.__dict__:
            return None
        return lambda input: fused(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Conv2d(Module):
    """A convolution of [batch, channels, height, width]."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 device=None):
        super().__init__()
        _C._check_device(device)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _pair(kernel_size)
        self.stride = _pair(stride)
        self.padding = _pair(padding)
        self.dilation = _pair(dilation)
        self.groups = groups
        weight, bias = _C._initial_conv2d(in_channels, out_channels, *self.kernel_size, groups, bias)
        self.weight = Parameter(weight)
        self.register_parameter("bias", _parameter(bias))

    def forward(self, input):
        return _C.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0, 0):
            text += f", padding={self.padding}"
        if self.dilation != (1, 1):
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text + (", bias=False" if self.bias is None else "")


class _Pool2d(Module):
    _function = None

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, input):
        return type(self)._function(input, self.kernel_size, self.stride, self.padding)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool2d(_Pool2d):
    """The maximum of each window."""

    _function = staticmethod(_C.max_pool2d)


class AvgPool2d(_Pool2d):
    """The mean of each window; padding counts as zeros."""

    _function = staticmethod(_C.avg_pool2d)


class ReLU(Module):
    """max(x, 0)"""

    def __init__(self, inplace=False):
        super().__init__()

    def forward(self, input):
        return _C.relu(input)


class GELU(Module):
    """The Gaussian error linear unit, with erf."""

    def __init__(self, approximate="none"):
        super().__init__()
        if approximate != "none":
            raise ValueError(f'GELU: approximate="{approximate}" is not supported')

    def forward(self, input):
        return _C.gelu(input)


class Tanh(Module):
    def forward(self, input):
        return _C.tanh(input)


class Sigmoid(Module):
    def forward(self, input):
        return _C.sigmoid(input)


class Softmax(Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return _C.softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    def forward(self, input):
        return _C.log_softmax(input, self.dim)


class Flatten(Module):
    """Merges the dimensions from start_dim to end_dim."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


class Dropout(Module):
    """Zeroes elements with probability p while training, and scales the others by 1 / (1 - p)."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p

    def forward(self, input):
        return _C.dropout(input, self.p, self.training)

    def extra_repr(self):
        return f"p={self.p}"


class LayerNorm(Module):
    """Normalises over the last dimension."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        affine = elementwise_affine
        self.register_parameter("weight", Parameter(_C.ones(*self.normalized_shape)) if affine else None)
        self.register_parameter("bias", Parameter(_C.zeros(*self.normalized_shape)) if affine and bias else None)

    def forward(self, input):
        return _C.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.weight is not None}"


class Embedding(Module):
    """Rows of a table, by their numbers."""

    def __init__(self, num_embeddings, embedding_dim):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.weight = Parameter(_C._initial_embedding(num_embeddings, embedding_dim))

    def forward(self, input):
        return _C.embedding(input, self.weight)

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}"


class MultiheadAttention(Module):
    """Attention over [batch, length, size] (batch_first=True)."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, *, batch_first=True):
        super().__init__()
        if not batch_first:
            raise ValueError("MultiheadAttention: batch_first must be True")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        weight, in_bias, out_weight, out_bias = _C._initial_attention(embed_dim, num_heads, bias)
        self.in_proj_weight = Parameter(weight)
        self.register_parameter("in_proj_bias", _parameter(in_bias))
        self.out_proj = Linear(embed_dim, embed_dim, bias)
        self.out_proj.weight = Parameter(out_weight)
        if bias:
            self.out_proj.bias = Parameter(out_bias)

    def forward(self, query, key, value, need_weights=False, is_causal=False):
        if need_weights:
            raise ValueError("MultiheadAttention: need_weights must be False; the weights are not computed")
        size = self.embed_dim

        def project(x, number):
            bias = None if self.in_proj_bias is None else self.in_proj_bias.narrow(0, number * size, size)
            x = _C.linear(x, self.in_proj_weight.narrow(0, number * size, size), bias)
            return x.reshape(x.shape[0], x.shape[1], self.num_heads, size // self.num_heads).transpose(1, 2)

        seen = F.scaled_dot_product_attention(project(query, 0), project(key, 1), project(value, 2),
                                              dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal)
        return self.out_proj(seen.transpose(1, 2).reshape(*query.shape)), None


class CrossEntropyLoss(Module):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, input, target):
        return _C.cross_entropy(input, target, reduction=self.reduction)


class MSELoss(Module):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, input, target):
        return _C.mse_loss(input, target, reduction=self.reduction)
