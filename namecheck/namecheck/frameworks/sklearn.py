"""scikit-learn: the base classes of estimators. They compute with no tensor themselves."""

from __future__ import annotations

from typing import Final

HARMLESS: Final = frozenset(
    f"sklearn.base.{name}"
    for name in (
        *("BaseEstimator", "MetaEstimatorMixin", "ClassifierMixin", "RegressorMixin"),
        *("ClusterMixin", "DensityMixin", "OutlierMixin", "OneToOneFeatureMixin"),
    )
)
"""Base classes that define parameters, tags and `score`."""
