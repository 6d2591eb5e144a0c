import type { ToleranceConfig } from '../../domain/tolerance.ts';
import { changeDirectory, type ChangeResult } from '../directory/change.ts';
import { keysIn } from '../ports/directory-records.ts';
import { toleranceAttribute } from '../directory/tolerances.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';

/** Sets or (null) removes the tolerance of a supplier or, when none is named, the global one of the tenant. */
export function changeTolerance(
  { records }: Pick<AdminPorts, 'records'>,
  { tenant, supplier: id }: { readonly tenant: string; readonly supplier: string | undefined },
  config: ToleranceConfig | null,
): Promise<ChangeResult> {
  const keys = keysIn(tenant);
  const configured = toleranceAttribute(config);
  return changeDirectory(records, async (directory) => {
    await directory.existing(keys.tenant, `tenant ${tenant}`);
    if (id === undefined) {
      return {
        subject: { kind: 'tenant', tenant },
        record: await directory.changeTo(keys.tenant, { tenant, ...configured }),
      };
    }
    const key = keys.supplier(id);
    const { tolerance: _, ...supplier } = await directory.existing(key, `supplier ${id} in ${tenant}`);
    const record = await directory.changeTo(key, { ...supplier, ...configured });
    return { subject: { kind: 'supplier', tenant, supplier_id: id }, record };
  });
}
