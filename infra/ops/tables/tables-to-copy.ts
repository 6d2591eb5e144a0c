import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { TABLE_NAMES } from '../../routes.ts';
import type { RawTable, Target } from '../targets/target.ts';

/** A table, and the one that is to replace it. */
export interface TablesToCopy {
  readonly from: RawTable;
  readonly to: RawTable;
}

/** The tables of these names; throws an OperatorError unless the first may be copied into the second. */
export async function tablesToCopy(
  { tables, rawTable, tableFreeze }: Target,
  fromName: string,
  toName: string,
): Promise<TablesToCopy> {
  const from = rawTable(tables[fromName] ?? fromName);
  const to = rawTable(tables[toName] ?? toName);
  for (const table of [from, to]) {
    if ((await table.keyNames()) === undefined) throw new OperatorError(`There is no table ${table.name}.`);
  }
  if (from.name === to.name) throw new OperatorError('A table cannot be copied into itself.');
  if (TABLE_NAMES.some((name) => tables[name] === to.name)) {
    throw new OperatorError(`The service works on ${to.name}: nothing may be copied into it.`);
  }
  if (tableFreeze && (await tableFreeze(from.name).state()) !== 'frozen') {
    throw new OperatorError(`Writes to ${from.name} could be lost: freeze it first (freeze-table ${fromName}).`);
  }
  return { from, to };
}
