def wav(eou_pred, i, r):
    w = (
        eou_pred[i].unsqueeze(0).unsqueeze(-1).repeat(1, 1, r)
    )  # (B, T, r)
    w = w.view(1, -1)  # (B, T * r)
    return w
