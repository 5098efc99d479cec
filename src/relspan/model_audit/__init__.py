"""Audits of fitted scikit-learn models: how much they can change among models as good as they are."""

from relspan.model_audit.audit_result import AuditedPredictions, CoefficientRange, ModelAudit
from relspan.model_audit.audit_run import audit

__all__ = ["AuditedPredictions", "CoefficientRange", "ModelAudit", "audit"]
