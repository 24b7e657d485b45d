# NC402: the comment above a permute names the operand ("might be (experts, out, in)"), the one behind it ("-> (experts, in, out)") the result; both are taken for the result, and the right one is reported; seen in nvidia-modelopt quant_utils.py
import torch


def pack(weight, scale, block):
    out_dim = weight.shape[-2]
    in_dim = weight.shape[-1]
    cells = (weight / scale[..., :, torch.arange(in_dim) // block]).round().clamp(-8, 7).to(torch.int8)
    if cells.dim() == 3:
        # Dimensions might be (experts, out_dim, in_dim)
        transpose = cells.permute(0, 2, 1)  # -> (experts, in_dim, out_dim)
        # Reshape to pairs of out channels
        transpose = transpose.reshape(-1, in_dim, out_dim // 2, 2)  # (E, in_dim, out_dim//2, 2)
        return (transpose[..., 0] | (transpose[..., 1] << 4)).permute(0, 2, 1)
    return cells
