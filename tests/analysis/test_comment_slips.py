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
            counted = logits.reshape(choices, -1).mean(1)  # (bs, choices)
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

        def of_functions(f, x, y, n):
            left = f(x, n)  # (B, T, C)
            right = f(y, n)  # (B, C, T)  # !
            return left, right

        def further_apart(f, x, y, n):
            # (B, T, C)
            left = f(x, n)

            # (B, C, T)
            right = f(y, n)  # !
            return left, right

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

        def right(x):
            rows, cols = x.shape
            marks = torch.zeros(rows, cols, 8)  # attention marks of shape (rows, cols, 8)
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
