"""U-nets over the stations and times of earthquakes, with every head and kind of attention."""

import torch

FILE = "phasenet-0.2.5/phasenet/models/unet.py"


def run(module):
    waves = torch.randn(2, 3, 5, 64)
    small = {"dim": 6, "dim_mults": (1, 2), "attn_heads": 2, "attn_dim_head": 7}
    heads = module.Unet(
        **small,
        phase_channels=4,
        add_polarity=True,
        polarity_channels=2,
        add_event=True,
        add_prompt=True,
        time_stride=2,
        num_resnet_blocks=(2, 1),
        use_linear_attn=(True, False),
        moving_norm=(16, 4),
        log_scale=True,
    ).eval()
    spectrum = module.Unet(**small, add_stft=True, stft_n_fft=9, layer_attns=(False, True)).eval()
    cross = module.Unet(
        **small,
        init_dim=8,
        init_cross_embed=True,
        cross_embed_downsample=True,
        combine_upsample_fmaps=True,
        pixel_shuffle_upsample=False,
        attend_at_middle=False,
        final_resnet_block=False,
    ).eval()
    rotary = module.Unet(
        dim=6, dim_mults=(1, 2), attn_heads=2, attn_dim_head=32, rope_base_nx=400.0
    ).eval()
    events = torch.tensor([[0, 0, 1, 1, -1], [0, 1, 1, 2, 2]])
    base = module.BaseUnet64(**small, num_resnet_blocks=(2, 1)).eval()
    large = module.SRUnet256(**small, num_resnet_blocks=1, add_event=True).eval()
    return (
        heads(waves.clone(), station_event_index=events),
        spectrum(waves),
        cross(waves),
        rotary(waves),
        rotary(waves, events, torch.randn(2, 3, 5, 1)),
        base(waves),
        large(waves),
        module.NullUnet()(waves),
        module.STFT(n_fft=9, magnitude=False, normalize_freq=True)(torch.randn(2, 3, 32)),
        module.moving_normalize(torch.randn(2, 3, 5, 37), filter=8, stride=4),
    )
