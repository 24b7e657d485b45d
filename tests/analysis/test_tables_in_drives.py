"""What a drive finds in tables and caches of modules, in sets, in loaders, and by `hasattr`.

Each program has right tests and wrong ones. A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

TABLES = {
    "a table of rules that a function extends": """
        RULES = [(nn.Linear, lambda layer: layer.out_features), (nn.Sequential, lambda row: 5)]

        def register(kind, rule):
            for place, (known, _) in enumerate(RULES):
                if known == kind:
                    RULES[place] = (kind, rule)
                    return
            RULES.append((kind, rule))

        def width_of(module):
            for kind, rule in RULES:
                if isinstance(module, kind):
                    return rule(module)
            return 1

        def test_widths():
            right = torch.ones(2, 7) @ torch.ones(width_of(nn.Linear(3, 7)), 2)
            right = torch.ones(2, 1) @ torch.ones(width_of(nn.ReLU()), 2)
            right = torch.ones(2, 5) @ torch.ones(width_of(nn.Sequential(nn.ReLU())), 2)
            return torch.ones(2, 3) @ torch.ones(width_of(nn.Linear(3, 7)), 2)  # NC203

        def test_registered():
            register(nn.ReLU, lambda layer: 9)
            right = torch.ones(2, 9) @ torch.ones(width_of(nn.ReLU()), 2)
            return torch.ones(2, 1) @ torch.ones(width_of(nn.ReLU()), 2)  # NC203

        def test_what_another_test_registers_is_not_there():
            return torch.ones(2, 1) @ torch.ones(width_of(nn.ReLU()), 2)
        """,
    "a cache, which begins empty": """
        _KEPT = {}

        def table(length, width):
            key = (length, width)
            if key not in _KEPT:
                _KEPT[key] = torch.zeros(length, width)
            return _KEPT[key]

        def test_kept():
            right = torch.ones(3, 4) + table(3, 4) + table(3, 4)
            return torch.ones(3, 4) + table(4, 3)  # NC201
        """,
    "a cache that `get` reads": """
        CACHE = {}

        def table(length):
            found = CACHE.get(length)
            if found is None:
                found = CACHE[length] = torch.zeros(length)
            return found

        def test_kept():
            right = torch.ones(3) + table(3)
            return torch.ones(3) + table(4)  # NC201
        """,
    "settings that a function changes": """
        SETTINGS = {"width": 8}

        def configure(**given):
            SETTINGS.update(given)

        def test_as_they_are():
            right = torch.ones(2, 8) @ torch.ones(SETTINGS["width"], 2)
            return torch.ones(2, 9) @ torch.ones(SETTINGS["width"], 2)  # NC203

        def test_changed():
            configure(width=9)
            right = torch.ones(2, 9) @ torch.ones(SETTINGS["width"], 2)
            return torch.ones(2, 8) @ torch.ones(SETTINGS["width"], 2)  # NC203
        """,
    "a table that the top level fills by a function": """
        SIZES = {"small": 3}

        def enter(name, size):
            SIZES[name] = size

        enter("small", 5)

        def test_not_known():
            return torch.ones(2, 5) @ torch.ones(SIZES["small"], 2)
        """,
    "a table that decorators fill": """
        BLOCKS = {}

        def register(name):
            def enter(cls):
                BLOCKS[name] = cls
                return cls
            return enter

        @register("wide")
        class Wide(nn.Linear):
            def __init__(self, width):
                super().__init__(width, 2 * width)

        def test_entered():
            right = BLOCKS["wide"](3)(torch.ones(2, 3)) @ torch.ones(6, 2)
            return BLOCKS["wide"](3)(torch.ones(2, 3)) @ torch.ones(3, 2)  # NC203

        def test_not_known():
            return BLOCKS.get("deep", Wide)(3)(torch.ones(2, 3)) @ torch.ones(3, 2)
        """,
    "an empty list that others fill": """
        HOOKS = []

        def add(hook):
            HOOKS.append(hook)

        def through(x):
            for hook in HOOKS:
                x = hook(x)
            return x

        def test_not_known():
            return through(torch.ones(2, 5)) @ torch.ones(3, 2)
        """,
}

ATTRIBUTES = {
    "of tensors": """
        def plain(x):
            if hasattr(x, "as_tensor"):
                x = x.as_tensor()
            if hasattr(x, "detach"):
                x = x.detach()
            scale = getattr(x, "scale", None)
            return x if scale is None else x * scale

        def test_tensors():
            right = plain(torch.ones(2, 3)) @ torch.ones(3, 2)
            return plain(torch.ones(2, 3)) @ torch.ones(4, 2)  # NC203
        """,
    "that the program sets on tensors": """
        def mark(x):
            x.names_of = "bt"
            return x

        def read(x):
            return x[0] if hasattr(x, "names_of") else x

        def test_not_known():
            return read(mark(torch.ones(2, 3)).clone()).view(3)
        """,
    "of layers": """
        def rows(layer):
            if hasattr(layer, "weight_g"):
                return 1
            return layer.weight.shape[0] if hasattr(layer, "weight") else 2

        def test_layers():
            right = torch.ones(2, 7) @ torch.ones(rows(nn.Linear(3, 7)), 2)
            return torch.ones(2, 3) @ torch.ones(rows(nn.Linear(3, 7)), 2)  # NC203

        def test_dressed_layers_have_more():
            return torch.ones(2, 9) @ torch.ones(rows(nn.utils.weight_norm(nn.Linear(3, 7))), 2)
        """,
    "options that layers keep": """
        def test_options():
            rnn = nn.GRU(3, 5, bidirectional=True)
            width = 5 * (2 if rnn.bidirectional else 1)
            right = rnn(torch.ones(4, 2, 3))[0] @ torch.ones(width, 2)
            step = nn.MaxPool1d(4).stride
            return torch.ones(2, 3) @ torch.ones(step, 2)  # NC203
        """,
    "that a wrapper passes on": """
        class Wrapper(nn.Module):
            def __init__(self, module):
                super().__init__()
                self.module = module

            def __getattr__(self, name):
                try:
                    return super().__getattr__(name)
                except AttributeError:
                    return getattr(self.module, name)

        def test_wrapped():
            wrapped = Wrapper(nn.Linear(3, 7))
            right = torch.ones(2, 7) @ torch.ones(wrapped.out_features, 2)
            return torch.ones(2, 3) @ torch.ones(wrapped.out_features, 2)  # NC203
        """,
}

CLASSES = {
    "of layers and containers": """
        def kernels(net):
            found = [one for one in net.modules() if isinstance(one, nn.Conv1d)]
            return sum(one.kernel_size[0] for one in found)

        def test_all():
            net = nn.Sequential(nn.Conv1d(3, 4, 5), nn.Tanh(), nn.Sequential(nn.Conv1d(4, 4, 2)))
            right = torch.ones(2, 7) @ torch.ones(kernels(net), 2)
            return torch.ones(2, 5) @ torch.ones(kernels(net), 2)  # NC203
        """,
    "of subclasses": """
        def size(layer):
            if isinstance(layer, nn.Sequential):
                return 3
            if isinstance(layer, nn.Hardtanh):
                return 4
            if isinstance(layer, (nn.Linear, nn.Conv2d)):
                return 5
            return 6

        def test_each():
            right = torch.ones(2, 3) @ torch.ones(size(nn.Sequential()), 2)
            right = torch.ones(2, 4) @ torch.ones(size(nn.ReLU6()), 2)
            right = torch.ones(2, 5) @ torch.ones(size(nn.LazyConv2d(3, 3)), 2)
            right = torch.ones(2, 6) @ torch.ones(size(nn.ConvTranspose2d(3, 3, 3)), 2)
            right = torch.ones(2, 6) @ torch.ones(size(nn.ModuleList()), 2)
            return torch.ones(2, 3) @ torch.ones(size(nn.ReLU6()), 2)  # NC203
        """,
}

SETS = {
    "operators": """
        ALLOWED = frozenset({"width", "depth"})

        def build(**options):
            unknown = set(options) - ALLOWED
            if unknown:
                return torch.zeros(1)
            kept = options.keys() & {"width"}
            return torch.zeros(len(kept), len({1, 2} | {2, 3}), len(ALLOWED ^ {"depth", "heads"}))

        def test_sizes():
            right = build(width=2, depth=3) + torch.ones(1, 3, 2)
            right = build(width=2, heads=3) + torch.ones(5)
            return build(width=2, depth=3) + torch.ones(1, 4, 2)  # NC201
        """,
    "methods and comparisons": """
        def test_sizes():
            names = {"a", "b"}
            names.add("b")
            names.update(["c", "d"])
            names.discard("a")
            size = len(names.union({"e"}).difference({"d", "x"}).intersection("abce"))
            right = torch.zeros(size) + torch.ones(3)
            if {"b"} <= names and names.issuperset({"c"}) and names == {"d", "c", "b"}:
                size += 1
            right = torch.zeros(size) + torch.ones(4)
            if isinstance(names, list):
                size += 1
            return torch.zeros(size) + torch.ones(5)  # NC201
        """,
    "of what is not known": """
        def test_not_known(path):
            names = {"a", path} - {"b"}
            return torch.zeros(len(names)) + torch.ones(5)

        def test_of_unknown():
            test_not_known(unknown())
        """,
}

LOADERS = {
    "the elements of a dataset": """
        from torch.utils.data import DataLoader, TensorDataset

        def test_elements():
            data = TensorDataset(torch.ones(10, 4), torch.ones(10, 2))
            right = torch.ones(len(data)) + torch.ones(10)
            x, y = data[3]
            right = x.sum() + y
            for x, y in DataLoader(data, batch_size=5, shuffle=True):
                right = x.T @ y
            part, rest = torch.utils.data.random_split(data, [6, 4])
            right = torch.ones(len(part)) + torch.ones(6)
            return data[3][0] + torch.ones(2)  # NC201

        def test_what_a_sampler_draws():
            data = TensorDataset(torch.ones(10, 4), torch.ones(10, 2))
            for x, y in DataLoader(data, 5, sampler=torch.utils.data.SubsetRandomSampler([1, 2])):
                right = torch.ones(3, 2) @ x
        """,
}

HOOKS = {
    "that keep what layers compute": """
        class Features(nn.Module):
            def __init__(self, net, names):
                super().__init__()
                self.net = net
                self.kept = {}
                self.handles = []
                for name, module in net.named_modules():
                    if name in names:
                        self.handles.append(module.register_forward_hook(self.keep(name)))

            def keep(self, name):
                def hook(module, inputs, output):
                    self.kept[name] = output
                return hook

            def forward(self, x):
                self.net(x)
                return self.kept

        def test_kept():
            net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 5))
            kept = Features(net, {"0", "2"})(torch.ones(2, 3))
            right = kept["0"] @ torch.ones(4, 2) + kept["2"] @ torch.ones(5, 2)
            return kept["0"] + kept["2"]  # NC201
        """,
    "that change the result, until they are removed": """
        def test_changed():
            layer = nn.Linear(3, 4)
            handle = layer.register_forward_hook(lambda module, inputs, output: output.T)
            right = layer(torch.ones(2, 3)) + torch.ones(4, 2)
            wrong = layer(torch.ones(2, 3)) + torch.ones(2, 4)  # NC201
            handle.remove()
            right = layer(torch.ones(2, 3)) + torch.ones(2, 4)
            return layer(torch.ones(2, 3)) + torch.ones(4, 2)  # NC201
        """,
    "that get more": """
        def test_not_known():
            layer, kept = nn.Linear(3, 4), {}
            layer.register_forward_hook(lambda m, a, k, y: kept.update(y=y), with_kwargs=True)
            y = layer(torch.ones(2, 3))
            return kept["y"] + torch.ones(7)
        """,
}

STATES = {
    "of layers": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU())
                self.last = nn.Conv1d(4, 5, 2, bias=False)

        def test_state():
            state = {f"net.{name}": one for name, one in Net().state_dict().items()}
            right = torch.ones(len(state)) + torch.ones(8)
            right = state["net.body.0.weight"] + torch.ones(4, 3) + state["net.last.weight"].sum()
            return state["net.body.0.weight"] + torch.ones(3, 4)  # NC201
        """,
    "of tensors": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(3))
                self.shift = torch.ones(4)

        def test_not_known():
            return torch.ones(len(Net().state_dict())) + torch.ones(7)
        """,
}

LISTS = {
    "that drop what is too much": """
        from collections import defaultdict, deque

        def test_limited():
            last = deque(maxlen=2)
            for size in (3, 4, 5):
                last.append(torch.ones(2, size))
            right = torch.cat(list(last), dim=1) + torch.ones(2, 9)
            return torch.cat(list(last), dim=1) + torch.ones(2, 12)  # NC201
        """,
    "made for a missing key": """
        from collections import defaultdict

        def test_missing():
            rows = defaultdict(list)
            for size in (3, 4):
                rows["wide"].append(torch.ones(2, size))
            right = torch.cat(rows["wide"], dim=1) + torch.ones(2, 7)
            return torch.cat(rows["wide"], dim=1) + torch.ones(2, 4)  # NC201
        """,
    "that are cleared": """
        class Buffer:
            def __init__(self):
                self.parts = []

            def push(self, x):
                self.parts.append(x)
                if len(self.parts) < 2:
                    return None
                whole = torch.cat(self.parts, dim=-1)
                self.parts.clear()
                return whole

        def test_buffer():
            buffer = Buffer()
            for size in (3, 4, 5, 6):
                whole = buffer.push(torch.ones(2, size))
            right = whole + torch.ones(2, 11)
            return whole + torch.ones(2, 7)  # NC201
        """,
    "of tensors without dims": """
        def test_scalars():
            x = torch.ones(3)
            row = torch.stack([x.sum(), x.mean(), torch.tensor(1.0)])
            right = row + torch.ones(3)
            losses = torch.stack([one * 2 for one in x]).view(3, 1)
            return row + torch.ones(4)  # NC201
        """,
    "from which a value is removed": """
        def test_removed():
            sizes = [3, 4, 5]
            sizes.remove(4)
            right = torch.ones(2, 5) @ torch.ones(sizes[1], 2)
            right = torch.ones(2, 1) @ torch.ones(sizes.index(5), 2)
            return torch.ones(2, 4) @ torch.ones(sizes[1], 2)  # NC203
        """,
    "texts taken apart": """
        def test_texts():
            name, _, size = "conv:3".partition(":")
            right = torch.ones(2, 3) @ torch.ones(int(size), 2)
            size = "width_7".removeprefix("width_")
            return torch.ones(2, 3) @ torch.ones(int(size), 2)  # NC203
        """,
}


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(one, id=name)
        for part in (TABLES, ATTRIBUTES, CLASSES)
        for name, one in part.items()
    ],
)
def test_what_modules_and_objects_have(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(one, id=name)
        for part in (SETS, LOADERS, LISTS, HOOKS, STATES)
        for name, one in part.items()
    ],
)
def test_what_rows_have(program: str) -> None:
    check_marks(HEAD + dedent(program))
