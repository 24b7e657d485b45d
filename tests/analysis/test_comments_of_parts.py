"""Comments about a part of a statement: an element, an operand, code that is commented out.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "behind the bracket of a tuple whose elements have comments": """
        import torch
        from torch import nn

        class Embed(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(128, 128)

            def forward(self, batch):
                cube, waves = (
                    batch["pixels"],  # [B C H W]
                    batch["waves"],  # [N]
                )  # [B C H W]
                angle = waves[:, None] * torch.arange(64)[None, :]
                return self.fc(torch.cat((angle.sin(), angle.cos()), dim=1))

            def as_a_list(self, batch):
                [cube, waves] = [
                    batch["pixels"],  # [B C H W]
                    batch["waves"],  # [N]
                ]  # [B C H W]
                angle = waves[:, None] * torch.arange(64)[None, :]
                return self.fc(torch.cat((angle.sin(), angle.cos()), dim=1))
        """,
    "above code that is commented out": """
        import torch

        def accumulate(mask, old, seq, total, halt, done):
            running = mask[:, :, 0]
            seq = torch.where(running[:, :, None], seq, old)
            # (B, L, E) -> (B, L, 1)
            #halt = feed(self.linear, seq)
            weight = halt * running.float() + done
            # (B, L) -> (B, L, E)
            # weight = broadcast(weight, [batch, length, size])
            weight = weight[:, :, None]
            return torch.where(weight > 0, total + seq * weight, total)

        def with_its_shape_behind_it(x: torch.Tensor):
            b, t, c = x.shape
            # y = x.transpose(1, 2)  # (b, c, t)
            y = x.contiguous()
            return y

        def a_return(x: torch.Tensor):
            b, t, c = x.shape
            # (b, c, t)
            # return x.transpose(1, 2)
            y = x.contiguous()
            return y

        def above_words(x: torch.Tensor):
            b, t, c = x.shape

            # (b, c, t)
            # the elements keep their order
            y = x.contiguous()

            # (b, c, t)
            z = y.contiguous()  # NC402

            return z
        """,
    "one above for the operand, one behind for the result": """
        import torch

        def with_an_arrow(weight, scale):
            rows = weight.shape[-2]
            columns = weight.shape[-1]
            cells = (weight / scale).round()
            # Dimensions are (experts, rows, columns)
            turned = cells.permute(0, 2, 1)  # -> (experts, columns, rows)
            pairs = turned.reshape(-1, columns, rows // 2, 2)  # (experts, columns, rows//2, 2)
            return pairs

        def without(x: torch.Tensor):
            b, t, c = x.shape

            # (b, t, c)
            y = x.transpose(1, 2)  # (b, c, t)

            return y
        """,
    "a label that a target is named after": """
        import torch

        def log_probs(inputs: torch.Tensor, means: torch.Tensor):
            '''Compute.

            Args:
                inputs: (batch_size, dim)
                means: (batch_size, num_components, dim)
            '''
            _, num_components, dim = means.shape

            # inputs: (batch_size, 1, dim)
            inputs_expanded = inputs.unsqueeze(1)

            # diff: (batch_size, num_components, dim)
            diff = inputs_expanded - means
            return diff
        """,
    "an attribute with the word of a label": """
        import torch

        class Neighbors:
            def __init__(self, N_atoms):
                self.N_atoms = N_atoms

            def find(self, atoms, cells):
                # Shape (N_atoms, n_cells, M)
                near = torch.index_select(atoms, 0, cells.flatten())

                # Shape (N_atoms, n_cells*M)
                near = torch.reshape(near, [self.N_atoms, -1])
                return near
        """,
    "a comment of one of several targets": """
        import torch

        def one_of_two_places(x, out):
            out["pae"], prob = score(x)  # [N_s, T, N]
            out.pae, other = score(x)  # [N_s, T, N]
            joined = torch.cat([prob, prob.transpose(1, 2)])
            return joined, torch.cat([other, other.transpose(1, 2)])

        def several_unknown(x):
            prob, pae = score(x)  # [N_s, T, N]
            return torch.cat([prob, prob.transpose(1, 2)])

        def over_several_lines(x, out):
            out["pae"], prob = score(
                x, bins=True
            )  # [N_s, T, N]
            return torch.cat([prob, prob.transpose(1, 2)])

        def dropped(x):
            prob, _ = score(x)  # [N_s, T, N]
            return torch.cat([prob, prob.transpose(1, 2)])  # NC207

        def one_value_twice(x, out):
            prob = out["a"] = score(x)  # [N_s, T, N]
            return torch.cat([prob, prob.transpose(1, 2)])  # NC207

        def behind_its_target(x):
            (
                pae,  # [N_s, T, N]
                prob,
            ) = score(x)
            good = torch.cat([prob, prob.transpose(1, 2)])
            return good, torch.cat([pae, pae.transpose(1, 2)])  # NC207

        def computed(x, out):
            B, T, C = x.shape
            y, z = x, x.mean(1)  # (B, C)
            (
                y,  # (B, T, C)
                z,  # (B, T, C)  # NC402
                out["z"],  # (C, B)
            ) = x, x.transpose(1, 2), x
            (y,  # (B, T)
             z) = x.mean(2), x.mean(1)
            (y, z,  # (B, T)
             w) = x.mean(2), x.mean(1), x
            (y,  # (B, T)  # NC402
             z) = x.mean(1), x.mean(1)
            y, z = x.mean(1), x.mean(1)  # (B, T)  # NC402
            return y, z, w
        """,
    "elements that the statement below joins": """
        import torch
        import numpy as np

        def stacked(x, fs):
            B, T, C = x.shape
            # (B, C)
            y = torch.stack([x.mean(1) for f in fs], 1)
            # (B, C)
            z = torch.stack([x[:, 0], x[:, 1], x[:, 2]], dim=1)
            # each (B, C)
            w = [x.mean(1) for f in fs]
            # (B, C)
            u = np.stack([x.mean(1) for f in fs], axis=0)
            # (B, C)
            v = torch.cat([x.mean(1)[:, None] for f in fs], 1)
            # (B, C)
            return torch.stack([x.mean(1), x.mean(1)], 1)

        def method(x, fs):
            B, T, C = x.shape
            parts = [x.mean(1), x.amax(1)]
            # (B, C)
            y = torch.stack(parts, 1)
            # (B, C)
            z = torch.stack(tuple(x.mean(1) for f in fs), 1)
            # (B, C)
            u = torch.stack(list(map(lambda t: t.mean(1), [x, x])), 1).float()
            return y, z, u

        def behind(x, fs):
            B, T, C = x.shape
            y = torch.stack([x.mean(1) for f in fs], 1)  # (B, C)  # NC402
            z = torch.stack([x.mean(1), x.amax(1)], 1)  # (B, C)  # NC402

            # (B, C)
            v = torch.stack([x, x, x], 1)  # NC402
            return y, z, v
        def inside(x, fs):
            B, T, C = x.shape
            # (B, C)
            y = torch.stack([
                x.mean(1) for f in fs
            ], 1)
            y = torch.stack([
                # (B, C)
                x.mean(1) for f in fs
            ], 1)
            y = torch.stack([
                x.mean(1) for f in fs  # (B, C)
            ], 1)
            return y
        def listed(x, fs):
            B, T, C = x.shape
            # (B, C)
            ys = [x.mean(1) for f in fs]
            zs = [x.mean(1) for f in fs]  # (B, C)
            for y in ys:
                y = y.unsqueeze(1)
            # (B, C)
            pair = [x.mean(1), x.mean(1)]
            return ys

        def unknown(f, g, xs):
            # (B, C)
            y = torch.stack([f(x) for x in xs], 1)
            # (B, C)
            z = np.stack([f(xs), g(xs)])
            return y.mean(2), z.mean(2)

        def fits_the_result(f, g, xs):
            B, T, C = xs.shape
            # (B, 2, C)
            y = torch.stack([xs.mean(1), xs.amax(1)], 1)
            y = y.permute(0, 2, 1)  # (B, 2, C)  # NC402
            # (B, 2*C)
            z = torch.cat([xs.mean(1), xs.amax(1)], 1)
            return y, z.view(B, 2, C)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


def test_a_dim_of_the_value_is_shown_under_its_label() -> None:
    program = """
def pack(weight, scale):
    cells = (weight / scale).round()
    turned = cells.permute(0, 2, 1)  # (experts, rows, columns)
    turned = turned.contiguous()  # (experts, columns, rows)
    return turned
"""
    (finding,) = analyze_text("a.py", program).findings
    assert "[experts, rows, columns]" in finding.message
