import type { LocalService } from '../../infra/local/service.ts';
import { invoiceIdAt, range } from './import-supplier.ts';
import { measure } from './measure.ts';
import { avoidLimits, smallSupplier } from './suppliers.ts';
import { printTable } from './table.ts';

const INVOICES = 1_000;
const BATCH = 100;
const AMOUNTS = 4_999;

/** Times every endpoint, and a batch of 100 against one declaration. */
export async function benchEndpoints(service: LocalService): Promise<void> {
  const client = smallSupplier(service);
  const idAt = (index: number) => invoiceIdAt(index % INVOICES);
  let declared = 0;
  // Each time another amount: the same one again would not be written.
  const declaration = (index: number) => ({ invoice_id: idAt(index), amount: 1000 + (declared++ % AMOUNTS) / 100 });
  const batch = (index: number) => Array.from({ length: BATCH }, (_, item) => declaration(index * BATCH + item));
  const timings = await measure(
    {
      login: () => smallSupplier(service).login(),
      'list, a page of 25': () => client.listInvoices(range),
      'list, a search': () => client.listInvoices({ ...range, search: 'OS-2026-99' }),
      detail: (index) => client.getInvoice(idAt(index)),
      validate: (index) => client.validateAmount(declaration(index)),
      declare: (index) => client.declareInvoice(declaration(index)),
      'declare, a batch of 100': (index) => client.declareBatch(batch(index)),
    },
    { rounds: 50, prepare: avoidLimits(service) },
  );
  const one = timings.declare.median;
  printTable(
    ['50 calls each, in ms', 'median', 'p95', 'declares'],
    Object.entries(timings).map(([name, { median, p95 }]) => [name, median, p95, median / one]),
  );
}
