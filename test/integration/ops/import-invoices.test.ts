import { beforeEach, describe, expect, it } from 'vitest';
import { noCounts } from '../../../lib/admin/import/import-invoices.ts';
import type { DeclarationRequest } from '../../../lib/domain/declaration.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { createInvoiceTable } from '../../../lib/storage/invoices/invoice-table.ts';
import { importLines } from '../../support/data/import-lines.ts';
import { declareAlone } from '../../support/data/declare-one.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { rightCounters, storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';

const engine = useEngine();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = await seedAccount(engine));
});

const now = new Date('2026-07-02T08:00:00.000Z');
const aRecord = (overrides: object = {}) => ({
  invoice_id: newId(),
  supplier_id: scope.supplierId,
  service_id: '5',
  invoice_date: '2026-06-10T10:00:00Z',
  system_amount: 100,
  ...overrides,
});

/** Imports records as the lines of a file; gives the counts and the rejected ones. */
async function importAll(records: readonly (object | string)[], tenant = scope.tenant) {
  const rejects: [line: number, faults: readonly string[]][] = [];
  const counts = await importLines(engine, tenant, records, {
    now,
    reject: async ({ line }, faults) => void rejects.push([line, faults]),
  });
  return { ...counts, rejects };
}

const counted = (counts: object) => ({ ...noCounts(), ...counts });

function declare(invoiceId: string, amount: number, more: Partial<DeclarationRequest> = {}) {
  return declareAlone(engine, scope, { invoiceId, amount, ...more }, { userId: '77', now });
}

describe('importing invoices', () => {
  it('creates them with every field, under its name, and the second time writes nothing', async () => {
    const concept = { concept_id: '1', description: 'Tow', unit_amount: 1.1, quantity: 2, tax_pct: 21, total: 2.662 };
    const fields = {
      ...{ invoice_id: '7', service_id: '5', service_number: 'S-1', account_name: 'Córdoba', city: 'Salta' },
      ...{ invoice_date: '2026-06-10T10:00:00Z', service_call_date: '2026-06-09', state_code: 'ENV' },
      ...{ system_amount: 1234.5678, attachment_url: 'https://x.example/a.pdf', attachment_filename: 'a.pdf' },
      concepts: [concept],
    };
    const record = { ...fields, supplier_id: scope.supplierId, state_name: 'ignored' };
    expect(await importAll([record])).toEqual({ ...counted({ created: 1 }), rejects: [] });
    const stored = await storedInvoices(engine, scope);
    const { invoice_id: _, ...named } = fields;
    expect(stored.get('7')).toMatchObject({ ...named, sort_date: '2026-06-10T10:00:00.000Z', version: 1 });
    expect(await importAll([record])).toEqual({ ...counted({ unchanged: 1 }), rejects: [] });
    expect(await storedInvoices(engine, scope)).toEqual(stored);
  });

  it('keeps all digits of an amount', async () => {
    const line = `{"invoice_id":"1","supplier_id":"${scope.supplierId}","service_id":"5","system_amount":123456789012.123456}`;
    await importAll([line]);
    const invoice = await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, '1');
    expect(invoice?.systemAmount).toEqual(decimal('123456789012.123456'));
  });

  it('keeps the day counters right when others import the same invoices with other states at once', async () => {
    const records = Array.from({ length: 60 }, (_, index) =>
      aRecord({ invoice_id: `${1000 + index}`, invoice_date: `2026-0${1 + (index % 6)}-${10 + (index % 7)}` }),
    );
    const rivals = await Promise.all(
      ['PEN', 'REC', 'APR'].map((state_code) => importAll(records.map((record) => ({ ...record, state_code })))),
    );
    expect(rivals.map(({ rejected }) => rejected)).toEqual([0, 0, 0]);
    const counters = Object.values(await rightCounters(engine, scope));
    expect(counters.reduce((sum, count) => sum + count, 0)).toBe(60);
  });

  it('leaves room for the largest declaration in every record that it takes, and rejects others alone', async () => {
    const line = { concept_id: '1', description: 'x'.repeat(1000), unit_amount: 1, quantity: 1, tax_pct: 0, total: 1 };
    const sized = (characters: number) => {
      const full = Array.from({ length: Math.floor(characters / 1000) }, () => line);
      return aRecord({ concepts: [...full, { ...line, description: 'x'.repeat(characters % 1000) }] });
    };
    let [taken, refused] = [364_000, 384_000];
    // The table would take the larger record, but not its declaration.
    expect(await importAll([aRecord(), sized(refused), sized(taken), aRecord()])).toEqual({
      ...counted({ created: 3, rejected: 1 }),
      rejects: [[2, [expect.stringMatching(/^record: takes 4\d{5} bytes with .*, and 409600 are allowed$/)]]],
    });
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2);
      if ((await importAll([sized(middle)])).created === 1) taken = middle;
      else refused = middle;
    }
    const largest = sized(taken);
    await importAll([largest]);
    await declare(largest.invoice_id, 999999999998.9999, {
      notes: '\u{1f600}'.repeat(2000),
      invoiceNumber: '\u{16d6a}'.repeat(60),
      invoiceDate: '2026-01-01T00:00:00.123456789+00:00',
      taxPct: 99.999999,
    });
    const stored = (await storedInvoices(engine, scope)).get(largest.invoice_id);
    expect(stored).toMatchObject({ version: 2, provider_invoice_number: '\u{16d6a}'.repeat(60) });
  });
});

describe('a declaration', () => {
  it('that came by import follows later imports until the supplier declares here', async () => {
    const record = aRecord({ declared_amount: 110 });
    await importAll([record]);
    await importAll([{ ...record, declared_amount: 120 }]);
    await declare(record.invoice_id, 130);
    await importAll([record]);
    const history = await storedRevisions(engine, scope, record.invoice_id);
    expect(history.map((revision) => [revision['declared_by'], revision['declared_amount']])).toEqual([
      ['import', 110],
      ['import', 120],
      ['77', 130],
    ]);
  });
});

it('an import names the first twenty of the states that it did not take over', async () => {
  const records = Array.from({ length: 21 }, () => aRecord());
  await importAll(records);
  for (const { invoice_id: id } of records) await declare(id, 100);
  const { statesKept, firstStatesKept } = await importAll(records.map((record) => ({ ...record, state_code: 'LIQ' })));
  expect([statesKept, firstStatesKept.length]).toEqual([21, 20]);
});
