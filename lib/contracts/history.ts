import { type DeclarationRevision, IMPORTER } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import { type StateCode, stateAfter } from '../domain/invoice-states.ts';
import { toTolerance } from './to-response.ts';

/** Converts a declaration to JSON for scripts and other systems, with the property names of the interface. */
export function declarationDocument(revision: DeclarationRevision) {
  const { outcome } = revision;
  return {
    declaration_id: revision.declarationId,
    revision: revision.revision,
    declared_amount: revision.amount.toNumber(),
    declared_notes: revision.notes,
    declared_tax_pct: revision.taxPct && revision.taxPct.toNumber(),
    provider_invoice_number: revision.providerInvoice.number,
    provider_invoice_date: revision.providerInvoice.date,
    system_amount: revision.systemAmount.toNumber(),
    within_tolerance: outcome.withinTolerance,
    difference: outcome.difference.toNumber(),
    difference_pct: outcome.differencePct.toNumber(),
    action: outcome.action,
    held_for_review: revision.requiresManualReview,
    tolerance: toTolerance(revision.tolerance),
    declared_by: revision.declaredBy,
    declared_at: revision.declaredAt,
    request_id: revision.requestId,
  };
}

/** Returns the state that a declaration caused; null for an imported one, whose record contains the state itself. */
export function stateDeclared({ declaredBy, outcome }: DeclarationRevision): StateCode | null {
  return declaredBy === IMPORTER ? null : stateAfter(outcome.action);
}

/** Converts a change of state, or of a fixed system amount; `version` is that of the invoice after the change. */
export function stateChangeDocument(change: StateChange) {
  return {
    from_state: change.from,
    to_state: change.to,
    from_system_amount: change.fromSystemAmount && change.fromSystemAmount.toNumber(),
    to_system_amount: change.toSystemAmount && change.toSystemAmount.toNumber(),
    changed_by: change.changedBy,
    reason: change.reason,
    changed_at: change.changedAt,
    version: change.version,
  };
}
