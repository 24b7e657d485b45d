# NC402: the docstring goes on with the shape of another mode on its next line; seen in transformers patchtsmixer
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.block = nn.Linear(config.d_model, config.patch_length)

    def forward(self, hidden_features):
        """
        Args:
            hidden_features (`torch.Tensor` of shape `(batch_size x num_patch x d_model)` in `flatten` mode
                or `(batch_size x n_vars x num_patch x d_model)` in `common_channel`/`mix_channel` mode.): Input hidden
                features.

        Returns:
            `torch.Tensor` of shape `(batch_size x n_vars x num_patch x patch_length)`.
        """
        y = self.block(hidden_features)  # [batch_size x n_vars x num_patch x patch_length]
        return y
