import type { ToleranceConfig } from '../../../lib/domain/tolerance.ts';
import { fromTolerance } from '../../../lib/storage/directory-items.ts';
import { placesIn } from '../../../lib/admin/apply/directory-state.ts';
import { planRecords } from '../../../lib/admin/apply/plan.ts';
import type { ExitCode, Session } from '../command.ts';
import { changeDirectory, existing } from './change-directory.ts';

/** Sets or (null) removes the tolerance of a supplier or, when none is named, the global one of the tenant. */
export function changeTolerance(
  session: Session,
  { tenant, supplier: supplierId }: { tenant: string; supplier: string | undefined },
  config: ToleranceConfig | null,
): Promise<ExitCode> {
  const places = placesIn(tenant);
  const configured = config && { tolerance: fromTolerance(config) };
  const already = config ? 'It has this tolerance already.' : 'It has no tolerance of its own.';
  if (supplierId === undefined) {
    return changeDirectory(session, {
      tenant,
      needs: () => [],
      already,
      async plan(state) {
        const change = state.changeTo(places.tenant, { tenant, ...configured });
        return { subject: { kind: 'tenant', tenant }, ...planRecords(change) };
      },
    });
  }
  const place = places.supplier(supplierId);
  return changeDirectory(session, {
    tenant,
    needs: () => [place],
    already,
    async plan(state) {
      const { tolerance: _, ...supplier } = existing(state, place, `supplier ${supplierId} in ${tenant}`);
      const change = state.changeTo(place, { ...supplier, ...configured });
      return { subject: { kind: 'supplier', tenant, supplier_id: supplierId }, ...planRecords(change) };
    },
  });
}
