"""Comments that contradict what is written beside them, although little is known of the value.

A line that ends in "# !" is reported as NC402, at the line itself.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from namecheck.analysis import analyze_text

PROGRAMS = {
    "an argument at another place than in the comment": """
        import torch

        def f(logits: torch.Tensor, choices, seen, b):
            wrong = logits.view(choices, -1)  # (bs, choices)  # !
            again = logits.reshape(choices, seen, -1)  # (choices, rest, seen)  # !
            right = logits.view(-1, choices)  # (bs, choices)
            other = logits.view(choices, -1)  # (options, others)
            both = logits.view(choices, -1)  # (choices, choices)
            letter = logits.view(b, -1)  # (n, b)
            counted = logits.reshape(choices, -1).mean(1)  # (bs, choices)  # !
            return wrong, again, right, other, both, letter, counted
        """,
    "the line above is made in the same way": """
        import torch

        class Attention:
            def forward(self, x, y, n):
                q = self.query(x)  # (bs, steps, wide)
                k = self.key(x)  # (bs, wide, steps)  # !
                v = self.value(x)  # (bs, steps, wide)
                return q, k, v

        class Heads:
            def forward(self, x, n):
                # (B, T, C)
                left = self.left.project(self.norm(x), n)

                # (B, C, T)
                right = self.right.project(self.norm(x), n)
                return left, right

        class Projections:
            def forward(self, x, n):
                # (B, T, C)
                q = self.queries(x, n).float()

                # (B, C, T)
                k = self.keys(x, n).float()  # !
                return q, k

        def of_equal_dims(f, x: torch.Tensor):
            b, t, c = x.shape
            y = x + torch.zeros(b, t, c)
            left = f(x, 2)  # (B, T, C)
            right = f(y, 2)  # (B, C, T)  # !
            return left, right

        def of_one_value(f, x, n):
            same = x
            left = f(x, n)  # (B, T, C)
            right = f(same, n)  # (B, C, T)  # !
            return left, right

        def of_two_values(f, x, y, n):
            left = f(x, n)  # (B, T, C)
            right = f(y, n)  # (B, C, T)
            return left, right

        def of_two_pointers(load, tiles, q, k):
            for tile in tiles:
                p_q = tile(q, (0, 1))
                p_k = tile(k, (1, 0))
                # [BT, BK]
                b_q = load(p_q, check=(0, 1))
                # [BK, BT]
                b_k = load(p_k, check=(0, 1))
            return b_q, b_k

        def of_two_receivers(left, right):
            # (T, C, B)
            a = left[None, None].take(3)
            # (C, T, B)
            b = right[None, None].take(3)
            return a, b

        class Patches:
            def forward(self, x):
                return x.patches()

        class Maps:
            def forward(self, x):
                return x.maps()

        class TwoWays:
            def __init__(self):
                self.to_patches = Patches()
                self.to_maps = Maps()

            def _rows(self, x):
                return x.rows()

            def _columns(self, x):
                return x.columns()

            def forward(self, x):
                rows = self._rows(x)  # (B, T, C)
                columns = self._columns(x)  # (B, C, T)
                return rows, columns

            def of_modules(self, x):
                patches = self.to_patches(x)  # (B, T, C)
                maps = self.to_maps(x)  # (B, C, T)
                return patches, maps

        class TwoCaches:
            def forward(self, f):
                keys = f(self.key_cache)  # (B, T, C)
                values = f(self.value_cache)  # (B, C, T)
                return keys, values

            def methods(self, n):
                keys = self.key_cache.pages(n)  # (B, T, C)
                values = self.value_cache.pages(n)  # (B, C, T)
                return keys, values

            def of_two_inputs(self, x, context):
                q = self.query(x)  # (B, T, C)
                k = self.key(context)  # (B, C, T)
                return q, k

        def of_two_sizes(f, x, rows, columns):
            left = f(x, rows, columns)  # (B, T, C)
            right = f(x, columns, rows)  # (B, C, T)
            return left, right

        def changed_since(f, x, y):
            x = f(x)  # (B, T, C)
            y = f(y)  # (B, C, T)
            return x, y

        def made_of_the_other(norm, x):
            x = norm(x)  # (B, T, C)
            turned = x.transpose(1, 2)
            y = norm(turned)  # (B, C, T)
            return y

        def the_same_words(shapes):
            left = next(shapes)  # (B, T, C)
            right = next(shapes)  # (B, C, T)
            return left, right

        def other_numbers(f, x, n):
            left = f(x, 1)  # (B, T, C)
            right = f(x, 2)  # (B, C, T)
            return left, right

        def other_functions(rows, columns, x, n):
            left = rows(x)  # (B, T, C)
            right = columns(x)  # (B, C, T)
            return left, right

        def other_methods(x, y):
            left = x.rows(2)  # (B, T, C)
            right = y.columns(2)  # (B, C, T)
            return left, right

        def one_of_the_other(f, x):
            left = f(x)  # (B, T, C)
            right = f(left)  # (B, C, T)
            return right

        def of_other_values(x):
            b, t, c = x.shape
            turned = x.transpose(1, 2)
            left = torch.relu(x)  # (b, t, c)
            right = torch.relu(turned)  # (b, c, t)
            return left, right

        def coordinates(f, x, y):
            left = f(x)  # (row, col)
            right = f(y)  # (col, row)
            return left, right
        """,
    "a noun and its shape": """
        import torch

        def made(x):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols, 8)  # attention marks of shape (cols, rows, 8)  # !
            return marks

        def made_with(x):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols)  # a matrix with shape (cols, rows)  # !
            return marks

        def made_with_the(x):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols, 8)  # a tensor of the shape (cols, rows, 8)  # !
            return marks

        def right(x):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols, 8)  # attention marks of shape (rows, cols, 8)
            marks = torch.zeros(rows, cols)  # a matrix with shape (rows, cols)
            return marks

        def of_another(x, bias):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols) + 1  # bias of shape (cols, rows)
            return marks

        def with_more_words(x):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols)  # pads labels of shape (cols, rows) from above
            return marks
        """,
    "a product of two shapes": """
        import torch

        def scores(q, k):
            s = q @ k.transpose(-2, -1)  # (b, h, t, d) x (b, h, d, s) -> (b, t, h, s)  # !
            return s

        def batches(q, k):
            s = q @ k  # scores: (b, t, d) @ (b, d, s) -> (b, s, t)  # !
            return s

        def right(q, k):
            s = q @ k.transpose(-2, -1)  # (b, h, t, d) x (b, h, d, s) -> (b, h, t, s)
            return s

        def turned(q, k):
            s = (q @ k).transpose(-2, -1)  # (b, t, d) x (b, d, s) -> (b, s, t)
            return s

        def of_another_form(q, k):
            s = q @ k.mT  # (b, t, d) x (b, s, d) -> (b, t, s)
            return s
        """,
    "a chain and the op": """
        import torch

        def turned(x):
            y = x.transpose(1, 2).contiguous()  # (B, T, C) -> (B, T, C)  # !
            return y

        def permuted(x):
            x = x.permute(0, 3, 1, 2)  # [b, h, w, c] -> [b, h, c, w]  # !
            return x

        def reduced(x):
            x = torch.mean(x, 1)  # (B, T, C) -> (B, T)  # !
            return x

        def first(x):
            B, T, C = x.shape
            y = x.mean(1)  # (B, C, T) -> (B, C)  # !
            return y

        def right(x, f):
            x = x.permute(0, 3, 1, 2)  # [b, h, w, c] -> [b, c, h, w]
            x = f(x.transpose(1, 2))  # (b, c, h, w) -> (b, c, h, w)
            x = x.mean(1).unsqueeze(1)  # (B, T, C) -> (B, 1, C)
            return x

        def of_two(x, y):
            z = torch.cat([x, y], 1)  # (B, T, C) -> (B, C, T)
            return z
        """,
    "what a reshape merges": """
        def flat(x, head):
            x = x.reshape(x.shape[0], -1)  # (heads * dim, batch)  # !
            return head(x)

        def flat_of_three(x, head):
            x = x.view(x.size(0), x.size(1), -1)  # (batch * heads, tokens, dim)  # !
            return head(x)

        def right(x, head):
            x = x.reshape(x.shape[0], -1)  # (batch, heads * dim)
            return head(x)

        def both(x, head):
            x = x.reshape(x.shape[0] * x.shape[1], -1)  # (batch * heads, dim)
            return head(x)

        def merged_before(x, head):
            x = head(x)
            x = x.view(x.shape[0], -1)  # (batch * frames, dim)
            return x
        """,
    "a 1 that a reduction kept": """
        import torch

        def best(logits):
            logits = logits[:, -1, :]
            token = torch.argmax(logits, dim=-1, keepdim=True)  # (1, batch)  # !
            return token

        def total(x):
            s = x.sum(-1, keepdim=True)  # (1, T)  # !
            y = torch.sum(x, -1, keepdim=True)  # (1, B, T)  # !
            return s, y

        def right(logits):
            token = torch.argmax(logits, dim=-1, keepdim=True)  # (batch, 1)
            return token

        def with_another_one(x):
            s = torch.sum(x, -1, keepdim=True)  # (1, T, 1)
            return s

        def of_one(ids):
            T = 1
            s = torch.sum(ids, -1, keepdim=True)  # (1, T)
            return s
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_comments_are_reported(name: str) -> None:
    program = dedent(PROGRAMS[name]).lstrip("\n")
    expected = [n for n, line in enumerate(program.splitlines(), 1) if line.endswith("  # !")]
    findings = analyze_text("a.py", program.replace("  # !", "")).findings
    assert {finding.code for finding in findings} <= {"NC402"}
    assert [finding.span.line for finding in findings] == expected
