"""The words of prose and of code that name dims: the vocabulary of comments.

A bracket in a comment is either a shape or prose, and often only its words show which: `(batch,
seq_len, dim)` against `(cosine, tanh, poly)`.  The lists are small on purpose.  A word in none of
them is a doubtful name, and the reader of comments decides how many of those it accepts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from namecheck_runtime.light.regexes import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = [
    "BAD",
    "DIGITS",
    "LAYOUTS",
    "LETTER",
    "STRONG",
    "WEAK",
    "counts",
    "measures",
    "sizes",
    "weigh",
    "words",
]

BAD: Final = -1
"""Not a dim: prose, a keyword, a constant, a dtype."""
WEAK: Final = 0
"""An identifier that may be anything."""
DIGITS: Final = 1
"""A size, or a dim without a name."""
STRONG: Final = 2
"""A word that names dims: `batch`, `num_heads`, `bs`."""
LETTER: Final = 3
"""One letter: `B`, `n`, `H'`."""


def words(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(text.split())


# Words that name a dim on their own.
_ALONE: Final = words(
    """
    batch batches bs bsz bsize seq seqlen seqs sequence length len dim dims d_model hidden heads
    nhead nheads head channels channel chan chans height width time times frames frame embed
    embedding emb features feature feat feats vocab classes class tokens token patches patch
    samples sample points nodes edges depth in out src tgt windows window groups group
    experts layers layer levels rows cols columns positions pos spatial pixels latents
    codebooks anchors boxes inp dhead ndim topk states timesteps steps num chunks chunk blocks
    block image images views view clusters landmarks objects residues atoms slots codes modes
    agents particles events bins filters kernels rays voxels
    """
)

# Words that make a name joined by `_` the name of a dim.
_PARTS: Final = _ALONE | words(
    """
    n num nb size sizes count lens lengths dimension ch c h w t b d l k q kv qkv max total padded
    target source context labels spatial prod mult rank order
    """
)

# Words that are never dims: they belong to sentences, code or type comments.
_PROSE: Final = words(
    """
    the an and or not use used using uses see if else then than with without when where which that
    this these those it its as at by on to of is are be was were been has have had do does did done
    can may might will would should must only also just like same etc eg ie vs via per each any all
    some no none null nan inf true false self cls return returns def lambda optional default
    defaults deprecated required tensor tensors float int bool str list tuple dict array ndarray
    float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 note todo fixme for from into al
    over under after before instead because since but so we you they our your their he she my
    cpu gpu tpu mps xpu hip cuda xla api amp mha gqa mlp rgb bgr add edge path
    please first last second third next previous new old one two three both either
    even odd yes on off left right top bottom red green blue train training eval test inference
    hence thus i.e e.g about above below between within during while very more less most
    """
)

LAYOUTS: Final = words(
    """
    NCHW NHWC BCHW BHWC NCDHW NDHWC BCDHW BDHWC NCTHW NTHWC BCTHW BTHWC BTCHW NTCHW NLC NCL BLC BCL
    BNC BCN BND BTC BCT BTD BSC BSD BHND BNHD BHTD BTHD BHSD BSHD BHLD BLHD
    """
)
"""Runs of letters that are a shape on their own, one dim per letter."""

# `Mx` and `My` are sizes along two axes, `Ni` and `No` those of inputs and outputs.
_BESIDE_OTHERS: Final = words("My No")

# Words that make a name that of a value instead of a dim, unless it is a count or a measure.
_VALUES: Final = words(
    """
    path paths name names str string fn func function type types id ids logits logit loss losses
    mask masks flag flags list dict config cfg file files dir url value values weight weights bias
    biases state states grad grads lr std mean mu sigma idx attentions attention outputs output
    scores score probs prob ratio rate scale factor prefix suffix version model module multiplier
    resolution
    """
)
_MEASURED: Final = regex(
    r"(?:n|nb|num|d|dim|len|max|total)_|.*_(?:dim|dims|size|len|length|heads?|channels?|count|num|n)$",
    re.IGNORECASE,
)
_SHORT: Final = regex(
    r"[A-Za-z]{1,2}\d?'*|[a-z][A-Z]\w?'*|[A-Z]{1,3}[a-z]?\d?'*|[A-Z][a-z]{1,2}\d?'*"
)
_CLASS: Final = regex(r"(?:[A-Z][a-z]+\d?[a-z]*){2,}|[A-Z]+[a-z]+(?:[A-Z]\w*)")
_PART: Final = regex(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


@lru_cache(maxsize=4096)
def weigh(name: str) -> int:
    """How likely a name is that of a dim: BAD, WEAK, STRONG or LETTER."""
    plain = name.rstrip("'")
    lower = plain.lower()
    if lower in _PROSE and plain not in _BESIDE_OTHERS:
        return BAD
    if len(plain) == 1:
        return LETTER
    if lower in _ALONE or _SHORT.fullmatch(name) or _MEASURED.match(plain):
        return STRONG
    parts = [part.lower() for part in _PART.findall(plain)]
    if parts[-1:] == ["shape"]:
        # `(sample_shape, batch_shape)`: each stands for several dims.
        return BAD
    if len(parts) > 1 and _CLASS.fullmatch(plain) and _PARTS.isdisjoint(parts[:1]):
        return BAD
    if not _VALUES.isdisjoint(parts):
        return WEAK
    if len(parts) > 1:
        return WEAK if _PARTS.isdisjoint(parts) else STRONG
    return STRONG if lower.startswith("num") or lower.endswith(_ENDINGS) else WEAK


def measures(name: str) -> bool:
    """Whether a name is that of sizes instead of a tensor: `grid_size`, `num_heads`."""
    return bool(_MEASURED.match(name)) or name.lower().endswith(("shape", "size", "sizes", "_hw"))


_SIZES: Final = words(
    """
    batch batches bsz bsize seq seqlen seqs sequence length len dim dims d_model nhead nheads heads
    channels chan chans vocab dhead ndim topk num hidden
    """
)
_THINGS: Final = words(
    """
    in out src tgt inp head class time times frame token patch group layer image view state event
    feat feature embed embedding depth
    """
)
"""Words of `_ALONE` that may be one thing, as in `(image, depth)`, instead of a number of them."""


def sizes(name: str) -> bool:
    """Whether a name means nothing but a size: `seq_len`, `channels`, `num_boxes`."""
    lower = name.lower()
    if lower in _SIZES or _MEASURED.match(name):
        return True
    return lower.endswith(_ENDINGS) and lower not in ("head", "tokens")


def counts(name: str) -> bool:
    """Whether a name may mean a number of things: `tokens`, `image_patches`, `frames`."""
    last = name.lower().rpartition("_")[2]
    return last in _ALONE and last not in _THINGS


# `querylength`, `numheads`, `dhead`, `hsz`.
_ENDINGS: Final = (
    "len",
    "length",
    "dim",
    "size",
    "heads",
    "head",
    "channels",
    "tokens",
    "seq",
    "sz",
)
