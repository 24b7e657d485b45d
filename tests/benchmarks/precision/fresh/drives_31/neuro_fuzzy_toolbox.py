"""Membership functions of fuzzy rules: from data, at random, grown and split."""

import torch

FILE = "neuro_fuzzy_toolbox-0.3.0/neuro_fuzzy_toolbox/func/membership.py"


def run(module):
    x = torch.randn(17, 3)
    outputs = []
    for kind in (module.Gaussian_MF, module.GeneralizedBell_MF, module.HighSlopeBell_MF):
        function = kind()
        premises = function.initialize_premises(x, 5)
        random = function.random_premises(3, 7, torch.float32)
        grown = function._grow_new_premise_parameters(torch.randn(2, 3), torch.rand(2, 3))
        outputs += [
            premises,
            function.initialize_premises(x, 1),
            function.general_initialize_premises(x, [5, 1, 2]),
            function.random_single_feature_mfs(11, torch.float32),
            function(x, premises),
            function(x, random),
            function(x, torch.cat((random, grown), dim=1)),
            function(x, function._split_premise_parameters(random)),
            function._get_center(*premises[1, 2]),
            function._simple_alpha_cut(0.3, *premises[1, 2].tolist()),
            function._simple_numpy_implementation(x[:, 0].numpy(), *premises[0, 3].tolist()),
        ]
    return [*outputs, module.Gaussian_MF(sigma_is_std=False)(x, torch.rand(3, 5, 2))]
