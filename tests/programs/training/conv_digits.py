"""A convolutional network with batch norm and a schedule of its rate learns handwritten digits."""

import torch
from samples import digits, steps_wanted
from torch import nn, optim
from torch.optim.lr_scheduler import OneCycleLR


class ConvNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, kernel_size=3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, kernel_size=3, padding=1)
        self.bn2 = nn.BatchNorm2d(16)
        self.pool = nn.MaxPool2d(2)
        self.gap = nn.AdaptiveAvgPool2d((2, 2))
        self.head = nn.Linear(16 * 2 * 2, classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = self.pool(torch.relu(self.bn1(self.conv1(x))))
        x = self.gap(torch.relu(self.bn2(self.conv2(x))))
        return self.head(torch.flatten(x, 1))


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    images, labels, test_images, test_labels = map(torch.from_numpy, digits())
    images, test_images = images.float().unsqueeze(1), test_images.float().unsqueeze(1)
    model = ConvNet().to(device)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    scheduler = OneCycleLR(optimizer, max_lr=2e-2, total_steps=201)
    for step in range(steps_wanted()):
        chosen = torch.randint(len(images), (32,))
        batch, wanted = images[chosen].to(device), labels[chosen].to(device)
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(batch), wanted)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        scheduler.step()
        print("step", step, "loss", loss.item())
    model.eval()
    with torch.no_grad():
        predicted = model(test_images.to(device)).max(1)[1]
    print("accuracy", predicted.eq(test_labels.to(device)).sum().item() / len(test_labels))


if __name__ == "__main__":
    main()
