"""Gradients in programs as people write them: what is correct stays silent (NC503, NC504, NC505).

A line ends in the code that is reported there. `tests/cases/gradients.md` has the rules one by one.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "training, attacks, styles and penalties that are correct": """
        import torch
        import torch.nn.functional as F
        from torch import nn, optim


        def pgd(model, x, y, eps=0.1, steps=10):
            x_adv = x.clone().detach()
            x_adv = x_adv + torch.empty_like(x_adv).uniform_(-eps, eps)
            for _ in range(steps):
                x_adv.requires_grad_()
                loss = F.cross_entropy(model(x_adv), y)
                grad = torch.autograd.grad(loss, x_adv)[0]
                x_adv = x_adv.detach() + 0.01 * grad.sign()
                x_adv = torch.min(torch.max(x_adv, x - eps), x + eps).clamp(0, 1)
            delta = torch.zeros(2, 3, requires_grad=True)
            for _ in range(steps):
                loss = F.cross_entropy(model(x + delta), y)
                loss.backward()
                delta.data = (delta + 0.1 * delta.grad.detach().sign()).clamp(-eps, eps)
                delta.grad.zero_()
            return delta.detach()


        def rnn(w, xs):
            h = torch.zeros(4, requires_grad=True)
            u = torch.randn(4, 4, requires_grad=True)
            total = 0
            for x in xs:
                h = torch.tanh(h @ u + x)
                total += h.sum()
            total.backward()
            h = h.detach()
            h.zero_()
            loss = (u * u).mean()
            loss += u.mean()
            loss /= 3
            loss.backward()
            return total


        def attention(q, mask):
            w = torch.randn(4, 4, requires_grad=True)
            q = torch.randn(2, 5, 4) @ w
            scores = q @ q.transpose(1, 2)
            scores /= 2.0
            scores.masked_fill_(torch.ones(5, 5, dtype=torch.bool), -1e9)
            att = scores.softmax(-1)
            out = att @ q
            out += q
            out = F.relu_(out)
            out.sum().backward()


        def style(content, n):
            image = torch.rand(1, 3, 8, 8, requires_grad=True)
            optimizer = optim.LBFGS([image])

            def closure():
                image.data.clamp_(0, 1)
                optimizer.zero_grad()
                loss = (image - content).pow(2).mean()
                loss.backward()
                return loss

            for _ in range(n):
                optimizer.step(closure)
            image.data.clamp_(0, 1)
            return image


        def penalty(d, real, fake):
            alpha = torch.rand(8, 1)
            mix = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
            out = d(mix)
            ones = torch.ones_like(out)
            (grads,) = torch.autograd.grad(out, mix, grad_outputs=ones, create_graph=True)
            loss = ((grads.norm(2, dim=1) - 1) ** 2).mean()
            loss.backward()
            mix.grad = None


        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                y = x.exp()
                y.add_(1)
                return y

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                grad *= 2
                return grad * x


        def accumulate(batches):
            w = torch.zeros(3, requires_grad=True)
            opt = torch.optim.SGD([w], lr=0.1)
            for x in batches:
                loss = ((x * w) ** 2).sum()
                opt.zero_grad()
                loss.backward()
                opt.step()
            for x in batches:
                y = w.exp()
                loss = (y * x).sum()
                loss.backward()
                with torch.no_grad():
                    w.sub_(w.grad)
                    w.grad.zero_()
            cache = torch.zeros(10, 3)
            for i in range(10):
                cache[i] = w * i
            cache.sum().backward()
            buffer = torch.zeros(3)
            for i in range(3):
                buffer += (w * i).detach()
                loss = (w * buffer.clone()).sum()
                loss.backward()


        def mixed(x):
            w = torch.ones(3, 3, requires_grad=True)
            with torch.autocast("cuda"):
                h = w * 2
                y = h @ x
            h.add_(1)
            y.sum().backward()
            ema = w.detach().clone()
            for p, e in zip([w], [ema]):
                e.mul_(0.9).add_(p.data, alpha=0.1)
            ema.mul_(2)
            a, b = w.chunk(2)
            c = a * 1
            c += b
            c.sum().backward()
            loss = torch.zeros(1)
            for k in range(3):
                loss += (w * k).sum()
            loss.backward()
            try:
                w.add_(1)
            except RuntimeError:
                pass
            v = w.grad
            v.zero_()
            w.grad.data.zero_()
            w.requires_grad_(False)
            w.add_(1)
            w.requires_grad_(True)
        """,
    "results and operands that are written before backward": """
        import torch
        import torch.nn.functional as F


        def a(x):
            w = torch.randn(3, requires_grad=True)
            h = torch.sigmoid(x * w)
            h *= 2
            h.sum().backward()  # NC504


        def b(xs):
            w = torch.randn(3, requires_grad=True)
            for x in xs:
                loss = (w * x).sum()
                loss.backward()
                w -= 0.1 * w.grad  # NC503


        def c(x):
            w = torch.randn(3, requires_grad=True)
            n = (w * x).norm()
            n += 1e-6
            n.backward()  # NC504


        def d(x):
            w = torch.randn(5, 3, requires_grad=True)
            lp = F.log_softmax(w * 2, dim=-1)
            lp[0] = 0
            loss = lp.mean()
            loss.backward()  # NC504


        def e(xs):
            w = torch.randn(3, requires_grad=True)
            buffer = torch.zeros(3)
            total = torch.zeros(1)
            for i in range(3):
                buffer += 1
                total = total + (w * buffer).sum()
            total.backward()  # NC504


        def f():
            w = torch.randn(4, 3, requires_grad=True)
            (w**2).sum(1).backward()  # NC505
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_in_programs(name: str) -> None:
    check_marks(PROGRAMS[name])
