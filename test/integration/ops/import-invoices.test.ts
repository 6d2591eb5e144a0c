import { beforeEach, describe, expect, it } from 'vitest';
import { importInvoices, noCounts } from '../../../lib/admin/import/import-invoices.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
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
  it('creates them with every field, and the second time writes nothing', async () => {
    const record = aRecord({
      service_number: 'S-1',
      service_call_date: '2026-06-09',
      account_name: 'Córdoba',
      city: 'Salta',
      system_amount: 1234.5678,
      state_code: 'ENV',
      state_name: 'ignored',
      attachment_url: 'https://x.example/a.pdf',
      attachment_filename: 'a.pdf',
      concepts: [{ concept_id: '1', description: 'Tow', unit_amount: 1.1, quantity: 2, tax_pct: 21, total: 2.662 }],
    });
    expect(await importAll([record])).toEqual({ ...counted({ created: 1 }), rejects: [] });
    const { supplier_id: _, state_name: _name, invoice_id: invoiceId, ...fields } = record as Record<string, unknown>;
    const stored = (await storedInvoices(engine, scope)).get(invoiceId as string);
    expect(stored).toMatchObject({ ...fields, sort_date: '2026-06-10T10:00:00.000Z', version: 1 });
    expect(await importAll([record])).toEqual({ ...counted({ unchanged: 1 }), rejects: [] });
    expect((await storedInvoices(engine, scope)).get(invoiceId as string)).toEqual(stored);
  });

  it('keeps all digits of an amount', async () => {
    const line = `{"invoice_id":"1","supplier_id":"${scope.supplierId}","service_id":"5","system_amount":123456789012.123456}`;
    await importAll([line]);
    const invoice = await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, '1');
    expect(invoice?.systemAmount).toEqual(decimal('123456789012.123456'));
  });

  it('keeps the day counters right through changed dates and states, and repeated and parallel imports', async () => {
    const states = ['PEN', 'ENV', 'LIQ'];
    const records = Array.from({ length: 60 }, (_, index) =>
      aRecord({
        invoice_id: `${1000 + index}`,
        invoice_date: `2026-0${1 + (index % 6)}-${10 + (index % 7)}`,
        state_code: states[index % 3],
        ...(index % 4 === 0 && { declared_amount: 90 }),
      }),
    );
    expect(await importAll(records)).toMatchObject(counted({ created: 60 }));
    const first = await rightCounters(engine, scope);
    expect(Object.values(first).reduce((sum, count) => sum + count, 0)).toBe(60);

    const moved = records.map((record, index) =>
      index % 2 === 0 ? { ...record, invoice_date: '2025-12-31', state_code: 'AJU' } : record,
    );
    expect(await importAll(moved)).toMatchObject(counted({ changed: 30, unchanged: 30 }));
    expect(await rightCounters(engine, scope)).toMatchObject({ '2025-12-31 AJU': 30 });

    const rivals = await Promise.all(
      ['PEN', 'REC', 'APR'].map((state_code) => importAll(records.map((record) => ({ ...record, state_code })))),
    );
    expect(rivals.map(({ rejected }) => rejected)).toEqual([0, 0, 0]);
    await rightCounters(engine, scope);
  });

  it('rejects what is faulty, with its line, and imports the rest', async () => {
    const records = [
      aRecord({ system_amount: -1 }),
      aRecord(),
      aRecord({ supplier_id: '404' }),
      aRecord({ state_code: 'NON' }),
      { invoice_id: '5', supplier_id: scope.supplierId, city: 'Salta' },
    ];
    expect(await importAll(records)).toEqual({
      ...counted({ created: 1, rejected: 4 }),
      rejects: [
        [1, ['system_amount: must be a number from 0 to 999999999999.99']],
        [3, [`supplier_id: there is no supplier 404 in ${scope.tenant}`]],
        [4, ['state_code: must be one of PEN, ENV, APR, REV, REC, AJU, LIQ']],
        [5, ['record: a new invoice needs service_id and system_amount']],
      ],
    });
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
  it('that came by import begins the history, and follows later imports until the supplier declares here', async () => {
    const record = aRecord({ state_code: 'REV', declared_amount: 110, declaration_id: '777' });
    await importAll([record]);
    expect(await storedRevisions(engine, scope, record.invoice_id)).toMatchObject([
      { sk: 1, declared_by: 'import', declared_amount: 110, declaration_id: '777', declared_at: now.toISOString() },
    ]);
    await importAll([{ ...record, state_code: 'APR', declared_amount: 120 }]);
    await declare(record.invoice_id, 130);
    await importAll([record]);
    const stored = (await storedInvoices(engine, scope)).get(record.invoice_id);
    expect(stored).toMatchObject({ state_code: 'REV', declared_amount: 130, declaration_id: '777' });
    const history = await storedRevisions(engine, scope, record.invoice_id);
    expect(history.map((revision) => [revision['declared_by'], revision['declared_amount']])).toEqual([
      ['import', 110],
      ['import', 120],
      ['77', 130],
    ]);
  });
});

describe('the memory that an import needs', () => {
  it('is bounded: of the states that it did not take over it names the first twenty', async () => {
    const records = Array.from({ length: 21 }, () => aRecord());
    await importAll(records);
    for (const { invoice_id: id } of records) await declare(id, 100);
    const { statesKept, firstStatesKept } = await importAll(
      records.map((record) => ({ ...record, state_code: 'LIQ' })),
    );
    expect([statesKept, firstStatesKept.length]).toEqual([21, 20]);
  });

  it('is bounded: of a stream without end it never holds more than the next thousand records', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        const value = { ...aRecord({ supplier_id: '404' }), system_amount: '1' };
        yield { line: read, source: '{}', value };
      }
    }
    const stop = new AbortController();
    const ahead: number[] = [];
    await importInvoices(createAdminPorts(engine), endless(), {
      tenant: scope.tenant,
      now,
      reject: async () => {},
      progress(lastLine) {
        ahead.push(read - lastLine);
        if (lastLine >= 2000) stop.abort();
      },
      stop: stop.signal,
    });
    expect(ahead).toHaveLength(2);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1000);
  });
});
