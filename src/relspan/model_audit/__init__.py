"""Audits of fitted scikit-learn models: how much they can change among models as good as they are."""

from relspan.model_audit.audit import audit
from relspan.model_audit.audit_result import AuditedPredictions, CoefficientRange, ModelAudit

__all__ = ["AuditedPredictions", "CoefficientRange", "ModelAudit", "audit"]
