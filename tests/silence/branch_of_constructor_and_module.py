# NC303: a module built under `dims == 2` in the first branch of forward was taken for the one of the other branch, too; seen in diffsynth ltx2_upsampler.py
from einops import rearrange
from torch import nn

class Res(nn.Module):
    def __init__(self, ch: int, dims: int = 3):
        super().__init__()
        self.conv = nn.Conv2d(ch, ch, 3, padding=1) if dims == 2 else nn.Conv3d(ch, ch, 3, padding=1)

    def forward(self, x):
        return x + self.conv(x)

class Up(nn.Module):
    def __init__(self, ch: int, dims: int = 3):
        super().__init__()
        self.dims = dims
        self.res = Res(ch, dims=dims)

    def forward(self, x):
        b, _, f, _, _ = x.shape
        if self.dims == 2:
            x = rearrange(x, "b c f h w -> (b f) c h w")
            return self.res(x)
        else:
            x = self.res(x)
            return rearrange(x, "b c f h w -> (b f) c h w")
