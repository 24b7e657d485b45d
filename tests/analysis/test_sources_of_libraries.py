"""Parts of libraries that are Python: the analyzer evaluates sources of ours in their place.

Those of distributions are our runtime library's own.

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
from namecheck.frameworks import canonical, is_source, read_source, source_of, torch

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
            return drawn @ made, constraints.cat([constraints.positive]).check(torch.zeros(3))
        """,
    "all modules of it are known": """
        from torch.distributions import constraints
        from torch.distributions.relaxed_bernoulli import LogitRelaxedBernoulli
        from torch.distributions.utils import broadcast_all

        def test_drive():
            drawn = LogitRelaxedBernoulli(torch.tensor(0.5), torch.ones(3)).rsample((2,))
            first, second = broadcast_all(torch.zeros(4, 1), drawn[0])
            first @ torch.zeros(3)
            return constraints.simplex.check(second) @ torch.zeros(3)  # NC203
        """,
    "and those of our own library": """
        import namecheck_runtime.distributions as D
        from namecheck_runtime.distributions import Categorical

        def test_drive():
            chosen = Categorical(logits=torch.zeros(5, 3)).sample((2,))
            drawn = D.Beta(torch.ones(4), torch.ones(4)).rsample((2,))
            return chosen + drawn  # NC201
        """,
    "divergences follow the classes": """
        from torch.distributions import Independent, LogNormal, Normal, kl_divergence, register_kl

        class Twice(Normal):
            pass

        class Wide(Normal):
            pass

        @register_kl(Twice, Normal)
        def _of_twice(p, q):
            return 2 * (p.loc - q.loc).sum(-1)

        def test_drive():
            plain = Normal(torch.zeros(5, 3), 1.0)
            kl_divergence(Twice(torch.zeros(5, 3), 1.0), plain) @ torch.zeros(5)
            kl_divergence(Wide(torch.zeros(5, 3), 1.0), plain) @ torch.zeros(3)
            kl_divergence(Independent(plain, 1), Independent(plain, 1)) @ torch.zeros(5)
            both = LogNormal(torch.zeros(3), 1.0), LogNormal(torch.zeros(5, 1), 1.0)
            return kl_divergence(*both) @ torch.zeros(5)  # NC203
        """,
    "a base is as large as its transforms": """
        from torch.distributions import AffineTransform, Normal, TransformedDistribution

        def test_drive():
            move = AffineTransform(torch.zeros(3), torch.ones(3))
            flow = TransformedDistribution(Normal(0.0, 1.0), move)
            flow.sample((2,)) @ torch.zeros(3)
            return torch.zeros(flow.batch_shape) @ torch.zeros(2)  # NC203
        """,
    "values are checked where the program wants it": """
        from torch.distributions import Normal

        def test_drive():
            loose = Normal(torch.zeros(4), torch.ones(4), validate_args=False)
            strict = Normal(torch.zeros(4), torch.ones(4), validate_args=True)
            loose.log_prob(torch.zeros(5, 1)) @ strict.log_prob(torch.zeros(4))

        def test_wrong():
            strict = Normal(torch.zeros(4), torch.ones(4), validate_args=True)
            return strict.log_prob(torch.zeros(3))  # NC405
        """,
    "a program that asks for what is not defined is left alone": """
        from torch.distributions import Bernoulli, Categorical

        def test_drive():
            try:
                drawn = Categorical(logits=torch.zeros(5, 3)).rsample()
            except NotImplementedError:
                drawn = Bernoulli(0.5).sample((5,))
            return drawn @ torch.zeros(5)
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


def test_notes_lead_nowhere_else() -> None:
    text = "import torch\nfrom torch.distributions import Categorical\n\n"
    text += "chosen = Categorical(torch.ones(6, 5))\nwrong = chosen.probs @ torch.zeros(6)\n"
    (finding,) = analyze_text("a.py", text).findings
    assert all(note.path is None for note in finding.notes)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *[(f"{package}.Any", package) for package in (*torch.SOURCES, *torch.OWN_SOURCES)],
        ("torch.distributions.kl.kl_divergence", "torch.distributions.kl"),
        ("torch.distributions.normal.Normal", "torch.distributions"),
        ("namecheck_runtime.distributions.kl.kl_divergence", "torch.distributions.kl"),
    ],
)
def test_the_module_of_a_path(path: str, name: str) -> None:
    source = source_of(canonical(path))
    assert source is not None
    module, file = source
    assert module == name
    assert is_source(file)
    text = read_source(file)
    assert text is not None
    ast.parse(text)


def test_other_packages_have_no_source() -> None:
    for path in ("torch.nn.Linear", "torch.distributed.init", "namecheck_runtime.nn.Linear"):
        assert source_of(path) is None
    assert not is_source(__file__)
    assert read_source(__file__) is None


def test_sources_are_read_when_they_are_used(tmp_path: Path) -> None:
    program = open_program(Project([str(tmp_path)]))
    plain = "import torch\n\ny = torch.zeros(3)\n"
    analyze_text(str(tmp_path / "a.py"), plain, program=program)
    assert not any(map(is_source, program.modules))
    used = plain + "z = torch.distributions.Normal(y, 1.0).sample()\n"
    analyze_text(str(tmp_path / "b.py"), used, program=program)
    read = {Path(path).stem for path, module in program.modules.items() if module.frame is not None}
    assert "location_scale" in read
    assert "counts" not in read


def test_a_result_does_not_depend_on_our_own_files(tmp_path: Path) -> None:
    """The version of namecheck stands for them: the cache would never find them unchanged."""
    text = "import torch\nfrom torch.distributions import Normal\n\n"
    text += "y = Normal(torch.zeros(3), torch.ones(3)).log_prob(torch.zeros(2, 3))\n"
    program = open_program(Project([str(tmp_path)]))
    assert analyze_text(str(tmp_path / "a.py"), text, program=program).depends == ()
