"""Parameters of rigid bodies: scalars, tensors, inertia matrices free and from given ones."""

import torch
from _lib import bypass

FILE = "differentiable_robot_model-0.2.3/differentiable_robot_model/rigid_body_params.py"
MODULE = "differentiable_robot_model.rigid_body_params"


def setup():
    bypass(
        "differentiable_robot_model",
        "differentiable_robot_model-0.2.3/differentiable_robot_model",
    )


def run(module):
    root = torch.randn(3, 3)
    inertia = (0.1 * root @ root.t() + 3 * torch.eye(3)).unsqueeze(0)
    outputs = [module.UnconstrainedScalar()(), module.UnconstrainedScalar(torch.rand(1))()]
    outputs += [
        module.PositiveScalar()(),
        module.PositiveScalar(0.1, init_param=torch.rand(1, 1) + 1)(),
    ]
    outputs += [module.UnconstrainedTensor(5, 7)(), module.UnconstrainedTensor(2, 3, root[:2])()]
    outputs += [module.SymmMatNet(4)(torch.randn(5, 10)), module.SymmMatNet(1)(torch.randn(5, 1))]
    cholesky = module.CholeskyNet(4, bias=0.5)
    outputs += cholesky.get_symm_pos_semi_def_matrix_and_l(torch.randn(7, 10))
    outputs.append(module.CholeskyNet(1, bias=0.5).get_L(torch.randn(7, 1)))
    for kind in (
        module.CovParameterized3DInertiaMatrixNet,
        module.SymmPosDef3DInertiaMatrixNet,
        module.Symm3DInertiaMatrixNet,
    ):
        outputs += [kind()(), kind(init_param=inertia)()]
        outputs.append(kind(init_param=inertia, is_initializing_params=False)())
    return outputs
