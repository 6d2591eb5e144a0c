import { importInvoices } from '../../../../infra/ops/import/import-invoices.ts';
import type { SourceRecord } from '../../../../infra/ops/import/read-records.ts';
import { createAdminPorts } from '../../../../infra/ops/tables/admin-ports.ts';
import type { SupplierScope } from '../../../../lib/domain/invoice.ts';
import type { TestEngine } from '../../../support/engine/engine.ts';

/** The longest range that can be listed: 93 days. */
export const range = { startdate: '2026-01-01', enddate: '2026-04-03' };
const RANGE_MS = 93 * 86_400_000;

/** Returns the id of the imported invoice with this index. */
export const buildInvoiceId = (index: number) => String(1_000_000 + index);

/** Imports this many invoices of a supplier, evenly over the range. */
export async function importSupplier(engine: TestEngine, scope: SupplierScope, count: number): Promise<void> {
  let created = 0;
  const records = generateInvoices(scope.supplierId, count);
  for await (const results of importInvoices(createAdminPorts(engine), records, { tenant: scope.tenant })) {
    for (const { result } of results) {
      if (result.errors) throw new Error(`An invoice of the benchmark is not valid: ${result.errors.join('; ')}`);
      if (result.outcome === 'created') created += 1;
    }
  }
  if (created !== count) throw new Error(`${created} of ${count} invoices were created.`);
}

async function* generateInvoices(supplierId: string, count: number): AsyncGenerator<SourceRecord> {
  const decimals = { unit_amount: '1000', quantity: '1', tax_pct: '21', total: '1000' };
  for (let index = 0; index < count; index++) {
    const date = new Date(Date.parse(range.startdate) + (index / count) * RANGE_MS).toISOString();
    const value = {
      invoice_id: buildInvoiceId(index),
      supplier_id: supplierId,
      invoice_date: date,
      service_id: String(500_000 + index),
      service_number: `OS-2026-${index}`,
      service_call_date: date,
      account_name: 'Seguros La Pampa',
      city: 'Santa Rosa',
      system_amount: '1000',
      concepts: [{ concept_id: '10', description: 'Traslado', ...decimals }],
    };
    yield { line: index + 1, source: value.invoice_id, value };
  }
}
