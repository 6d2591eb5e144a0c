import { importInvoices } from '../../../../infra/ops/import/import-invoices.ts';
import type { SourceRecord } from '../../../../infra/ops/import/read-records.ts';
import { createAdminPorts } from '../../../../infra/ops/tables/admin-ports.ts';
import type { SupplierScope } from '../../../../lib/domain/invoice.ts';
import type { TestEngine } from '../../../support/engine/engine.ts';

/** The longest range that can be listed. */
export const range = { startdate: '2026-01-01', enddate: '2026-04-03' };
/** How many days it has. */
const DAYS = 93;
const DAY_MS = 86_400_000;

/** What a concept of every invoice says. */
const concept = { concept_id: '10', description: 'Traslado', unit_amount: 1000, quantity: 1, tax_pct: 21 };

/** The id of an imported invoice, by its place from 0 on. */
export function invoiceIdAt(index: number): string {
  return String(1_000_000 + index);
}

/** The date of an invoice: they are spread evenly over the range, oldest first. */
function dateAt(index: number, count: number): string {
  return new Date(Date.parse(range.startdate) + (index / count) * DAYS * DAY_MS).toISOString();
}

/** Gives a supplier this many invoices evenly over the range. */
export async function importSupplier(
  { client, tables }: Pick<TestEngine, 'client' | 'tables'>,
  { tenant, supplierId }: SupplierScope,
  count: number,
): Promise<void> {
  const { created } = await importInvoices(createAdminPorts({ client, tables }), invoicesOf(supplierId, count), {
    tenant,
    now: new Date(),
    reject: async (_, faults) => {
      throw new Error(`An invoice of the benchmark is not valid: ${faults.join('; ')}`);
    },
  });
  if (created !== count) throw new Error(`${created} of ${count} invoices were created.`);
}

async function* invoicesOf(supplierId: string, count: number): AsyncGenerator<SourceRecord> {
  const { unit_amount, quantity, tax_pct, ...words } = concept;
  const decimals = Object.entries({ unit_amount, quantity, tax_pct, total: 1000 }).map(([name, value]) => [
    name,
    String(value),
  ]);
  const concepts = [{ ...words, ...Object.fromEntries(decimals) }];
  for (let index = 0; index < count; index++) {
    const date = dateAt(index, count);
    const value = {
      invoice_id: invoiceIdAt(index),
      supplier_id: supplierId,
      invoice_date: date,
      service_id: String(500_000 + index),
      service_number: `OS-2026-${index}`,
      service_call_date: date,
      account_name: 'Seguros La Pampa',
      city: 'Santa Rosa',
      system_amount: '1000',
      concepts,
    };
    yield { line: index + 1, source: value.invoice_id, value };
  }
}
