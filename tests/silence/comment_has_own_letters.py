import torch


def forward(feat, c):
    """Run.

    Args:
        feat: features of shape (batch_size, num_proposals, dims)
    """
    N, num_proposals = feat.shape[:2]
    # [B, N, K*K*C] -> [B, N, K*K, C]
    feat = feat.reshape(N, num_proposals, -1, c)
    return feat
