import type { ToleranceConfig } from '../../domain/tolerance.ts';
import { changeDirectory, existing } from '../directory/change-directory.ts';
import { placesIn } from '../directory/directory-state.ts';
import { planRecords } from '../directory/plan.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import { toToleranceRecord } from '../directory/tolerance-record.ts';
import type { Installation } from '../installation.ts';

/** Sets or (null) removes the tolerance of a supplier or, when none is named, the global one of the tenant. */
export function changeTolerance(
  { records }: Pick<Installation, 'records'>,
  { tenant, supplier: supplierId }: { readonly tenant: string; readonly supplier: string | undefined },
  config: ToleranceConfig | null,
): Promise<EntryResult> {
  const places = placesIn(tenant);
  const configured = config && { tolerance: toToleranceRecord(config) };
  if (supplierId === undefined) {
    return changeDirectory(records, {
      tenant,
      needs: () => [],
      async plan(state) {
        const change = state.changeTo(places.tenant, { tenant, ...configured });
        return { subject: { kind: 'tenant', tenant }, ...planRecords(change) };
      },
    });
  }
  const place = places.supplier(supplierId);
  return changeDirectory(records, {
    tenant,
    needs: () => [place],
    async plan(state) {
      const { tolerance: _, ...supplier } = existing(state, place, `supplier ${supplierId} in ${tenant}`);
      const change = state.changeTo(place, { ...supplier, ...configured });
      return { subject: { kind: 'supplier', tenant, supplier_id: supplierId }, ...planRecords(change) };
    },
  });
}
