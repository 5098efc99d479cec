"""What a GPU would be kept waiting by: kernels started, and values that the host reads, counted without a GPU.

PyTorch reports every operation to Python before it runs. On the CPU the same operations run as on a device, so that
their number, the bytes that they write, and the places where a device would have to finish before the host can go on,
are the same as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

HOST_READS = frozenset(("cpu", "tolist"))
"""Methods of a tensor that bring it to the host; single numbers are operations, see below."""

SIZES_FROM_VALUES = frozenset(("nonzero", "masked_select", "unique", "unique_consecutive", "_local_scalar_dense"))
"""Operations whose answer has a size that the host does not know, or that hand the host a number."""

VIEWS = frozenset(
    (
        "view", "slice", "select", "transpose", "permute", "unsqueeze", "squeeze", "expand", "t", "detach", "alias",
        "as_strided", "diagonal", "unbind", "split", "_unsafe_view", "lift_fresh", "_reshape_alias", "empty",
        "reshape", "unfold", "narrow", "view_as", "empty_like", "empty_strided", "new_empty",
    )
)  # fmt: skip
"""Operations that start no kernel."""


@dataclass
class Traffic:
    """Kernels by name, the bytes they wrote, and reads of the host by name."""

    kernels: Counter[str] = field(default_factory=Counter)
    bytes_written: int = 0
    reads: Counter[str] = field(default_factory=Counter)

    @property
    def n_kernels(self) -> int:
        return self.kernels.total()

    @property
    def n_reads(self) -> int:
        return self.reads.total()


class _Kernels(TorchDispatchMode):
    def __init__(self, traffic: Traffic) -> None:
        super().__init__()
        self.traffic = traffic

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name in SIZES_FROM_VALUES or (name in ("index", "index_put_", "index_put") and _by_mask(args[1])):
            self.traffic.reads[name] += 1
        if name not in VIEWS:
            self.traffic.kernels[name] += 1
            parts = found if isinstance(found, (tuple, list)) else [found]
            self.traffic.bytes_written += sum(
                t.nbytes for t in parts if isinstance(t, torch.Tensor) and not t.is_sparse
            )
        return found


def _by_mask(indices: Any) -> bool:
    return any(index is not None and index.dtype in (torch.bool, torch.uint8) for index in indices)


class _Reads(TorchFunctionMode):
    def __init__(self, traffic: Traffic) -> None:
        super().__init__()
        self.traffic = traffic

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name in HOST_READS:
            self.traffic.reads[name] += 1
        return func(*args, **(kwargs or {}))


@contextmanager
def counted() -> Iterator[Traffic]:
    """What is started and read inside."""
    traffic = Traffic()
    with _Reads(traffic), _Kernels(traffic):
        yield traffic
