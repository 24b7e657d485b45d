"""Images, sound and text encoded and fused, with and without an anchor."""

from types import SimpleNamespace

import torch

FILE = "airborne_antara-0.2.0/airborne_antara/perception.py"


def run(module):
    settings = SimpleNamespace(
        model_dim=22, vision_dim=3, audio_dim=13, perception_layers=1, perception_heads=2
    )
    gateway = module.PerceptionGateway(settings).eval()
    vision, audio = torch.randn(2, 3, 48, 80), torch.randn(2, 13, 11)
    inputs = {"vision": vision, "audio": audio, "text": torch.randn(2, 7, 22)}
    outputs = [gateway(inputs), gateway({"audio": audio}), gateway({"text": torch.ones(2, 5)})]
    gateway.holographic_anchor = torch.randn(5, 6, 22)
    outputs.append(gateway(inputs))
    eyes = module.VisionEncoder(5, patch_size=4, model_dim=14, num_layers=2, num_heads=2).eval()
    ears = module.AudioEncoder(17, model_dim=14, num_layers=1, num_heads=7).eval()
    fuser = module.ModalityFuser(model_dim=14, num_heads=2).eval()
    seen, heard = eyes(torch.randn(3, 5, 12, 20)), ears(torch.randn(3, 17, 8))
    return [*outputs, seen, heard, fuser({"vision": seen, "audio": heard, "touch": seen})]
