"""Copies and pickles of tensors with names: the shared memory, and the kept properties."""

from __future__ import annotations

import base64
import copy
import pickle
import zlib
from typing import Any

import pytest

import namecheck_runtime as nt


def properties(x: nt.Tensor) -> tuple[Any, ...]:
    """The properties that a copy has to keep."""
    return (
        x.names,
        tuple(x.shape),
        x.stride(),
        x.storage_offset(),
        x.dtype,
        x.device,
        x.layout,
        x.requires_grad,
        None if x.device.type == "meta" else x.tolist(),
    )


TENSORS = [
    nt.tensor(3),
    nt.zeros(0, 3, names=("N", None)),
    nt.arange(6.0).reshape(2, 3).rename("N", "C").t(),
    nt.arange(6.0)[2:5].rename("N"),
    nt.zeros(1, 3, names=("N", "C")).expand(4, 3),
    nt.tensor([1 + 2j]),
    nt.tensor([True]),
    nt.ones(2, names=("N",), requires_grad=True),
    nt.zeros(2, 3, names=("N", "C"), device="meta"),
]


@pytest.mark.parametrize("x", TENSORS, ids=repr)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_keeps_all_properties(x: nt.Tensor, protocol: int) -> None:
    assert properties(pickle.loads(pickle.dumps(x, protocol))) == properties(x)


@pytest.mark.parametrize("x", TENSORS, ids=repr)
@pytest.mark.parametrize("copy_", [copy.copy, copy.deepcopy])
def test_a_copy_keeps_all_properties(x: nt.Tensor, copy_: Any) -> None:
    copied = copy_(x)
    assert copied is not x
    assert properties(copied) == properties(x)


@pytest.mark.parametrize("copy_", [copy.deepcopy, lambda xs: pickle.loads(pickle.dumps(xs))])
def test_views_copied_together_share_memory_again(copy_: Any) -> None:
    x = nt.arange(6.0).reshape(2, 3)
    base, row, same = copy_([x, x[1], x])
    row.fill_(-1)
    assert base.tolist() == [[0, 1, 2], [-1, -1, -1]]
    assert same is base
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert base._version == row._version == 1


def test_a_plain_copy_shares_memory_and_not_names() -> None:
    x = nt.zeros(2, names=("N",))
    y = copy.copy(x)
    y[0] = 1.0
    y.rename_("C")
    assert x.tolist() == [1.0, 0.0]
    assert x.names == ("N",)


def test_requires_grad_of_a_copy_is_separate() -> None:
    x = nt.ones(2, requires_grad=True)
    copy.copy(x).requires_grad_(False)
    copy.deepcopy(x).requires_grad_(False)
    assert x.requires_grad


# A pickle of a tensor, a view, a result of two tensors, a size, a dtype, a device, a layout, an
# order, a packed sequence and a tensor on meta, written on 2026-11-25 (protocol 2, zlib,
# base 85).
WRITTEN_BEFORE = (
    "c-nPS3wzW=6wU6^LL+Kb#PSkBgavUGC{IzU;EQO0ThNHgl1-+a&}?>3GN~-SS~XdU_<&#FZ}E@G+}SPKkL`T>&1A"
    "paJLlw_bC;_1Ao1HGkRn)Urg@^GwrI@xf$F4@$m~?K@+b~%SflDPUFFXUdv<uD5+r%M+iNs~PAVGhJXVpPrhd<Er"
    "XuJhnM(6O*{BZ6>?9n#Ma{7aYzTB)D1yuu2|w5v^D35QwJ`3D>ofLMlpMjv5}ODUeb|Jj>Q2QOFR*!dVW@gt-S@O"
    "t)%A1JcxL5pAI}md>rTzwbr#RLu6yxcz0BrV3eUGz<e0a^T3!Dvozwe_{>|_o-u|A!3sM7bA-t%twdG8ec!@COI#"
    "s7uVw+QQDkZi%Rv$YIj*Fe<Jda%^ULGNxVVc>YSd0SAc(+&6)j>DMD{hHBguUzc#D1@nYZYJhHtHU&X%vbO`wF~9"
    "*uQ=ozX+Q{g$|hBxwzx2V@FXhaFB3lMd5YAVQJN+{<2zuH=Ig=27lF?a#w-3<X*X7a@i5W(NTF2iz4;o|59_zo6s"
    ";i9f54L{o9x}MlSksE;1Z99HJ!D3S>A@;v^$iWL26toRZq((}XkZakaqPa*}<T7??D4<t)4M4&hyeb1i36i5bFsE"
    "|<U0+|M)j3vy?H4<2*>knqtOppO~o6T-zIkRu2AiB92D&d+BASLa7QnVd@|Ig`4!I?T@MiOWpv3V{@6Th3&OtAuN"
    "Y*yl{_3nu2t0jmSvm=Qvqn8ud{t`ok}JijJ<Q{qM+O~TC)Vk?nkoiwv&qdVGAe~`phfnXV-Jj55TpM^mBNh0E`8T"
    "*+|k{D6h^@D{dnYS<NQ-reuxt>Z5G*@3E-aLyZ2@#7oR^ZmarLETgmzk*HSYd&ci3x3mq~&ZW(IIqQ?gcB8vND-l"
    "Ks|OWCoHZ3{gy#*6M77)b9zU*3_3N!h{~!V-!bg>gdY@sH1qotVacR?nPGos*k9xTl;!`GP`Iu_xs1L6cR5~n2`k"
    "3Md))LJH{I7wyS)t>qb-z=-}U_dLHKjX{V&1;g@=ttq<Oif"
)


def test_older_pickles_are_read() -> None:
    written = zlib.decompress(base64.b85decode(WRITTEN_BEFORE))
    x, view, most, shape, dtype, device, layout, order, packed, meta = pickle.loads(written)
    assert (x.names, x.tolist()) == (("N", "C"), [[0, 1, 2], [3, 4, 5]])
    assert view.untyped_storage() is x.untyped_storage()
    assert (most.values.tolist(), most.indices.names) == ([2, 5], ("N",))
    assert type(shape) is nt.Size
    assert (dtype, device, layout) == (nt.float32, nt.device("cpu"), nt.strided)
    assert order is nt.channels_last
    assert packed.batch_sizes.tolist() == [2, 2, 1]
    assert (meta.device, meta.shape) == (nt.device("meta"), (2,))
