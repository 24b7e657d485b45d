# NC402: `# if A: y: [..]`, `# elif B: y: [..]` are alternatives, not two claims; seen in verl mcore/patch.py
def down(layer, hidden):
    # if layer is ColumnParallelLinear:
    #     y: [s, b, rank / TP]
    # elif layer is Linear:
    #     y: [s / TP, b, rank]
    y, _ = layer(hidden)
    return y
