"""No fix changes code that only a docstring says to be wrong."""

from __future__ import annotations

import textwrap

from namecheck.analysis.runs.file_analysis import analyze_text
from namecheck.analysis.runs.findings_of import Mistakes
from namecheck.findings import Finding
from namecheck.fixes.proposals import propose

NORMALISED = '''
    import torch

    def normalised(x: torch.Tensor, ilens: torch.LongTensor):
        """Apply utterance mean and variance normalization

        Args:
            x: (B, T, D), assumed zero padded
            ilens: (B, T, D)
        """
        ilens_ = ilens.type_as(x)
        # mean: (B, D)
        mean = x.sum(dim=1) / ilens_[:, None]
        return x - mean[:, None, :]
    '''

CENTRED = '''
    import torch

    def centred(x: torch.Tensor):
        """Centre.

        Args:
            x: (B, T, D)
        """
        B, T, D = x.shape
        return x - x.mean(dim=1)
    '''


def _proposed(program: str) -> tuple[Finding, ...]:
    text = textwrap.dedent(program).lstrip("\n")
    mistakes: Mistakes = {}
    analysis = analyze_text("a.py", text, mistakes=mistakes)
    return propose("a.py", text, None, analysis, mistakes).findings


def test_a_docstring_that_is_wrong_about_another_operand() -> None:
    (finding,) = _proposed(NORMALISED)
    assert finding.code == "NC202"
    assert finding.fix is None


def test_what_was_reduced_may_keep_its_dims() -> None:
    (finding,) = _proposed(CENTRED)
    assert finding.fix is not None
    assert finding.fix.message == "Add `keepdim=True`"
