"""Legal calls that are hardly ever meant."""

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F

prediction = nt.zeros(8, 1)
target = nt.zeros(8)

F.mse_loss(prediction, target)  # type: ignore[named-tensor-NC202]
#                      ^
F.l1_loss(prediction, target)  # type: ignore[named-tensor-NC202]
#                     ^
F.mse_loss(prediction.squeeze(1), target)
