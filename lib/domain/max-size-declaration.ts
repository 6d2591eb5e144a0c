import type { Invoice } from './invoice.ts';
import { LIMITS } from './limits.ts';
import { decimal } from './money.ts';

/** Returns the invoice with the largest declaration that is possible, after the maximum number of revisions. */
export function withMaxSizeDeclaration(invoice: Invoice): Invoice {
  return {
    ...invoice,
    declaration: {
      declarationId: invoice.declaration?.declarationId ?? '9'.repeat(19),
      revision: 9_999_999_999,
      amount: decimal('999999999998.999999'),
      notes: '\u{10ffff}'.repeat(LIMITS.notesLength),
      taxPct: decimal('99.999999'),
    },
    providerInvoice: {
      // The number is stored and, folded, searched. This character has the most bytes when it is folded.
      number: '\u{16d6a}'.repeat(LIMITS.invoiceNumberLength),
      date: '2000-01-01T00:00:00.123456789+00:00',
    },
    declaredOutcome: {
      withinTolerance: false,
      difference: decimal('-999999999998.999999'),
      // The attribute of a manual review is longer than the longest action.
      action: 'REVIEW',
      source: 'proveedor',
    },
    requiresManualReview: true,
    version: 9_999_999_999,
  };
}
