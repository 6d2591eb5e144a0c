import type { Invoice } from './invoice.ts';
import { decimal } from './money.ts';

/** The invoice with the largest declaration that its supplier could ever make, after very many others. */
export function withLargestDeclaration(invoice: Invoice): Invoice {
  return {
    ...invoice,
    declaration: {
      declarationId: invoice.declaration?.declarationId ?? '9'.repeat(19),
      revision: 9_999_999_999,
      amount: decimal('999999999998.999999'),
      notes: '\u{10ffff}'.repeat(2000),
      taxPct: decimal('99.999999'),
    },
    providerInvoice: {
      // Stored and, folded, searched in: of all characters, this one takes most bytes when it is folded.
      number: '\u{16d6a}'.repeat(60),
      date: '2000-01-01T00:00:00.123456789+00:00',
    },
    declaredOutcome: {
      withinTolerance: false,
      difference: decimal('-999999999998.999999'),
      // What is held for review takes more room than a longer action.
      action: 'REVIEW',
      source: 'proveedor',
    },
    heldForReview: true,
    version: 9_999_999_999,
  };
}
