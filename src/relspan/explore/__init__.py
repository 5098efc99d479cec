"""Questions about a family of equally good models: what if, what instead, what is enough, what is certain."""

from relspan.explore.card_risks import CutOff
from relspan.explore.contribution_table import ContributionTable
from relspan.explore.contributions import Contribution, Contributions
from relspan.explore.discrepancy import Discrepancy
from relspan.explore.explorer import Explorer
from relspan.explore.member_models import BudgetUse, HeldOutScore, Model
from relspan.explore.panels import Panel, Panels
from relspan.explore.paths import RelevancePath, Step
from relspan.explore.pins import Pin
from relspan.explore.predictions import Prediction, Predictions
from relspan.explore.purchases import Kit
from relspan.explore.ranking import RankedPair, Ranking
from relspan.explore.scenarios import Scenario, ScenarioComparison
from relspan.explore.score_card import ScoreCard, ScoreCards
from relspan.explore.spans import Span, Spans
from relspan.explore.stability import FeatureStability, Stability
from relspan.explore.substitute_groups import Groups
from relspan.explore.substitutes import Alternative, Alternatives, Substitution

__all__ = [
    "Alternative",
    "Alternatives",
    "BudgetUse",
    "Contribution",
    "ContributionTable",
    "Contributions",
    "CutOff",
    "Discrepancy",
    "Explorer",
    "FeatureStability",
    "Groups",
    "HeldOutScore",
    "Kit",
    "Model",
    "Panel",
    "Panels",
    "Pin",
    "Prediction",
    "Predictions",
    "RankedPair",
    "Ranking",
    "RelevancePath",
    "Scenario",
    "ScenarioComparison",
    "ScoreCard",
    "ScoreCards",
    "Span",
    "Spans",
    "Stability",
    "Step",
    "Substitution",
]
