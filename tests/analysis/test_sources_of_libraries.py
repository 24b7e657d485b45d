"""Parts of libraries that are Python: the analyzer evaluates sources of ours in their place.

Each program has right tests and wrong ones. A line ends in the code that is reported there.
"""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

from namecheck.analysis import analyze_text, open_program
from namecheck.files.project import Project
from namecheck.frameworks import torch

SOURCES = Path(torch.__file__).parent / "sources"

PROGRAMS = {
    "whatever the module is called": """
        import torch.distributions as td
        from torch import distributions
        from torch.distributions.beta import Beta

        def test_drive():
            first = td.Normal(torch.zeros(3, 4), torch.ones(4))
            second = distributions.Bernoulli(logits=torch.zeros(3, 5))
            third = torch.distributions.Uniform(torch.zeros(2), 1.0)
            fourth = Beta(torch.ones(6), torch.ones(6))
            first.sample() @ torch.zeros(4)
            second.sample((2,)).view(2, 15)
            third.rsample((7,)) @ torch.zeros(2)
            fourth.log_prob(fourth.rsample()) @ torch.zeros(6)

        def test_wrong():
            drawn = td.Normal(torch.zeros(3, 4), torch.ones(4)).rsample((2,))
            return drawn @ torch.zeros(3)  # NC203
        """,
    "a mistake inside is one of the call": """
        from torch.distributions import Categorical, Independent, Normal

        def chance(policy, action):
            return policy.log_prob(action)  # NC201

        def test_right():
            chance(Categorical(logits=torch.zeros(5, 3)), torch.zeros(5).long())
            chance(Independent(Normal(torch.zeros(5, 3), 1.0), 1), torch.zeros(5, 3))

        def test_wrong():
            return chance(Independent(Normal(torch.zeros(5, 3), 1.0), 1), torch.zeros(5, 2))
        """,
    "what the source does not have is unknown": """
        from torch.distributions import LKJCholesky, constraints
        from torch.distributions.transforms import StickBreakingTransform

        def test_drive():
            drawn = LKJCholesky(3, 0.5).sample()
            made = StickBreakingTransform()(torch.zeros(4))
            return drawn @ made, constraints.positive.check(torch.zeros(3)).view(5)
        """,
    "classes of the project extend it": """
        from torch.distributions import Distribution, Normal

        class Twice(Normal):
            def log_prob(self, value):
                return 2 * super().log_prob(value).sum(-1)

        class Own(Distribution):
            def __init__(self, size):
                super().__init__(torch.Size([size]), torch.Size([2]), validate_args=False)

            def sample(self, sample_shape=torch.Size()):
                return torch.zeros(self._extended_shape(sample_shape))

        def test_drive():
            twice = Twice(torch.zeros(5, 4), 1.0)
            twice.log_prob(twice.sample()) @ torch.zeros(5)
            Own(3).sample((7,)).view(42)
            return isinstance(twice, Normal) or torch.zeros(2) @ torch.zeros(3)

        def test_wrong():
            return Own(3).sample((7,)) @ torch.zeros(3)  # NC203
        """,
    "an expanded distribution has other batch dims": """
        from torch.distributions import Independent, Normal

        def test_drive():
            wide = Normal(torch.zeros(4), 1.0).expand((6, 4))
            wide.sample((2,)).view(48)
            Independent(wide, 1).log_prob(torch.zeros(4)) @ torch.zeros(6)
            return Independent(wide, 2).log_prob(torch.zeros(6, 4)).view(3)  # NC204
        """,
    "gradients reach the parameters": """
        from torch.distributions import Normal

        def test_drive():
            mean = torch.zeros(3, requires_grad=True)
            q = Normal(mean, torch.ones(3))
            q.log_prob(q.rsample()).sum().backward()
            q.log_prob(q.sample()).backward()  # NC505
            return mean @ torch.zeros(4)  # NC203
        """,
    "optimizers keep their groups": """
        from torch.optim import SGD, Adam

        def test_drive():
            layer = nn.Linear(3, 4)
            optimizer = Adam([{"params": layer.weight}, {"params": [layer.bias], "lr": 0.1}])
            optimizer.zero_grad()
            bias = optimizer.param_groups[1]["params"][0]
            bias @ torch.zeros(4)
            SGD(layer.parameters(), lr=0.1).step(lambda: layer(torch.ones(2, 3)).sum())
            return optimizer.param_groups[0]["params"][0] @ torch.zeros(4)  # NC203
        """,
    "a step may call a closure": """
        def test_drive():
            layer = nn.Linear(3, 4)
            optimizer = torch.optim.LBFGS(layer.parameters())

            def closure():
                return layer(torch.ones(2, 5)).sum()  # NC208

            optimizer.step(closure)
        """,
    "nothing is known of a schedule": """
        from torch.optim.lr_scheduler import LambdaLR

        def test_drive():
            optimizer = torch.optim.SGD(nn.Linear(3, 4).parameters(), lr=0.1)
            schedule = LambdaLR(optimizer, lambda step: 0.9**step)
            schedule.step()
            return torch.zeros(3) @ schedule.get_last_lr()
        """,
}


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in PROGRAMS.items()])
def test_programs_that_use_them(program: str) -> None:
    check_marks(HEAD + dedent(program))


def test_a_finding_is_in_the_program() -> None:
    text = (
        "from torch.distributions import Normal\nimport torch\n\n\ndef draw():\n    return Normal("
    )
    text += "torch.zeros(3), torch.ones(4)).sample()\n"
    (finding,) = analyze_text("a.py", text).findings
    assert (finding.path, finding.span.line) == ("a.py", 6)


@pytest.mark.parametrize("name", sorted(torch.SOURCES.values()))
def test_sources_are_python_that_nothing_imports(name: str) -> None:
    tree = ast.parse((SOURCES / f"{name}.py").read_text(encoding="utf-8"))
    assert any(isinstance(node, ast.ClassDef) for node in tree.body)


def test_a_result_does_not_depend_on_our_own_files(tmp_path: Path) -> None:
    """The version of namecheck stands for them: the cache would never find them unchanged."""
    text = "import torch\nfrom torch.distributions import Normal\n\n"
    text += "y = Normal(torch.zeros(3), torch.ones(3)).log_prob(torch.zeros(2, 3))\n"
    program = open_program(Project([str(tmp_path)]))
    assert analyze_text(str(tmp_path / "a.py"), text, program=program).depends == ()
