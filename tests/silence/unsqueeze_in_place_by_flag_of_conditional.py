# NC303: the rank that the unpack teaches is put before the in-place unsqueeze_ under a flag; seen in modelscope degradation.py
import torch

def f(img):
    img = torch.from_numpy(img)
    flat = True if img.dim() == 2 else False
    if flat:
        img.unsqueeze_(2)
    h, w, c = img.size()
    if flat:
        print(h)
    return img
