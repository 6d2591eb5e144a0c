import { expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { createHistoryTable } from '../../../lib/tables/history-table.ts';
import { createTestDeclarationStore, declareOne } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
const tolerance = selectTolerance({ mode: 'ABS', pct: null, abs: decimal('25'), autoApprove: true }, null);
const context = { tolerance, userId: '1', requestId: 'r', newDeclarationId: newId };

it(
  '50 parallel declarations of one invoice leave one consistent state, and a history without a gap and in order',
  { tags: 'long' },
  async () => {
    const { engine } = portal;
    const scope = { tenant: 'races.example', supplierId: newId() };
    // A clock that was ahead has made the previous change.
    const invoice = buildInvoice({ systemAmount: decimal('1000'), changedAt: '2099-12-31T23:59:59.990Z' });
    await seedInvoices(engine, scope, [invoice]);
    const { invoiceId } = invoice;
    const store = createTestDeclarationStore(engine);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => declareOne(store, scope, { invoiceId, amount: 1000 + index }, context)),
    );

    const history = await createHistoryTable(engine.client, engine.tables.Declarations).read(scope, invoiceId);
    const stored = (await readStoredInvoices(engine, scope)).get(invoiceId);
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    expect(history.map(({ revision }) => revision?.revision)).toEqual(numbers);
    expect(history.map(({ version }) => version)).toEqual(numbers.map((number) => number + 1));
    const times = [invoice, ...history].map(({ changedAt }) => changedAt);
    expect(times).toEqual([...new Set(times)].toSorted());
    for (const { declaration } of results) {
      expect(history[declaration.revision - 1]?.revision).toMatchObject({
        declarationId: stored?.['declaration_id'],
        amount: declaration.amount,
      });
    }
    const last = history.at(-1);
    const amount = last?.revision?.amount.toNumber() ?? 0;
    expect(stored).toMatchObject({
      ...{ version: 51, changed_ms: Date.parse(last!.changedAt), declaration_revision: 50, declared_amount: amount },
      state_code: amount <= 1025 ? 'APR' : 'REV',
    });
  },
);
