import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { Session } from '../command.ts';
import type { TableFreeze } from '../targets/target.ts';

/**
 * The freeze of the table of this name, which does nothing in a dry run; throws an OperatorError where no table can be
 * frozen.
 */
export function freezeOf(
  { tables, tableFreeze, dryRun }: Session,
  name: string,
): { table: string; freeze: TableFreeze } {
  if (!tableFreeze) {
    throw new OperatorError('The engine on this machine cannot freeze a table: stop whatever writes to it.');
  }
  const table = tables[name] ?? name;
  const freeze = tableFreeze(table);
  const nothing = async () => undefined;
  return { table, freeze: dryRun ? { ...freeze, freeze: nothing, thaw: nothing, isDenied: async () => true } : freeze };
}
