import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Action, ToleranceMode, ToleranceSource } from '../../domain/tolerance.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromDecimal, type StoredNumber, toDecimal } from '../dynamodb/numbers.ts';
import {
  type DeclaredAttributes,
  fromDeclaration,
  fromProviderInvoice,
  type ProviderInvoiceAttributes,
  toCurrentDeclaration,
  toProviderInvoice,
} from './invoice-row-items.ts';
import { declarationPartition } from './keys.ts';

/** An entry of an invoice's declaration history as it is stored, without its key. */
export interface RevisionItem extends DeclaredAttributes, ProviderInvoiceAttributes {
  readonly system_amount: StoredNumber;
  readonly outcome: {
    readonly within_tolerance: boolean;
    readonly difference: StoredNumber;
    readonly difference_pct: StoredNumber;
    readonly action: Action;
  };
  readonly tolerance: {
    readonly mode: ToleranceMode | null;
    readonly tolerance_pct: StoredNumber | null;
    readonly tolerance_abs: StoredNumber | null;
    readonly auto_approve: boolean;
    readonly source: ToleranceSource;
  };
  readonly held_for_review?: true;
  readonly declared_by: string;
  readonly declared_at: string;
  readonly request_id: string;
}

/** The stored form of a declaration, with its key. */
export function fromRevision(scope: SupplierScope, revision: DeclarationRevision) {
  const { outcome, tolerance } = revision;
  return {
    pk: declarationPartition(scope, revision.invoiceId),
    sk: revision.revision,
    ...fromDeclaration(revision),
    ...fromProviderInvoice(revision.providerInvoice),
    system_amount: fromDecimal(revision.systemAmount),
    outcome: {
      within_tolerance: outcome.withinTolerance,
      difference: fromDecimal(outcome.difference),
      difference_pct: fromDecimal(outcome.differencePct),
      action: outcome.action,
    },
    tolerance: {
      mode: tolerance.mode,
      tolerance_pct: tolerance.pct && fromDecimal(tolerance.pct),
      tolerance_abs: tolerance.abs && fromDecimal(tolerance.abs),
      auto_approve: tolerance.autoApprove,
      source: tolerance.source,
    },
    ...(revision.heldForReview && { held_for_review: true }),
    declared_by: revision.declaredBy,
    declared_at: revision.declaredAt,
    request_id: revision.requestId,
  } satisfies RevisionItem & Key<number>;
}

/** Reads an entry of the declaration history of an invoice. */
export function toRevision(invoiceId: string, item: RevisionItem): DeclarationRevision {
  const { outcome, tolerance } = item;
  const difference = toDecimal(outcome.difference);
  return {
    ...toCurrentDeclaration(item),
    invoiceId,
    providerInvoice: toProviderInvoice(item),
    systemAmount: toDecimal(item.system_amount),
    outcome: {
      withinTolerance: outcome.within_tolerance,
      difference,
      differencePct: toDecimal(outcome.difference_pct),
      differenceAbs: difference.abs(),
      action: outcome.action,
      source: tolerance.source,
    },
    tolerance: {
      mode: tolerance.mode,
      pct: tolerance.tolerance_pct && toDecimal(tolerance.tolerance_pct),
      abs: tolerance.tolerance_abs && toDecimal(tolerance.tolerance_abs),
      autoApprove: tolerance.auto_approve,
      source: tolerance.source,
    },
    heldForReview: item.held_for_review ?? false,
    declaredBy: item.declared_by,
    declaredAt: item.declared_at,
    requestId: item.request_id,
  };
}
