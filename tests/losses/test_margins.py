"""Predictions follow from margins, which every loss with one score per sample states; losses register themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from relspan.errors import ParameterError
from relspan.losses import (
    LOSSES,
    Adjusted,
    EpsilonInsensitive,
    Hinge,
    Logistic,
    Loss,
    MulticlassHinge,
    OneScoreLoss,
    OrdinalHinge,
    PairHinge,
    Pinball,
    Privileged,
    RejectHinge,
    Signed,
    loss,
    register_loss,
)

ONE_SCORE = [Hinge(), EpsilonInsensitive(0.1), Pinball(0.9), RejectHinge(0.2, 0.2), OrdinalHinge(2), OrdinalHinge(4)]
rng = np.random.default_rng(0)
X, WEIGHTS = rng.standard_normal((60, 3)), np.array([1.0, -0.5, 2.0])


EVERY = [
    *ONE_SCORE,
    Logistic(),
    PairHinge(),
    MulticlassHinge(3),
    Adjusted(OrdinalHinge(3), 1),
    Signed(Hinge(), (0, 2), (1, -1)),
    Signed(Adjusted(Hinge(), 1), (0, 2), (1, -1)),
    Privileged(EpsilonInsensitive(0.1), (False, True, False), 1.0),
]


def offsets_of(loss: OneScoreLoss) -> np.ndarray:
    return np.sort(rng.standard_normal(loss.n_offsets))


@pytest.mark.parametrize("loss", ONE_SCORE, ids=repr)
def test_margins_are_linear_in_the_model(loss: OneScoreLoss) -> None:
    offsets = offsets_of(loss)
    by_hand = np.column_stack([X @ WEIGHTS + coefficients @ offsets for coefficients in loss.margin_offsets])
    np.testing.assert_allclose(loss.margins(X, WEIGHTS, offsets), by_hand)


@pytest.mark.parametrize("loss", EVERY, ids=repr)
def test_several_models_predict_as_each_of_them(loss: Loss) -> None:
    n_weights = len(loss.blocks(3).owner)
    models = rng.standard_normal((5, n_weights + loss.n_offsets))
    table = np.column_stack([X, rng.standard_normal(len(X))]) if "Adjusted" in repr(loss) else X
    for features in {X.shape[1], table.shape[1]}:  # without covariates, too
        one_by_one = [loss.predict(table[:, :features], model[:n_weights], model[n_weights:]) for model in models]
        np.testing.assert_allclose(loss.predict_each(table[:, :features], models), one_by_one)


@pytest.mark.parametrize("loss", ONE_SCORE, ids=repr)
def test_a_shift_of_all_scores_is_taken_up_by_the_offsets(loss: OneScoreLoss) -> None:
    offsets = offsets_of(loss)
    shifted = np.column_stack([X, np.ones(len(X))])
    after = loss.offsets_after_shift(offsets, 0.7)
    np.testing.assert_allclose(
        loss.margins(shifted, np.append(WEIGHTS, 0.7), after), loss.margins(X, WEIGHTS, offsets), atol=1e-12
    )


@pytest.mark.parametrize("loss", ONE_SCORE, ids=repr)
def test_a_prediction_never_falls_when_a_margin_rises(loss: OneScoreLoss) -> None:
    margins = loss.margins(X, WEIGHTS, offsets_of(loss))
    for k in range(loss.n_offsets):
        higher = margins + rng.random((len(X), 1)) * np.eye(loss.n_offsets)[k]
        assert (loss.predict_from_margins(higher) >= loss.predict_from_margins(margins)).all()


@pytest.mark.parametrize("loss", [loss for loss in ONE_SCORE if loss.label_codes], ids=repr)
def test_every_code_that_is_predicted_has_a_label_in_the_order_of_the_score(loss: OneScoreLoss) -> None:
    n_labels = len(loss.label_codes) - (loss.rejected_code is not None)
    labels = loss.labels_by_code(tuple("abcd"[:n_labels]))
    assert [label for label in labels.values() if label is not None] == list("abcd"[:n_labels])
    assert sorted(labels) == list(labels)
    predicted = loss.predict(X, WEIGHTS, offsets_of(loss))
    assert set(predicted) <= set(labels)


def test_numbers_have_no_labels() -> None:
    assert EpsilonInsensitive().labels_by_code(()) == {}


def test_a_rejected_sample_has_no_label() -> None:
    assert RejectHinge(0.2, 0.2).labels_by_code(("no", "yes")) == {-1.0: "no", 0.0: None, 1.0: "yes"}


def test_all_losses_but_the_wrapper_of_another_are_registered() -> None:
    assert {"EpsilonInsensitive", "Hinge", "MulticlassHinge", "OrdinalHinge", "RejectHinge"} <= set(LOSSES)
    assert "Privileged" not in LOSSES


def test_a_loss_from_outside_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss, "LOSSES", dict(LOSSES))

    @register_loss
    @dataclass(frozen=True)
    class Outside(OneScoreLoss):
        steepness: float

    assert loss.LOSSES["Outside"](steepness=2.0) == Outside(2.0)


def test_two_losses_of_one_name_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"Hinge.*relspan\.losses\.hinge"):
        register_loss(dataclass(frozen=True)(type("Hinge", (OneScoreLoss,), {})))


def test_a_loss_whose_parameters_cannot_be_saved_is_refused() -> None:
    with pytest.raises(ParameterError, match="dataclass"):
        register_loss(type("Plain", (), {}))
