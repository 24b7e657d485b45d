"""What a project has agreed on about dims, as far as the analysis minds: `dims`, `may-meet`,
`strict`.

Two words for one dim are one: a name is replaced by the word that the project prefers where it is
born (`Terms.name`, `Terms.names`), labels in comments are looked up under it (`Terms.label`). Who
has agreed on nothing pays nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from namecheck_runtime.light.records import NamedTuple

__all__ = ["NO_TERMS", "Terms", "folded"]


def folded(label: str) -> str:
    """A label as it is compared: without case, if it is a word; `n` and `N` are two letters."""
    return label if len(label) == 1 else label.lower()


class Terms(NamedTuple):
    """The words of a project.

    `words` says by which word each other one is replaced; `pairs` are two words each, in both
    orders, that may meet although they are different dims; `strict` are the codes to look for
    besides what is looked for anyway.
    """

    words: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}
    """`words`, as labels are compared."""
    pairs: frozenset[tuple[str, str]] = frozenset()
    strict: frozenset[str] = frozenset()

    def label(self, written: str) -> str:
        """What a label is looked up under."""
        found = folded(written)
        return self.labels.get(found, found) if self.labels else found

    def spellings(self, label: str) -> list[str]:
        """A label, and the other words for the same dim."""
        if not self.labels:
            return [label]
        key = self.label(label)
        others = [*self.words, *self.words.values()]
        return list(dict.fromkeys([label, *(one for one in others if self.label(one) == key)]))

    def name(self, written: Any) -> Any:
        """A dim's name, or several, as the project calls them; anything else as it is."""
        if isinstance(written, str):
            return self.words.get(written, written)
        if isinstance(written, tuple):
            return tuple([self.name(one) for one in written])
        return [self.name(one) for one in written] if isinstance(written, list) else written

    def may_meet(self, left: object, right: object) -> bool:
        """Whether nothing is wrong where these two names meet."""
        return bool(self.pairs) and (left, right) in self.pairs


NO_TERMS: Final = Terms()


def agreed(
    words: Mapping[str, str], groups: tuple[tuple[str, ...], ...], strict: frozenset[str]
) -> Terms:
    """The terms that settings say: which words are replaced, and groups of words that may meet.

    Raises ValueError, with the word, where words are replaced by each other in a circle.
    """
    if not words and not groups:
        return Terms(strict=strict) if strict else NO_TERMS
    preferred = {word: _last(words, word) for word in words}
    labels = {folded(word): folded(one) for word, one in preferred.items()}
    pairs = set()
    for group in groups:
        names = [preferred.get(word, word) for word in group]
        pairs |= {(one, other) for one in names for other in names if one != other}
    return Terms(preferred, labels, frozenset(pairs), strict)


def _last(words: Mapping[str, str], word: str) -> str:
    """The word at the end of `B = "batch"`, `batch = "N"`."""
    seen = {word}
    while words[word] in words:
        word = words[word]
        if word in seen:
            raise ValueError(word)
        seen.add(word)
    return words[word]
