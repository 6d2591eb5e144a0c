import { describe, expect, it } from 'vitest';
import { declarationRequest } from '../../../lib/contracts/declare-invoice.ts';
import { declareAmount, type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { foldText } from '../../../lib/domain/list-entry.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { evaluateTolerance, type Tolerance } from '../../../lib/domain/tolerance.ts';
import { computeItemBytes, MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/values.ts';
import { buildHistoryItem } from '../../../lib/tables/history-items.ts';
import {
  computeInvoiceBytes,
  computeMaxItemBytes,
  fromInvoice,
  MAX_CHANGE_BYTES,
} from '../../../lib/tables/invoice-items.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't'.repeat(253), supplierId: '9'.repeat(20) };
const { notes, invoice_number: number } = declarationRequest.properties;
const tolerance: Tolerance = {
  ...{ mode: 'AMB', pct: decimal('99.999999'), abs: decimal('999999999999.999999') },
  ...{ autoApprove: false, source: 'proveedor' },
};
const LARGEST_VERSION = 9_999_999_999;
// A number without trailing zeros is larger.
const LARGEST_TIME = '2026-03-01T10:30:00.001Z';

/** Finds the character with the largest sum of its own bytes and its folded bytes. */
function findLargestCharacter(): string {
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  const countBytes = (character: string) => Buffer.byteLength(character) + Buffer.byteLength(foldText(character));
  return characters.reduce((largest, one) => (countBytes(one) > countBytes(largest) ? one : largest));
}

/** Builds an invoice with 500 concepts whose computed size is the maximum, and which a supplier or an import declares. */
function buildLargestInvoice(letter: string): Invoice {
  const [concept] = buildInvoice().concepts;
  const buildConcepts = (bytes: number) =>
    Array.from({ length: 500 }, () => ({ ...concept!, description: letter.repeat(bytes) }));
  const build = (bytes: number, city: string) =>
    buildInvoice({
      ...{ invoiceId: '9'.repeat(20), city, concepts: buildConcepts(bytes) },
      ...{ version: LARGEST_VERSION - 1, changedAt: LARGEST_TIME },
    });
  const freeBytes = MAX_ITEM_BYTES - computeMaxItemBytes(scope, build(0, ''));
  return build(Math.floor(freeBytes / 500), letter.repeat(freeBytes % 500));
}

/** Declares an invoice with values of the largest size. Each character of the notes has 4 bytes. */
function declareLargest(invoice: Invoice, character: string) {
  const request = {
    invoiceId: invoice.invoiceId,
    amount: 999_999_999_998.9999,
    notes: character.repeat(notes.maxLength),
    invoiceNumber: findLargestCharacter().repeat(number.maxLength - 1) + character,
    invoiceDate: '2000-01-01T00:00:00.123456789+00:00',
    taxPct: 99.999999,
  };
  const context = { tolerance, userId: IMPORTER, requestId: 'x'.repeat(36), now: new Date(0) };
  return declareAmount(invoice, request, { ...context, newDeclarationId: () => '9'.repeat(19) });
}

describe('an invoice with the largest size that an import accepts', () => {
  const [invoice, other] = [buildLargestInvoice('a'), buildLargestInvoice('b')];
  const declared = declareLargest(invoice, '\u{10fffe}').invoice;

  it('the largest invoice can be declared', () => {
    expect(computeMaxItemBytes(scope, invoice)).toBe(MAX_ITEM_BYTES);
    const bytes = computeInvoiceBytes(fromInvoice(scope, declared));
    expect(bytes).toBeGreaterThan(MAX_ITEM_BYTES - MAX_CHANGE_BYTES + 8_000);
    expect(bytes).toBeLessThanOrEqual(MAX_ITEM_BYTES);
    expect(computeMaxItemBytes(scope, declared), 'a declaration is not counted twice').toBe(MAX_ITEM_BYTES);
  });

  it('a command can replace all concepts and the declaration of the largest invoice, with the longest texts', () => {
    const changedFields = {
      state: 'LIQ',
      serviceId: '1'.repeat(20),
      systemAmount: decimal('999999999998.999999'),
    } as const;
    const redeclared = declareLargest({ ...other, declaration: declared.declaration }, '\u{10ffff}');
    const after = { ...redeclared.invoice, ...changedFields, version: LARGEST_VERSION };
    const revision: DeclarationRevision = {
      ...redeclared.revision!,
      outcome: evaluateTolerance(after.declaration!.amount, decimal('0.000001'), tolerance),
    };
    const author = { changedBy: '€'.repeat(500), reason: '€'.repeat(500) };
    const item = buildHistoryItem(scope, { before: declared, after, revision, author }, 'x'.repeat(36));
    expect(item?.old_values).toMatchObject({ concepts: expect.any(Array), declared_notes: expect.any(String) });
    expect(computeItemBytes(item!)).toBeLessThanOrEqual(MAX_ITEM_BYTES);
    expect(computeInvoiceBytes(fromInvoice(scope, after))).toBeLessThanOrEqual(MAX_ITEM_BYTES);
  });
});
