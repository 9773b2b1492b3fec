"""Checkpointing and data loading."""
from . import checkpoint, data
