# NC301: a method of the middle class replaces the loss of the base class's __init__ by one that does not reduce; seen in AgentSAC.py
import torch


class Base:
    def __init__(self):
        self.criterion = torch.nn.SmoothL1Loss()


class Agent(Base):
    def __init__(self):
        Base.__init__(self)
        self.entropy = None

    def init(self, per=False):
        self.entropy = 1.0
        if per:
            self.criterion = torch.nn.SmoothL1Loss(reduction="none")
        else:
            self.criterion = torch.nn.SmoothL1Loss(reduction="mean")


class Mod(Agent):
    def loss_per(self, q, y):
        return self.criterion(q, y).mean(dim=1, keepdim=True)
