import type { SupplierScope } from '../../domain/invoice.ts';
import { findSuppliers } from '../directory/find-suppliers.ts';
import { inLanes } from '../../runtime/in-lanes.ts';
import type { Installation } from '../installation.ts';
import { type MonthVerdict, verifyMonth } from './verify-month.ts';

/** Whose counters: of all tenants unless one is named, and of all its suppliers unless one is. */
export interface CountersNamed {
  readonly tenant: string | undefined;
  readonly supplier: string | undefined;
}

/** Whether to set right what differs; `report` hears of every month of every supplier as soon as it is verified. */
export interface VerifyOptions {
  readonly repair: boolean;
  readonly report: (scope: SupplierScope, month: string, verdict: MonthVerdict) => void;
}

const PARALLEL_SUPPLIERS = 4;

/** Compares day counters with the invoices that they count; gives how many suppliers have them. */
export async function verifyCounters(
  installation: Pick<Installation, 'records' | 'lists' | 'counters'>,
  { tenant, supplier }: CountersNamed,
  { repair, report }: VerifyOptions,
): Promise<number> {
  const { lists, counters } = installation;
  const tenants = tenant === undefined ? await lists.tenants() : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(installation, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  await inLanes(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    for (const month of await counters.months(scope)) {
      report(scope, month, await verifyMonth(counters, scope, month, { repair }));
    }
  });
  return scopes.length;
}
