import { engineDocumentClient } from '../../infra/local/engine-client.ts';
import { demoAccount } from '../../infra/local/demo.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { importInvoices } from '../../lib/admin/import/import-invoices.ts';
import type { SourceRecord } from '../../lib/admin/import/read-records.ts';
import { createInstallation } from '../../lib/composition/installation.ts';

/** The longest range that can be listed; the demo data have no invoice in it. */
export const range = { startdate: '2026-01-01', enddate: '2026-04-03' };
/** How many days it has. */
export const DAYS = 93;
const DAY_MS = 86_400_000;

/** The id of an imported invoice, by its place from 0 on. */
export function invoiceIdAt(index: number): string {
  return String(1_000_000 + index);
}

/** Gives a supplier of the demo tenant this many invoices evenly over the range; returns how many seconds it took. */
export async function importSupplier(service: LocalService, supplierId: string, count: number): Promise<number> {
  const client = engineDocumentClient(service.endpoint);
  const startedMs = performance.now();
  const counts = await importInvoices(
    createInstallation({ client, tables: service.tables }),
    invoicesOf(supplierId, count),
    {
      tenant: demoAccount.tenant,
      now: new Date(),
      reject: async (_, faults) => {
        throw new Error(`An invoice of the benchmark is not valid: ${faults.join('; ')}`);
      },
      progress: () => {},
    },
  );
  client.destroy();
  if (counts.created !== count) throw new Error(`${counts.created} of ${count} invoices were created.`);
  return (performance.now() - startedMs) / 1000;
}

async function* invoicesOf(supplierId: string, count: number): AsyncGenerator<SourceRecord> {
  for (let index = 0; index < count; index++) {
    const invoiceDate = new Date(Date.parse(range.startdate) + (index / count) * DAYS * DAY_MS).toISOString();
    const concept = { concept_id: '10', description: 'Traslado', unit_amount: '1000', quantity: '1', tax_pct: '21' };
    const value = {
      invoice_id: invoiceIdAt(index),
      supplier_id: supplierId,
      invoice_date: invoiceDate,
      service_id: String(500_000 + index),
      service_number: `OS-2026-${index}`,
      service_call_date: invoiceDate,
      account_name: 'Seguros La Pampa',
      city: 'Santa Rosa',
      system_amount: '1000',
      concepts: [{ ...concept, total: '1000' }],
    };
    yield { line: index + 1, source: value.invoice_id, value };
  }
}
