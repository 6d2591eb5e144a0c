import type { SupplierScope } from '../../domain/invoice.ts';
import { inPool } from '../../runtime/pool.ts';
import { findSuppliers } from '../directory/find-suppliers.ts';
import { tenantNames } from '../directory/lists.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import type { Finding, VerifyOptions } from './findings.ts';
import { verifyMonth } from './verify-month.ts';
import { verifyRows } from './verify-rows.ts';

/** Whose counters: of all tenants unless one is named, and of all its suppliers unless one is. */
export interface CountersNamed {
  readonly tenant: string | undefined;
  readonly supplier: string | undefined;
}

const PARALLEL_SUPPLIERS = 4;

/**
 * Compares rows and day counters with the invoices; `report` hears of everything as soon as it is found. Gives how many
 * suppliers were verified, and how many invoices were counted.
 */
export async function verifyCounters(
  ports: Pick<AdminPorts, 'records' | 'rows' | 'counters'>,
  { tenant, supplier }: CountersNamed,
  { repair, report }: { repair: boolean; report: (scope: SupplierScope, finding: Finding) => void },
): Promise<{ suppliers: number; invoices: number }> {
  const tenants = tenant === undefined ? await tenantNames(ports) : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(ports, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  let invoices = 0;
  await inPool(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    const counted = await verifySupplier(ports, scope, { repair, report: (found) => report(scope, found) });
    invoices += counted;
  });
  return { suppliers: scopes.length, invoices };
}

/** Verifies one supplier, the rows first, because they are what is counted. Gives how many invoices it has. */
export async function verifySupplier(
  { rows, counters }: Pick<AdminPorts, 'rows' | 'counters'>,
  scope: SupplierScope,
  options: VerifyOptions,
): Promise<number> {
  const { months, distrusted } = await verifyRows(rows, scope, await counters.months(scope), options);
  let invoices = 0;
  for (const month of months) invoices += await verifyMonth(counters, scope, month, { ...options, distrusted });
  return invoices;
}
