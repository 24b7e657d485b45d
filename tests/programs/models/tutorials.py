import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn import Parameter, init
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.utils import _pair
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, i, o, stride=1, downsample=None, norm=None):
        super(BasicBlock, self).__init__()
        norm = norm or nn.BatchNorm2d
        self.conv1 = nn.Conv2d(i, o, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = norm(o)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(o, o, 3, padding=1, bias=False)
        self.bn2 = norm(o)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, layers=(1, 1), classes=5):
        super().__init__()
        self.inplanes = 4
        self.conv1 = nn.Conv2d(3, 4, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(4, layers[0])
        self.layer2 = self._make_layer(8, layers[1], stride=2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(8, classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def _make_layer(self, planes, blocks, stride=1):
        d = None
        if stride != 1 or self.inplanes != planes:
            d = nn.Sequential(
                nn.Conv2d(self.inplanes, planes, 1, stride=stride, bias=False),
                nn.BatchNorm2d(planes),
            )
        l = [BasicBlock(self.inplanes, planes, stride, d)]
        self.inplanes = planes
        return nn.Sequential(*l)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer2(self.layer1(x))
        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(x)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(
            OrderedDict([("fc", nn.Linear(12, 8)), ("act", nn.LeakyReLU(0.2))])
        )
        self.mu, self.logvar = nn.Linear(8, 3), nn.Linear(8, 3)
        self.dec = nn.Sequential(nn.Linear(3, 8), nn.ReLU(True), nn.Linear(8, 12), nn.Sigmoid())

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.ones_like(std) * 0.3
        return mu + eps * std

    def forward(self, x):
        h = self.enc(x.view(-1, 12))
        mu, logvar = self.mu(h), self.logvar(h)
        r = self.dec(self.reparameterize(mu, logvar))
        bce = F.binary_cross_entropy(r, torch.sigmoid(x.view(-1, 12)), reduction="sum")
        return bce - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(11, 6, padding_idx=0)
        self.lstm = nn.LSTM(6, 5, batch_first=True, bidirectional=True, num_layers=2, dropout=0.0)
        self.att = nn.Linear(10, 1)
        self.out = nn.Linear(10, 4)

    def forward(self, ids, lengths):
        e = self.emb(ids)
        p = pack_padded_sequence(e, lengths.cpu(), batch_first=True, enforce_sorted=False)
        o, (h, _) = self.lstm(p)
        o, _ = pad_packed_sequence(o, batch_first=True)
        w = self.att(o).squeeze(-1).masked_fill(ids[:, : o.size(1)] == 0, -1e9)
        ctx = torch.bmm(F.softmax(w, dim=1).unsqueeze(1), o).squeeze(1)
        return self.out(ctx) + torch.cat((h[-2], h[-1]), dim=1)[:, :4]


class PositionalEncoding(nn.Module):
    def __init__(self, d, n=50):
        super().__init__()
        pe = torch.zeros(n, d)
        pos = torch.arange(0, n, dtype=torch.float).unsqueeze(1)
        div = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10000.0) / d))
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.size(1)].requires_grad_(False)


class ViT(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.patch = nn.Conv2d(3, d, 4, 4)
        self.cls = nn.Parameter(torch.zeros(1, 1, d))
        self.pos = PositionalEncoding(d)
        layer = nn.TransformerEncoderLayer(
            d, 2, 16, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, 3)
        nn.init.trunc_normal_(self.cls, std=0.02)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1)
        return self.head(self.norm(self.enc(self.pos(x)))[:, 0])


class UNet(nn.Module):
    def __init__(self):
        super().__init__()

        def block(i, o):
            return nn.Sequential(
                nn.Conv2d(i, o, 3, padding=1), nn.InstanceNorm2d(o, affine=True), nn.ELU()
            )

        self.d1, self.d2 = block(3, 4), block(4, 8)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.u1 = block(8, 4)
        self.out = nn.Conv2d(4, 2, 1)
        self.ups = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        return self.ups(self.out(self.u1(torch.cat([a, self.up(b)], 1))))


class GCN(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = (
            Parameter(torch.FloatTensor(i, o))
            if hasattr(torch, "FloatTensor")
            else Parameter(torch.empty(i, o))
        )
        self.bias = Parameter(torch.empty(o))
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.weight.size(1))
        self.weight.data.uniform_(-stdv, stdv)
        self.bias.data.uniform_(-stdv, stdv)

    def forward(self, x, adj):
        return (
            torch.spmm(adj, torch.mm(x, self.weight)) + self.bias
            if False
            else torch.mm(adj, torch.mm(x, self.weight)) + self.bias
        )

    def __repr__(self):
        return self.__class__.__name__ + " (" + str(self.weight.shape[0]) + ")"


class Dueling(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(4, 4, 3, stride=2), nn.ReLU(), nn.Conv2d(4, 4, 2), nn.ReLU()
        )
        n = self._size((4, 8, 8))
        self.v = nn.Linear(n, 1)
        self.a = nn.Linear(n, 3)
        self.hooks = [self.conv[0].register_forward_hook(lambda m, i, o: o * 2)]

    def _size(self, s):
        return self.conv(torch.zeros(1, *s)).view(1, -1).size(1)

    def forward(self, x):
        x = self.conv(x).view(x.size(0), -1)
        a = self.a(x)
        return self.v(x) + a - a.mean(dim=1, keepdim=True)


def weights_init(m):
    name = m.__class__.__name__
    if name.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(5, 8, 4, 1, 0, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(True),
            nn.ConvTranspose2d(8, 3, 4, 2, 1, bias=False),
            nn.Tanh(),
        )
        self.apply(weights_init)

    def forward(self, z):
        return self.main(z)
