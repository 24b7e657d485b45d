import torch


def sketch(gradients, rank):
    u, s, vt = torch.linalg.svd(gradients, full_matrices=False)  # n x c_out x out_size
    u = u[:, :, :rank]  # n x c_out x r
    s = s[:, :rank].unsqueeze(1)  # n x 1 x r
    return u * s.expand(u.shape)
