"""What a drive follows: rows of known elements, branches, modules with a state, rounds of loops.

Each program has right tests and wrong ones. A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

ROWS = {
    "a filter with a predicate of the program": """
        def exists(value):
            return value is not None

        def joined(*parts):
            return torch.cat(tuple(filter(exists, parts)), dim=-1)

        def test_right():
            return joined(torch.ones(3, 4), None, torch.ones(3, 2)) @ torch.ones(6, 2)

        def test_wrong():
            return joined(torch.ones(3, 4), None, torch.ones(3, 2)) @ torch.ones(7, 2)  # NC203
        """,
    "a filter that takes what is true, of NumPy's arrays": """
        def test_filter():
            sizes = list(filter(None, [3, 0, 4]))
            right = np.ones((2, 7)) @ np.ones((sum(sizes), 2))
            return np.ones((2, 8)) @ np.ones((sum(sizes), 2))  # NC203
        """,
    "a filter that is not decided": """
        def test_filter(keep):
            pass

        def test_unknown():
            sizes = list(filter(lambda size: size > unknown(), [3, 4]))
            return torch.ones(2, 9) @ torch.ones(sum(sizes), 2)
        """,
    "sizes in their order": """
        class Choir(nn.Module):
            def __init__(self, spans, voices):
                super().__init__()
                pairs = zip(sorted(spans, reverse=True), voices)
                self.parts = nn.ModuleList([nn.Linear(span, voice) for span, voice in pairs])

            def forward(self, x):
                return self.parts[0](x)  # NC208

        def test_right():
            return Choir((3, 5), (6, 2))(torch.ones(2, 5))

        def test_wrong():
            return Choir((3, 5), (6, 2))(torch.ones(2, 3))
        """,
    "an order by a key": """
        def widest(layers):
            return sorted(layers, key=lambda layer: layer[1])[-1]

        def test_key():
            name, size = widest([("a", 3), ("b", 7), ("c", 5)])
            right = torch.ones(2, 7) @ torch.ones(size, 2)
            return torch.ones(2, 5) @ torch.ones(size, 2)  # NC203
        """,
    "functions of itertools": """
        import itertools

        def parts(sizes):
            return [nn.Linear(a, b) for a, b in itertools.pairwise(sizes)]

        def test_pairs():
            first, last = parts([3, 5, 7])
            right = last(first(torch.ones(2, 3)))
            return first(last(torch.ones(2, 5)))  # NC208

        def test_repeat_and_chain():
            shape = tuple(itertools.chain(itertools.repeat(3, 2), (4,)))
            right = torch.ones(shape) @ torch.ones(4, 2)
            return torch.ones(shape) @ torch.ones(3, 2)  # NC203

        def test_product():
            pairs = list(itertools.product((1, 2), (3, 4)))
            right = torch.ones(4) + torch.ones(len(pairs))
            return torch.ones(3) + torch.ones(len(pairs))  # NC201
        """,
    "a reduction of known numbers": """
        from functools import reduce

        def test_reduce():
            size = reduce(lambda a, b: a * b, (2, 3, 4))
            right = torch.ones(2, 24) @ torch.ones(size, 2)
            return torch.ones(2, 9) @ torch.ones(size, 2)  # NC203
        """,
    "a comprehension longer than the elements that are taken one by one": """
        def test_long():
            rows = np.array([0.5 * hour for hour in range(200)])
            right = np.ones(200) + rows
            return np.ones(201) + rows  # NC201

        def test_chosen():
            rows = np.array([hour for hour in range(40) if hour % 2])
            right = np.ones(20) + rows
            return np.ones(40) + rows  # NC201
        """,
    "a dict by its elements": """
        class Atlas(nn.Module):
            def __init__(self, pages):
                super().__init__()
                sizes = {str(page): 5 + page for page in range(pages) if page > 0}
                maps = {name: nn.Linear(3, size) for name, size in sizes.items()}
                self.maps = nn.ModuleDict(maps)

            def forward(self, x):
                return self.maps[str(2)](x)

        def test_right():
            return Atlas(3)(torch.ones(2, 3)) @ torch.ones(7, 2)

        def test_wrong():
            return Atlas(3)(torch.ones(2, 3)) @ torch.ones(6, 2)  # NC203
        """,
    "keywords by their prefix": """
        def by_prefix(prefix, options):
            start = len(prefix)
            return {key[start:]: value for key, value in options.items() if key.startswith(prefix)}

        class Head(nn.Module):
            def __init__(self, dim, **options):
                super().__init__()
                self.lin = nn.Linear(dim, by_prefix("out_", options).get("dim", 4))

            def forward(self, x):
                return self.lin(x)

        def test_right():
            return Head(3, out_dim=5, in_dim=7)(torch.ones(2, 3)) + torch.ones(5)

        def test_wrong():
            return Head(3, out_dim=5, in_dim=7)(torch.ones(2, 3)) + torch.ones(7)  # NC201
        """,
    "an iterator keeps its place": """
        def test_next():
            sizes = iter([3, 4, 5])
            first, second = next(sizes), next(sizes)
            right = torch.ones(2, 4) @ torch.ones(second, 2)
            for size in sizes:
                right = torch.ones(2, 5) @ torch.ones(size, 2)
            return torch.ones(2, 4) @ torch.ones(first, 2)  # NC203
        """,
    "tuples with names": """
        from collections import namedtuple

        Pair = namedtuple("Pair", ["left", "right"])

        def test_names():
            pair = Pair(torch.ones(2, 3), right=torch.ones(3, 4))
            right = pair.left @ pair.right
            return pair.right @ pair.left  # NC203
        """,
    "a list of a tensor's numbers": """
        def test_list():
            steps = torch.linspace(0, 1, 3).tolist()
            right = torch.ones(3) + torch.tensor(steps)
            return torch.ones(4) + torch.tensor(steps)  # NC201
        """,
}

CLASSES = {
    "what a value is an instance of": """
        from collections.abc import Iterable
        from itertools import repeat

        def to_pair(x):
            if isinstance(x, Iterable) and not isinstance(x, str):
                return tuple(x)
            return tuple(repeat(x, 2))

        class Patches(nn.Module):
            def __init__(self, size, dim):
                super().__init__()
                self.size = to_pair(size)
                self.proj = nn.Linear(self.size[0] * self.size[1], dim)

            def forward(self, x):
                return self.proj(x)  # NC208

        def test_number():
            right = Patches(3, 5)(torch.ones(2, 9))
            return Patches(3, 5)(torch.ones(2, 3))

        def test_pair():
            right = Patches((3, 4), 5)(torch.ones(2, 12))
            return Patches((3, 4), 5)(torch.ones(2, 9))
        """,
    "members of an enumeration": """
        from enum import Enum

        class Format(str, Enum):
            FIRST = "first"
            LAST = "last"

        class Mode(Enum):
            WIDE = 1
            NARROW = 2

        def channels(x, format):
            format = Format(format)
            return x.shape[1] if format is Format.FIRST else x.shape[-1]

        def width(mode):
            return 7 if mode == Mode.WIDE else 3

        def test_formats():
            x = torch.ones(2, 3, 4)
            right = torch.ones(3) + torch.ones(channels(x, "first"))
            return torch.ones(3) + torch.ones(channels(x, Format.LAST))  # NC201

        def test_modes():
            right = torch.ones(3) + torch.ones(width(Mode.NARROW))
            return torch.ones(3) + torch.ones(width(Mode(1)))  # NC201
        """,
    "what may be called": """
        def default(value, other):
            if value is not None:
                return value
            return other() if callable(other) else other

        def test_number():
            right = torch.ones(5) + torch.ones(default(None, 5))
            return torch.ones(4) + torch.ones(default(None, 5))  # NC201

        def test_function():
            right = torch.ones(5) + default(None, lambda: torch.ones(5))
            return torch.ones(4) + default(None, lambda: torch.ones(5))  # NC201
        """,
}

MODULES = {
    "a flag that the test sets on the modules inside": """
        class Attention(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.fused = choose()
                self.lin = nn.Linear(dim, dim)

            def forward(self, x):
                if self.fused:
                    return self.lin(x)
                return self.lin(x).mT

        class Model(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.blocks = nn.ModuleList([Attention(dim) for _ in range(2)])

            def forward(self, x):
                for block in self.blocks:
                    x = block(x) + torch.ones(4, 3)  # NC201
                return x

        def test_right():
            model = Model(3)
            for part in model.modules():
                if isinstance(part, Attention):
                    part.fused = True
            return model(torch.ones(4, 3))

        def test_wrong():
            model = Model(3)
            for name, part in model.named_modules():
                if hasattr(part, "fused"):
                    part.fused = False
            return model(torch.ones(4, 3))
        """,
    "the mode of a module": """
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Sequential(nn.Linear(3, 4))

            def forward(self, x):
                x = self.inner(x)
                return x if self.training else x[:, :2]

        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.model = Model()

            def train(self, mode=True):
                super().train(mode)
                self.model.eval()
                return self

            def forward(self, x):
                return self.model(x)

        def test_trained():
            right = Model()(torch.ones(2, 3)) + torch.ones(4)
            return Model().train()(torch.ones(2, 3)) + torch.ones(2)  # NC201

        def test_evaluated():
            right = Model().eval()(torch.ones(2, 3)) + torch.ones(2)
            return Model().train(False)(torch.ones(2, 3)) + torch.ones(4)  # NC201

        def test_own_mode():
            right = Outer().train()(torch.ones(2, 3)) + torch.ones(2)
            return Outer().train()(torch.ones(2, 3)) + torch.ones(4)  # NC201
        """,
    "a cache that a call fills": """
        class Rotary(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer(name="table", tensor=None)

            def fill(self, x):
                if self.table is not None:
                    return
                self.table = torch.zeros(x.shape[1], 4)

            def forward(self, x):
                self.fill(x)
                return x @ self.table  # NC203

        def test_right():
            return Rotary()(torch.ones(3, 5))

        def test_filled_before():
            rotary = Rotary()
            rotary(torch.ones(3, 5))
            return rotary(torch.ones(3, 6))
        """,
    "two objects with two states": """
        class Scale(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(dim))

            def grow(self, dim):
                self.weight = nn.Parameter(torch.ones(dim))

            def forward(self, x):
                return x * self.weight

        def test_right():
            one, other = Scale(3), Scale(3)
            one.grow(5)
            return one(torch.ones(2, 5)) @ torch.ones(5, 2), other(torch.ones(2, 3))

        def test_wrong():
            one, other = Scale(3), Scale(3)
            one.grow(5)
            return other(torch.ones(2, 3)) @ torch.ones(5, 2)  # NC203
        """,
    "a constructor's own mistake": """
        class Orchard(nn.Module):
            def __init__(self, trees, rows):
                super().__init__()
                self.plot = nn.Parameter(torch.zeros(trees, 4))
                self.plot.data.copy_(torch.zeros(rows, 4))  # NC201

        def test_right():
            return Orchard(9, 9)

        def test_wrong():
            return Orchard(9, 16)
        """,
    "a mistake in one round of a loop over what the test names": """
        def block(x, wide):
            return x @ (torch.ones(4, 7) if wide else torch.ones(3, 7))  # NC203

        def test_rounds():
            outputs = []
            for wide in (False, True):
                outputs.append(block(torch.ones(2, 3), wide))
            return outputs

        def right(x, wide):
            return x @ (torch.ones(4, 7) if wide else torch.ones(3, 7))

        def test_right_rounds():
            for wide, size in ((False, 3), (True, 4)):
                right(torch.ones(2, size), wide)
        """,
    "a mistake in a round that may not be run": """
        def test_rounds():
            for wide in (False, True):
                if unknown(wide):
                    break
                elif unknown():
                    torch.ones(3) + torch.ones(3)
            for _ in range(unknown()):
                torch.ones(3) + torch.ones(3)
        """,
}

SETS = {
    "a set has each element once": """
        def width(layers):
            widths = {layer.weight.shape[1] for layer in layers}
            if len(widths) != 1:
                raise ValueError(widths)
            return next(iter(widths))

        def test_one_width():
            n = width([nn.Linear(3, 4), nn.Linear(3, 5)])
            return torch.zeros(2, 4) @ torch.zeros(n, 2)  # NC203

        def test_display():
            return torch.zeros(len({3, 3, 4})) + torch.zeros(3)  # NC201

        def test_call():
            return torch.zeros(len(set([3, 3, 4]))) + torch.zeros(2)

        def test_texts():
            names = sorted({"a", "b", "a"})
            return torch.zeros(len(names)) + torch.zeros(3)  # NC201

        def test_unknown(request):
            a, b = request.param
            return torch.zeros(len({a, b})) + torch.zeros(5)
        """,
    "normalised layers are the layers": """
        from torch.nn.utils import spectral_norm
        from torch.nn.utils.parametrizations import weight_norm

        def layer(n, m):
            return spectral_norm(nn.Linear(in_features=n, out_features=m))

        def test_right():
            return weight_norm(nn.Linear(5, 3))(layer(4, 5)(torch.zeros(2, 4)))

        def test_wrong():
            return layer(4, 5)(torch.zeros(2, 3))  # NC208
        """,
}
COMMENTS = {
    "a comment says what holds in general, the drive what holds here": """
        import labels

        def loss(x, y):
            t = labels.one_hot(y, x.shape[1])  # [N, 21]
            return x.sigmoid() * t

        def test_loss():
            return loss(torch.rand(10, 3), torch.rand(10))
        """,
    "the program contradicts the comment": """
        def one_hot(y, n):
            t = torch.eye(n)[y]  # [N, 21]
            return t

        def loss(x, y):
            return x.sigmoid() * one_hot(y, 4)  # NC201

        def test_loss():
            return loss(torch.rand(10, 3), torch.zeros(10).long())
        """,
}
BRANCHES = {
    "both arms of a module flag": """
        try:
            from speedy import FAST
        except ImportError:
            FAST = False

        def blend(paint, brush):
            if FAST:
                return torch.matmul(paint, brush)  # NC203
            else:
                return paint @ brush

        def test_right():
            return blend(torch.ones(3, 4), torch.ones(4, 5))

        def test_wrong():
            return blend(torch.ones(3, 4), torch.ones(5, 4))
        """,
    "calls in both arms": """
        class Model(nn.Module):
            def __init__(self, fast):
                super().__init__()
                self.lin, self.fast = nn.Linear(3, 4), fast

            def quick(self, x):
                return self.lin(x)  # NC208

            def slow(self, x):
                return self.lin(x) * 2

            def forward(self, x):
                if self.fast:
                    x = self.quick(x)
                else:
                    x = self.slow(x)
                return x

        def test_right():
            return Model(unknown())(torch.ones(2, 3))

        def test_wrong():
            return Model(unknown())(torch.ones(2, 4))
        """,
    "an arm that raises does not go on": """
        def guarded(x, w):
            if unknown():
                raise ValueError
            else:
                y = x @ w  # NC203
            return y

        def test_right():
            return guarded(torch.ones(2, 4), torch.ones(4, 5))

        def test_wrong():
            return guarded(torch.ones(2, 3), torch.ones(4, 5))
        """,
    "one arm is right": """
        def either(x, w):
            if unknown():
                return x @ w
            elif unknown():
                return x @ w
            else:
                return x @ w.mT

        def maybe(x, w):
            if unknown():
                x = x @ w
            return x

        def early(x, w):
            if unknown():
                if x.sum() > 0:
                    return x
                return x @ w
            else:
                return x @ w

        def rounds(x, w):
            if unknown():
                for _ in range(unknown()):
                    x @ w
            else:
                x @ w

        def test_right():
            x, w = torch.ones(2, 3), torch.ones(4, 3)
            return either(x, w), maybe(x, w), early(x, w), rounds(x, w)
        """,
}


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in ROWS.items()])
def test_rows_of_known_elements_are_followed(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in CLASSES.items()])
def test_a_drive_knows_the_classes_of_values(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in MODULES.items()])
def test_modules_of_a_drive_have_a_state_of_their_own(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in BRANCHES.items()])
def test_a_mistake_is_told_where_every_way_has_one(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", SETS.values(), ids=list(SETS))
def test_sets_and_normalised_layers(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", COMMENTS.values(), ids=list(COMMENTS))
def test_comments_decide_nothing_in_functions_that_a_drive_calls(program: str) -> None:
    check_marks(HEAD + dedent(program))
