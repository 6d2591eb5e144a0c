import type { SupplierScope } from '../../domain/invoice.ts';
import { inLanes } from '../../runtime/in-lanes.ts';
import { findSuppliers } from '../directory/find-suppliers.ts';
import type { Installation } from '../installation.ts';
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
  installation: Pick<Installation, 'records' | 'lists' | 'rows' | 'counters'>,
  { tenant, supplier }: CountersNamed,
  { repair, report }: { repair: boolean; report: (scope: SupplierScope, finding: Finding) => void },
): Promise<{ suppliers: number; invoices: number }> {
  const tenants = tenant === undefined ? await installation.lists.tenants() : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(installation, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  let invoices = 0;
  await inLanes(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    const counted = await verifySupplier(installation, scope, { repair, report: (found) => report(scope, found) });
    invoices += counted;
  });
  return { suppliers: scopes.length, invoices };
}

/** Verifies one supplier, the rows first, because they are what is counted. Gives how many invoices it has. */
export async function verifySupplier(
  { rows, counters }: Pick<Installation, 'rows' | 'counters'>,
  scope: SupplierScope,
  options: VerifyOptions,
): Promise<number> {
  const { months, distrusted } = await verifyRows(rows, scope, await counters.months(scope), options);
  let invoices = 0;
  for (const month of months) invoices += await verifyMonth(counters, scope, month, { ...options, distrusted });
  return invoices;
}
