"""Files in the safetensors format, as safetensors.torch writes and reads them."""
import os

from . import _C


def save_file(tensors, filename, metadata=None):
    """Writes a dict of tensors. The file is complete or, after a failure, what it was before."""
    detached = {name: tensor.detach() for name, tensor in tensors.items()}
    _C._save_safetensors(os.fspath(filename), detached, dict(metadata or {}))


def load_file(filename, device=None):
    """The tensors of a file, by name."""
    _C._check_device(device)
    return _C._load_safetensors(os.fspath(filename))[0]


def load_metadata(filename):
    """The metadata of a file: strings by name."""
    return _C._load_safetensors(os.fspath(filename))[1]
