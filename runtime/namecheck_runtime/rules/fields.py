"""The names of the parts of a result that is several tensors.

One table over ops that are declared elsewhere.  Source: `torch.return_types` of torch 2.13.
"""

from __future__ import annotations

from namecheck_runtime.declare import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

FIELDS: Final[dict[str, str]] = {
    "values indices": """
        torch.cummax torch.cummin torch.kthvalue torch.max torch.median torch.min torch.mode
        torch.nanmedian torch.sort torch.topk
    """,
    "min max": "torch.aminmax",
    "mantissa exponent": "torch.frexp",
    "a tau": "torch.geqrf",
    "hist bin_edges": "torch.histogram",
    "L info": "torch.linalg.cholesky_ex",
    "eigenvalues eigenvectors": "torch.linalg.eig torch.linalg.eigh",
    "inverse info": "torch.linalg.inv_ex",
    "LD pivots": "torch.linalg.ldl_factor",
    "LD pivots info": "torch.linalg.ldl_factor_ex",
    "solution residuals rank singular_values": "torch.linalg.lstsq",
    "P L U": "torch.linalg.lu torch.lu_unpack",
    "LU pivots": "torch.linalg.lu_factor",
    "LU pivots info": "torch.linalg.lu_factor_ex",
    "Q R": "torch.linalg.qr torch.qr",
    "sign logabsdet": "torch.linalg.slogdet torch.slogdet",
    "result info": "torch.linalg.solve_ex",
    "U S Vh": "torch.linalg.svd",
    "U S V": "torch.svd",
    "solution cloned_coefficient": "torch.triangular_solve",
}
"""The ops whose results have these parts, by the names of the parts."""


def declare_fields() -> None:
    """Fill `PARTS`, from which each op takes its fields when it is declared."""
    for fields, names in FIELDS.items():
        for name in names.split():
            PARTS[name] = tuple(fields.split())
