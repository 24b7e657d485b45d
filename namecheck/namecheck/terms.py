"""A project's conventions on dims that the analysis uses: the settings `dims`, `may-meet`,
`strict`.

Two words for one dim become one: a name is replaced by the project's preferred word where it is
first read (`Terms.name`), and labels in comments are looked up under that word (`Terms.label`).
Without such settings this costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from namecheck_runtime.light.records import NamedTuple

__all__ = ["NO_TERMS", "Terms", "folded"]


def folded(label: str) -> str:
    """The form in which labels are compared: in lower case, except for single letters."""
    return label if len(label) == 1 else label.lower()


class Terms(NamedTuple):
    """The words of a project for dims.

    `words` maps each synonym to the word that replaces it; `pairs` are pairs of words, in both
    orders, that may meet although they are different dims; `strict` are additional codes to report.
    """

    words: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}
    """`words` in the form in which labels are compared."""
    pairs: frozenset[tuple[str, str]] = frozenset()
    strict: frozenset[str] = frozenset()

    def label(self, written: str) -> str:
        """The key under which a label is looked up."""
        key = folded(written)
        return self.labels.get(key, key) if self.labels else key

    def spellings(self, label: str) -> list[str]:
        """A label and its synonyms."""
        if not self.labels:
            return [label]
        key = self.label(label)
        others = [*self.words, *self.words.values()]
        return list(dict.fromkeys([label, *(word for word in others if self.label(word) == key)]))

    def name(self, written: Any) -> Any:
        """A dim's name, or several, in the project's words; any other value unchanged."""
        if isinstance(written, str):
            return self.words.get(written, written)
        if isinstance(written, tuple):
            return tuple([self.name(name) for name in written])
        return [self.name(name) for name in written] if isinstance(written, list) else written

    def may_meet(self, left: object, right: object) -> bool:
        """Whether these two names may meet."""
        return bool(self.pairs) and (left, right) in self.pairs


NO_TERMS: Final = Terms()


def agreed(
    words: Mapping[str, str], groups: tuple[tuple[str, ...], ...], strict: frozenset[str]
) -> Terms:
    """The terms of these settings: synonyms, groups of words that may meet, and strict codes.

    Raises `ValueError`, with a word, if words replace each other in a circle.
    """
    if not words and not groups:
        return Terms(strict=strict) if strict else NO_TERMS
    preferred = {word: _last(words, word) for word in words}
    labels = {folded(word): folded(last) for word, last in preferred.items()}
    pairs = set()
    for group in groups:
        names = [preferred.get(word, word) for word in group]
        pairs |= {(name, other) for name in names for other in names if name != other}
    return Terms(preferred, labels, frozenset(pairs), strict)


def _last(words: Mapping[str, str], word: str) -> str:
    """The word at the end of a chain such as `B = "batch"`, `batch = "N"`."""
    seen = {word}
    while words[word] in words:
        word = words[word]
        if word in seen:
            raise ValueError(word)
        seen.add(word)
    return words[word]
