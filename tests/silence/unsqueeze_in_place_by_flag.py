# NC303: the rank that the unpack teaches is put before the in-place unsqueeze_ under a flag; seen in videocomposer/ops/degration.py
def size(img, flat):
    if flat:
        img.unsqueeze_(2)
    h, w, c = img.size()
    return h, w, c
