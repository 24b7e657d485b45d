"""Parts of autoencoders: padded convolutions, upsampling, residuals, a bottleneck, its loss."""

import torch

FILE = "autoencoder-0.0.8/autoencoder/model_parts.py"


def run(module):
    images, volumes = torch.randn(3, 5, 17, 22), torch.randn(2, 3, 7, 12, 14)
    convolution = module.GeneralConvolution(5, 11, (4, 4), (2, 2))
    bare = module.GeneralConvolution(5, 7, (3, 3), (1, 1), padding=None, norm=None, activation=None)
    up = module.ConvResize2d(5, 13, (3, 3), (1, 1))
    deep = module.ConvResize3d(3, 5, (2, 3, 3), (1, 1, 1))
    flat = module.ResBlock2d(5, 2, (3, 3))
    solid = module.ResBlock3d(2, 3, (1, 1, 1), stride=(1, 1, 1))
    model = torch.nn.Sequential(torch.nn.Linear(2, 3))
    module.DenseVAEBottleneck(19)(model, images)
    mu, sigma = model.mu(images), model.sigma(images)
    rebuilt = model.reshape(mu)
    return (
        module.GlobalAveragePooling2d()(images),
        convolution(images),
        convolution(images[:, :, :15]),
        bare(images),
        up(images),
        deep(volumes),
        flat(images),
        solid(volumes),
        mu,
        rebuilt,
        module.VAELoss(beta=0.5)((rebuilt, mu, sigma), images),
        module.identity(images),
    )
