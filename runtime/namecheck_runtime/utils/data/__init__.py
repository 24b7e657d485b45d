"""`namecheck_runtime.utils.data`: data sets, samplers, and loaders of batches.

Source: torch.utils.data.  A batch keeps the names of its samples, behind a new first dim.
"""

from __future__ import annotations

from namecheck_runtime.utils.data.collate import default_collate as default_collate
from namecheck_runtime.utils.data.collate import default_convert as default_convert
from namecheck_runtime.utils.data.dataloader import DataLoader as DataLoader
from namecheck_runtime.utils.data.dataset import ChainDataset as ChainDataset
from namecheck_runtime.utils.data.dataset import ConcatDataset as ConcatDataset
from namecheck_runtime.utils.data.dataset import Dataset as Dataset
from namecheck_runtime.utils.data.dataset import IterableDataset as IterableDataset
from namecheck_runtime.utils.data.dataset import StackDataset as StackDataset
from namecheck_runtime.utils.data.dataset import Subset as Subset
from namecheck_runtime.utils.data.dataset import TensorDataset as TensorDataset
from namecheck_runtime.utils.data.dataset import random_split as random_split
from namecheck_runtime.utils.data.sampler import BatchSampler as BatchSampler
from namecheck_runtime.utils.data.sampler import RandomSampler as RandomSampler
from namecheck_runtime.utils.data.sampler import Sampler as Sampler
from namecheck_runtime.utils.data.sampler import SequentialSampler as SequentialSampler
from namecheck_runtime.utils.data.sampler import SubsetRandomSampler as SubsetRandomSampler
from namecheck_runtime.utils.data.sampler import WeightedRandomSampler as WeightedRandomSampler
from namecheck_runtime.utils.data.worker import get_worker_info as get_worker_info

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]
