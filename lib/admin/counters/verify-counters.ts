import type { SupplierScope } from '../../domain/invoice.ts';
import { findSuppliers } from '../directory/find-suppliers.ts';
import { inLanes } from '../../runtime/in-lanes.ts';
import type { Installation } from '../installation.ts';
import type { RowsVerdict } from './verify-invoice-rows.ts';
import { type MonthVerdict, verifyMonth } from './verify-month.ts';
import { verifyRows } from './verify-rows.ts';

/** Whose counters: of all tenants unless one is named, and of all its suppliers unless one is. */
export interface CountersNamed {
  readonly tenant: string | undefined;
  readonly supplier: string | undefined;
}

/** Whether to set right what differs, and who hears of what was found as soon as it is. */
export interface VerifyOptions {
  readonly repair: boolean;
  /** Hears of every invoice whose rows are wrong or cannot be judged. */
  readonly reportRows: (scope: SupplierScope, invoiceId: string, verdict: RowsVerdict) => void;
  /** Hears of every month. */
  readonly reportMonth: (scope: SupplierScope, month: string, verdict: MonthVerdict) => void;
}

const PARALLEL_SUPPLIERS = 4;

/**
 * Compares rows and day counters with the invoices: the rows first, because they are what is counted. Gives how many
 * suppliers were verified.
 */
export async function verifyCounters(
  installation: Pick<Installation, 'records' | 'lists' | 'rows' | 'counters'>,
  { tenant, supplier }: CountersNamed,
  { repair, reportRows, reportMonth }: VerifyOptions,
): Promise<number> {
  const { lists, rows, counters } = installation;
  const tenants = tenant === undefined ? await lists.tenants() : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(installation, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  await inLanes(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    const { months, distrusted } = await verifyRows(rows, scope, await counters.months(scope), {
      repair,
      report: (...found) => reportRows(scope, ...found),
    });
    for (const month of months) {
      reportMonth(scope, month, await verifyMonth(counters, scope, month, { repair, distrusted }));
    }
  });
  return scopes.length;
}
