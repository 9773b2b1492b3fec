"""Datasets and a loader of batches."""
import random as _random

from .. import _C


class Dataset:
    """Something with a length and items."""

    def __getitem__(self, index):
        raise NotImplementedError("a Dataset must define __getitem__(index)")


class IterableDataset:
    """Something whose items come one after another."""

    def __iter__(self):
        raise NotImplementedError("an IterableDataset must define __iter__()")


class TensorDataset(Dataset):
    """The rows of tensors."""

    def __init__(self, *tensors):
        if any(each.shape[0] != tensors[0].shape[0] for each in tensors):
            raise ValueError("TensorDataset: the tensors must have the same number of rows")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(each[index] for each in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


def default_collate(items):
    """A batch of items: tensors are stacked, numbers become tensors, containers are collated by their parts."""
    first = items[0]
    if isinstance(first, _C.Tensor):
        return _C.stack(list(items))
    if isinstance(first, dict):
        return {key: default_collate([each[key] for each in items]) for key in first}
    if isinstance(first, (tuple, list)):
        return type(first)(default_collate(list(each)) for each in zip(*items))
    if isinstance(first, str):
        return list(items)
    if hasattr(first, "__array__"):
        import numpy

        return _C.tensor(numpy.stack([numpy.asarray(each) for each in items]))
    return _C.tensor(list(items))


class DataLoader:
    """Batches of a dataset, in order or shuffled, made by this thread."""

    def __init__(self, dataset, batch_size=1, shuffle=False, *, collate_fn=None, drop_last=False, num_workers=0,
                 pin_memory=False, generator=None):
        if num_workers:
            raise ValueError("DataLoader: num_workers must be 0; batches are made by the thread that iterates")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.collate_fn = collate_fn or default_collate

    def __len__(self):
        count = len(self.dataset)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

    def __iter__(self):
        if isinstance(self.dataset, IterableDataset):
            items = iter(self.dataset)
        else:
            order = list(range(len(self.dataset)))
            if self.shuffle:
                _random.shuffle(order)
            items = (self.dataset[index] for index in order)
        batch = []
        for item in items:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)
