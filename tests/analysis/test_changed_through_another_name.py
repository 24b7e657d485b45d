"""Lists, dicts, objects and counters that a drive changes by a name that may be one of several.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "one of two lists": """
        import os
        import random
        import torch


        def find(root):
            first, second = [], []
            for name in os.listdir(root):
                if random.random() < 0.5:
                    inputs = first
                else:
                    inputs = second
                inputs.append(name)
            return first


        def test_found():
            assert len(find("x")) == 3


        def test_ternary():
            first, second = [], []
            inputs = first if random.random() < 0.5 else second
            inputs.append(4)
            made = torch.ones(len(first))
            assert made.shape == (1,)


        def test_none():
            first = [1, 2]
            inputs = first if random.random() < 0.5 else None
            if inputs is not None:
                inputs.append(2)
            assert len(first) == 3


        def test_more():
            first, second = [1, 2], [3, 4]
            one = first if random.random() < 0.5 else second
            one += [4]
            assert len(first) == 3


        def test_set():
            first, second = [1, 2], [3, 4]
            one = first if random.random() < 0.5 else second
            one[0] = 4
            assert first[0] == 4


        def test_shuffled():
            first, second = [1, 2], [3, 4]
            one = first if random.random() < 0.5 else second
            random.shuffle(one)
            assert first[0] == 2


        def test_untouched():
            first, second = [1, 2], [3, 4]
            one = first if random.random() < 0.5 else second
            print(one[0], len(one))
            assert len(first) == 3  # NC405
        """,
    "an element of unknown place": """
        import random


        def test_place():
            kept = []
            lists = [kept, []]
            lists[random.randint(0, 1)].append(3)
            assert len(kept) == 1


        def test_key():
            table = {"x": [], "y": []}
            for word in open("words"):
                table[word].append(1)
            assert len(table["x"]) == 3


        def test_get():
            table = {"x": [], "y": []}
            for word in open("words"):
                table.get(word).append(1)
            assert len(table["x"]) == 3


        def test_deleted():
            lists = [[1], [1]]
            one = lists[random.randint(0, 1)]
            del one[0]
            assert len(lists[0]) == 0


        def test_untouched():
            lists = [[1], [1]]
            print(lists[random.randint(0, 1)])
            assert len(lists[0]) == 0  # NC405
        """,
    "one of two dicts or objects": """
        import random
        import torch


        class Box:
            def __init__(self):
                self.n = 3


        def test_dict():
            first, second = {}, {}
            one = first if random.random() < 0.5 else second
            one["a"] = 4
            made = torch.ones(len(first))
            assert made.shape == (1,)


        def test_object():
            first, second = Box(), Box()
            one = first if random.random() < 0.5 else second
            one.n = 4
            made = torch.ones(first.n)
            assert made.shape == (4,)


        def test_by_name():
            first, second = Box(), Box()
            one = first if random.random() < 0.5 else second
            setattr(one, "n", 4)
            made = torch.ones(first.n)
            assert made.shape == (4,)


        def test_unknown_name():
            box = Box()
            for line in open("words"):
                setattr(box, line, 4)
            made = torch.ones(box.n)
            assert made.shape == (4,)


        def test_read():
            first, second = Box(), Box()
            one = first if random.random() < 0.5 else second
            print(one.n)
            made = torch.ones(first.n)
            assert made.shape == (4,)  # NC405
        """,
    "counters": """
        def test_method():
            total = 0

            class Model:
                def call(self, x):
                    nonlocal total
                    total += 1
                    return x

            model = Model()
            assert total == 0
            model.init(set_defaults=True)(1)
            assert total == 1


        def test_function():
            total = 0

            def hook(x):
                nonlocal total
                total += 1

            run(hook)
            assert total == 1


        calls = 0


        class Counted:
            def go(self):
                global calls
                calls += 1


        def test_global():
            other(Counted())
            assert calls == 1


        def test_own():
            total = 0

            class Model:
                def call(self, x):
                    total = 1
                    return total

            other(Model())
            assert total == 1  # NC405
        """,
    "an object given to code that is not followed": """
        import elsewhere
        import torch


        class Search:
            def __init__(self):
                self.costs = []
                self.best = 0
                self.most = 10

            def run(self, x):
                self.costs.append(x)
                self.best = x


        def test_given():
            search = Search()
            elsewhere.contract(*elsewhere.views(), optimize=search)
            made = torch.ones(len(search.costs))
            assert made.shape == (10,)
            made = torch.ones(search.best)
            assert made.shape == (3,)


        def test_kept():
            search = Search()
            elsewhere.contract(search)
            made = torch.ones(search.most)
            assert made.shape == (11,)  # NC405


        def test_not_given():
            search = Search()
            elsewhere.contract()
            made = torch.ones(len(search.costs))
            assert made.shape == (10,)  # NC405
        """,
    "modules under written names": """
        import torch
        from torch import nn


        class Layer(nn.Module):
            def __init__(self, inside, growth):
                super().__init__()
                self.conv = nn.Conv2d(inside, growth, 1)

            def forward(self, *before):
                return self.conv(torch.cat(before, 1))


        class Block(nn.Module):
            def __init__(self, name, layers, inside, growth):
                super().__init__()
                for i in range(layers):
                    self.add_module(name % (i + 1), Layer(inside + i * growth, growth))

            def forward(self, x):
                features = [x]
                for _, layer in self.named_children():
                    features.append(layer(*features))
                return torch.cat(features, 1)


        def test_known():
            y = Block("layer%d", 6, 64, 32)(torch.zeros(1, 64, 8, 8))
            nn.Conv2d(256, 3, 1)(y)
            nn.Conv2d(64, 3, 1)(y)  # NC208


        def test_unknown():
            y = Block(open("name").read(), 6, 64, 32)(torch.zeros(1, 64, 8, 8))
            nn.Conv2d(64, 3, 1)(y)
        """,
    "arrays of texts": """
        import numpy as np


        def base(word):
            place = word.rfind("/")
            return word if place == -1 else word[place + 1 :]


        def test_taken():
            words = ["foo/{:04d}".format(i) for i in range(20)]
            order = np.arange(len(words))
            list(map(base, list(np.take(words, order))))


        def test_chosen():
            words = np.array(["aa", "bb"])
            print(words[0][1:], np.unique(["aa", "bb"])[0][1:])


        def test_numbers():
            taken = np.take([1, 2], np.arange(2))
            print(taken[0][1:])  # NC301
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_may_have_been_changed_is_not_known(name: str) -> None:
    """A value that code may have changed by another name is unknown; others keep what they hold."""
    check_marks(PROGRAMS[name])
