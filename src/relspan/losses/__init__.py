"""Losses as hinge rows: one formula per file."""

from __future__ import annotations

from relspan.losses.adjusted import Adjusted
from relspan.losses.epsilon_insensitive import EpsilonInsensitive
from relspan.losses.hinge import Hinge
from relspan.losses.logistic import Logistic
from relspan.losses.loss import LOSSES, Loss, OneScoreLoss, register_loss
from relspan.losses.multiclass import MulticlassHinge
from relspan.losses.ordinal import OrdinalHinge
from relspan.losses.pair_hinge import PairHinge
from relspan.losses.pinball import Pinball
from relspan.losses.privileged import Privileged, TwoSidedLoss
from relspan.losses.reject import RejectHinge
from relspan.losses.signed import Signed, signs_of

__all__ = [
    "LOSSES",
    "Adjusted",
    "EpsilonInsensitive",
    "Hinge",
    "Logistic",
    "Loss",
    "MulticlassHinge",
    "OneScoreLoss",
    "OrdinalHinge",
    "PairHinge",
    "Pinball",
    "Privileged",
    "RejectHinge",
    "Signed",
    "TwoSidedLoss",
    "register_loss",
    "signs_of",
]
