"""A linear layer that grows: statistics of a batch, the best new neurons, their scales, merges."""

import torch
from _lib import bypass

FILE = "gromo-0.1.0/gromo/modules/growing_module.py"
MODULE = "gromo.modules.growing_module"


def setup():
    bypass("gromo", "gromo-0.1.0/gromo")
    bypass("gromo.modules", "gromo-0.1.0/gromo/modules")


def run(module):
    from gromo.modules.linear_growing_module import LinearGrowingModule, LinearMergeGrowingModule

    def layers(activation):
        first = LinearGrowingModule(5, 7, post_layer_function=activation, name="first")
        second = LinearGrowingModule(
            7, 3, previous_module=first, allow_growing=True, target_in_features=13
        )
        first.next_module = second
        return first, second

    x, target = torch.randn(37, 5), torch.randn(37, 3)
    outputs = []
    for normalization in ("legacy_normalization", "equalize_extensions", "gradmax_normalization"):
        first, second = layers(torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU()))
        second.init_computation()
        loss = torch.nn.functional.mse_loss(second(first(x)), target)
        loss.backward()
        second.update_computation()
        second.compute_optimal_updates(maximum_added_neurons=4)
        outputs += [loss, second.first_order_improvement, second.eigenvalues_extension]
        second.reset_computation()
        second.normalize_optimal_updates(normalization_type=normalization)
        second.sub_select_optimal_added_parameters(keep_neurons=2)
        second.scaling_factor = 0.5
        hidden, extension = first.extended_forward(x)
        outputs += [hidden, extension, *second.extended_forward(hidden, extension)]
        second.apply_change()
        second.delete_update()
        outputs += [second(first(x)), first.weight, second.weight, second.__str__(2)]

    first, second = layers(torch.nn.GELU())
    second.create_layer_extensions(4, neuron_pairing="vv_z_negz", rescaling="default_vt")
    hidden, extension = first.extended_forward(x)
    outputs += [*second.extended_forward(hidden, extension), second.weights_statistics()]
    second.apply_change(scaling_factor=1.0, extension_size=4)
    second.delete_update()
    outputs += [second(first(x)), second.missing_neurons(), second.number_of_parameters()]
    second.complete_growth({"rescaling": "vt_constraint_new_shape"})
    outputs += [second(first(x)), first.weight, second.weight]

    merge = LinearMergeGrowingModule(in_features=3, post_merge_function=torch.nn.ReLU())
    left, right = LinearGrowingModule(5, 3, name="left"), LinearGrowingModule(11, 3, name="right")
    after = LinearGrowingModule(3, 2, previous_module=merge, name="after")
    merge.set_previous_modules([left, right])
    merge.set_next_modules([after])
    left.next_module, right.next_module = merge, merge
    merge.init_computation()
    y = after(merge(left(x) + right(torch.randn(37, 11))))
    y.square().sum().backward()
    merge.update_computation()
    deltas = merge.compute_optimal_delta(return_deltas=True)
    outputs += [y, deltas, merge.projected_v_goal(), merge.sum_in_features(), str(merge)]
    merge.reset_computation()
    return outputs
