"""A variational autoencoder learns to write digits; what it learns tells them apart."""

import torch
import torch.utils.data
from samples import digits, steps_wanted
from torch import nn, optim
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, hidden=64, latent=8):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(64, hidden)
        self.fc21 = nn.Linear(hidden, latent)
        self.fc22 = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, 64)

    def encode(self, x):
        h1 = F.elu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.elu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 64))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 64), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


def main():
    torch.manual_seed(1)
    images, labels, test_images, test_labels = map(torch.from_numpy, digits())
    images, test_images = images.float(), test_images.float()
    loader = torch.utils.data.DataLoader(
        torch.utils.data.TensorDataset(images), batch_size=50, shuffle=True, drop_last=True
    )
    model = VAE()
    optimizer = optim.Adam(model.parameters(), lr=3e-3)
    step, steps = 0, steps_wanted()
    model.train()
    while step < steps:
        for (data,) in loader:
            optimizer.zero_grad()
            recon_batch, mu, logvar = model(data)
            loss = loss_function(recon_batch, data, mu, logvar)
            loss.backward()
            optimizer.step()
            print("step", step, "loss", loss.item() / len(data))
            step += 1
            if step == steps:
                break
    model.eval()
    with torch.no_grad():
        known, _ = model.encode(images.view(-1, 64))
        seen, _ = model.encode(test_images.view(-1, 64))
        centres = torch.stack([known[labels == digit].mean(dim=0) for digit in range(10)])
        nearest = torch.cdist(seen, centres).argmin(dim=1)
    print("accuracy", (nearest == test_labels).float().mean().item())


if __name__ == "__main__":
    main()
