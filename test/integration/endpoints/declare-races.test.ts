import { expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readConsistentCounters, readStoredInvoices, readStoredRevisions } from '../../support/data/stored-invoices.ts';
import { createTestDeclarationStore, declareOne } from '../../support/data/declare-one.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();

it(
  '50 parallel declarations of one invoice leave one consistent state, revisions 1 to 50 and exact counters',
  { tags: 'long' },
  async () => {
    const scope = { tenant: 'races.example', supplierId: newId() };
    const invoice = buildInvoice({ systemAmount: decimal('1000') });
    await seedInvoices(engine, scope, [invoice]);
    const { invoiceId } = invoice;
    const tolerance = selectTolerance({ mode: 'ABS', pct: null, abs: decimal('25'), autoApprove: true }, null);

    const store = createTestDeclarationStore(engine);
    const context = { tolerance, userId: '1', requestId: 'r', now: new Date(), newDeclarationId: newId };

    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => declareOne(store, scope, { invoiceId, amount: 1000 + index }, context)),
    );

    const revisions = await readStoredRevisions(engine, scope, invoiceId);
    const stored = (await readStoredInvoices(engine, scope)).get(invoiceId);
    expect(revisions.map(({ sk }) => sk)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(new Set(results.map(({ declaration }) => declaration.declarationId))).toEqual(
      new Set([stored?.['declaration_id']]),
    );
    for (const { declaration } of results) {
      expect(revisions[declaration.revision - 1]).toMatchObject({ declared_amount: declaration.amount.toNumber() });
    }
    const last = revisions.at(-1);
    expect(stored).toMatchObject({
      version: 51,
      declaration_revision: 50,
      declared_amount: last?.['declared_amount'],
      state_code: Number(last?.['declared_amount']) <= 1025 ? 'APR' : 'REV',
    });
    await readConsistentCounters(engine, scope);
  },
);
