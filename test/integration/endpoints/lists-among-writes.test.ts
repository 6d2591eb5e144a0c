import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { importSupplier } from '../../../lib/admin/import/import-supplier.ts';
import { createInvoiceStore } from '../../../lib/admin/import/import-invoices.ts';
import { changeState } from '../../../lib/admin/invoices/change-state.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { declareAmounts } from '../../../lib/services/declare-amounts.ts';
import type { InvoiceLists } from '../../../lib/services/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/services/invoice-pages.ts';
import { createDeclarationStore } from '../../../lib/storage/invoices/invoice-transaction.ts';
import { createInvoiceTable } from '../../../lib/storage/invoices/invoice-table.ts';
import { referenceList } from '../../support/data/reference-list.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { listProcess } from '../../support/service/list-process.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const DAYS = ['2026-02-28', '2026-03-01'];
const PER_DAY = 110;
const ids = DAYS.flatMap((_, day) => Array.from({ length: PER_DAY }, (_one, at) => `${1000 * (day + 1) + at}`));

const engine = useEngine();
let scope: SupplierScope;
let lists: InvoiceLists[];

beforeAll(async () => {
  scope = { tenant: 'among.example', supplierId: newId() };
  await seedInvoices(
    engine,
    scope,
    ids.map((invoiceId, at) =>
      anInvoice({
        invoiceId,
        invoiceDate: `${DAYS[Math.floor(at / PER_DAY)]}T10:00:00Z`,
        accountName: at % 25 === 3 ? 'Señal' : 'Grúas',
      }),
    ),
  );
  lists = [listProcess(engine), listProcess(engine)];
});

async function allInvoices(): Promise<Invoice[]> {
  const { getMany } = createInvoiceTable(engine.client, engine.tables.Invoices);
  const parts = [ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)].map((part) => getMany(scope, part));
  return (await Promise.all(parts)).flatMap((part) => [...part.values()]);
}

const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;

function declare(invoiceIds: readonly string[], amount: number, invoiceNumber: string) {
  const store = createDeclarationStore(engine.client, {
    invoices: engine.tables.Invoices,
    declarations: engine.tables.Declarations,
  });
  const context = { tolerance, userId: '7', requestId: newId(), now: new Date(), newDeclarationId: newId };
  const requests = invoiceIds.map((invoiceId) => ({ invoiceId, amount, invoiceNumber }));
  return declareAmounts(store, scope, requests, context);
}

const id = fc.oneof(fc.constantFrom('1003', '1028', '2018', '2055', '1054'), fc.constantFrom(...ids));
const number = fc.constantFrom('FE-1', 'señal 7', 'FE-2');
const amount = fc.integer({ min: 1, max: 3 });

/** What the users and operators of other processes do: each is one transaction, or some. */
const write = fc.oneof(
  fc.tuple(id, amount, number).map(
    ([one, sum, text]) =>
      () =>
        declare([one], sum, text),
  ),
  fc.tuple(fc.uniqueArray(id, { minLength: 2, maxLength: 5 }), amount, number).map(
    ([some, sum, text]) =>
      () =>
        declare(some, sum, text),
  ),
  fc.tuple(id, fc.constantFrom('PEN', 'REC', 'LIQ')).map(([one, state]) => async () => {
    const ports = createAdminPorts(engine);
    const invoice = await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, one);
    if (!invoice) throw new Error(`There is no invoice ${one}.`);
    const author = { changedBy: 'ops', reason: 'test', clock: systemClock };
    return changeState(ports.invoiceWriter.commit, { scope, invoice }, state, author);
  }),
  fc.tuple(id, fc.constantFrom(...DAYS), fc.constantFrom('Señal', 'Otra')).map(([one, day, accountName]) => () => {
    const record = {
      invoice_id: one,
      supplier_id: scope.supplierId,
      service_id: '5',
      invoice_date: `${day}T11:00:00Z`,
      account_name: accountName,
      system_amount: '100',
    };
    const context = { tolerance, now: new Date(), requestId: newId(), newDeclarationId: newId };
    return importSupplier(createInvoiceStore(createAdminPorts(engine)), scope, [{ record }], context, () => {});
  }),
);

const query = fc.constantFrom<Partial<ListQuery>>(
  { search: 'senal' },
  { search: 'SEÑAL', state: 'REV' },
  { search: 'fe-1', limit: 3, offset: 1 },
  { search: 'gruas', offset: 70, limit: 9 },
);

/** The lists of a process, where before its next calls others write. */
function amongWrites({ rows, indexes }: InvoiceLists, next: () => Promise<void>): InvoiceLists {
  const before = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async function interrupted(...args: Args) {
      await next();
      return call(...args);
    };
  return {
    rows: {
      ...rows,
      dayCounts: before(rows.dayCounts),
      search: before(rows.search),
      at: before(rows.at),
    },
    indexes: { ...indexes, read: before(indexes.read) },
  };
}

describe('a search while others write between its steps', () => {
  it('gives what reading everything and filtering gives at one moment of it [list-invoices/rule-4]', async () => {
    let interrupted = 0;
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.array(fc.option(write, { freq: 2 }), { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 1 }),
        async (some, writes, process) => {
          const asked = {
            range: parseDateRange('2026-02-01', '2026-03-31'),
            state: null,
            search: '',
            limit: 5,
            offset: 0,
          };
          const moments = [await allInvoices()];
          const waiting = [...writes];
          const next = async () => {
            const one = waiting.shift();
            if (!one) return;
            await one();
            interrupted++;
            moments.push(await allInvoices());
          };
          const { rows, total } = await readInvoicePage(amongWrites(lists[process]!, next), scope, {
            ...asked,
            ...some,
          });
          const answer = { ids: rows.map(({ invoiceId }) => invoiceId), total };
          expect(moments.map((invoices) => referenceList(invoices, { ...asked, ...some }))).toContainEqual(answer);
        },
      ),
      { numRuns: 40 },
    );
    expect(interrupted).toBeGreaterThan(20);
  });
});
