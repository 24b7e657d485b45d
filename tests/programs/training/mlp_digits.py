"""A perceptron with two hidden layers learns handwritten digits."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from samples import digits, steps_wanted
from torch.utils.data import DataLoader, TensorDataset


class Perceptron(nn.Module):
    def __init__(self, hidden=48, classes=10):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Flatten(),
            nn.Linear(64, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, classes),
        )

    def forward(self, images):
        return self.layers(images)


def main():
    torch.manual_seed(0)
    images, labels, test_images, test_labels = map(torch.from_numpy, digits())
    images, test_images = images.float(), test_images.float()
    loader = DataLoader(TensorDataset(images, labels), batch_size=64, shuffle=True)
    model = Perceptron()
    optimizer = torch.optim.SGD(
        model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4, nesterov=True
    )
    step, steps = 0, steps_wanted()
    while step < steps:
        for batch, wanted in loader:
            loss = F.cross_entropy(model(batch), wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print("step", step, "loss", loss.item())
            step += 1
            if step == steps:
                break
    model.eval()
    with torch.no_grad():
        right = (model(test_images).argmax(dim=1) == test_labels).float().mean()
    print("accuracy", right.item())


if __name__ == "__main__":
    main()
