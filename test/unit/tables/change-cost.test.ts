import { describe, expect, it } from 'vitest';
import { withState } from '../../../lib/domain/invoice-change.ts';
import { computeItemBytes } from '../../../lib/tables/dynamodb/values.ts';
import { buildWrites, computeChangeCost } from '../../../lib/tables/invoice-transaction.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const tables = { invoices: 'Invoices', declarations: 'Declarations' };
const invoice = buildInvoice();
const changed = withState(invoice, 'LIQ', new Date());
const author = { changedBy: 'carol', reason: 'y'.repeat(300) };

describe('computeChangeCost', () => {
  it.each([
    ['the creation of an invoice', { before: null, after: invoice, author }, 1],
    ['a change of an invoice', { before: invoice, after: changed, author }, 2],
  ])(
    'computeChangeCost counts the writes of %s, and their bytes with the longest id of a command',
    (_, change, writes) => {
      const items = buildWrites(tables, scope, [change], crypto.randomUUID()).map(({ Put }) => Put?.Item ?? {});
      const bytes = items.reduce((sum, item) => sum + computeItemBytes(item), 0);
      const cost = computeChangeCost(scope, change);
      expect([cost.writes, items.length]).toEqual([writes, writes]);
      expect(cost.bytes).toBeGreaterThanOrEqual(bytes);
      expect(cost.bytes).toBeLessThan(bytes + 200);
    },
  );
});
