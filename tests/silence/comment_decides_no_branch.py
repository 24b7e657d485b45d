# NC303: the literal 1 of a comment decided the test `layers > 1`; seen in diffsynth wav2vec.py
import torch

def smooth(features, n):
    out = torch.nn.functional.interpolate(features, size=n)  # [1, 512, n]
    return out.transpose(1, 2)

def bucket(audio):
    layers, frames, dim = audio.shape
    if layers > 1:
        many = True
    else:
        many = False
    out = []
    for i in range(40):
        if many:
            e = audio[:, [i]].flatten(start_dim=-2, end_dim=-1)
        else:
            e = audio[0][[i]].flatten()
        out.append(e)
    return torch.cat([c.unsqueeze(0) for c in out], dim=0)

def feats(hidden_states, n):
    audio = smooth(torch.cat(hidden_states), n)   # 25 layers
    return bucket(audio).unsqueeze(0).permute(0, 2, 3, 1)
