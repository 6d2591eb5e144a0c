import type { TableName } from '../../../infra/routes.ts';

/** Units of capacity. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

/** A call to the engine, its start and end in milliseconds, and its units. */
export interface EngineCall {
  readonly operation: string;
  readonly tables: readonly TableName[];
  readonly startMs: number;
  readonly endMs: number;
  readonly units: readonly (Units & { readonly table: TableName })[];
}

interface Consumed {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

/** The physical names of the tables that a call's input mentions. */
export function listTableNames(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const { TableName: single, RequestItems: batch, TransactItems: transaction } = input as Record<string, unknown>;
  const members = Array.isArray(transaction) ? transaction.flatMap((item: object) => Object.values(item)) : [];
  const named = [single as string | undefined, ...Object.keys(batch ?? {}), ...members.flatMap(listTableNames)];
  return [...new Set(named.filter((name) => name !== undefined))];
}

/** What the engine charged for a call, by its own account. */
export function readConsumedUnits(
  operation: string,
  output: object,
  toTableName: (table: string) => TableName,
): EngineCall['units'] {
  const { ConsumedCapacity: consumed = [] } = output as { ConsumedCapacity?: Consumed | Consumed[] };
  const isRead = /Get|Query|Scan/.test(operation);
  return [consumed].flat().map(({ TableName: table, CapacityUnits: units }) => ({
    table: toTableName(table),
    read: isRead ? units : 0,
    write: isRead ? 0 : units,
  }));
}

/** What calls were charged in all, for each table that was used. */
export function sumUnitsByTable(calls: readonly EngineCall[]): Partial<Record<TableName, Units>> {
  const totals: Partial<Record<TableName, Units>> = {};
  for (const { table, read, write } of calls.flatMap(({ units }) => units)) {
    const total = totals[table] ?? { read: 0, write: 0 };
    totals[table] = { read: total.read + read, write: total.write + write };
  }
  return totals;
}

/** Adds the units of all tables. */
export function sumUnits(units: Readonly<Record<string, Units>>) {
  const all = Object.values(units);
  const sum = (part: keyof Units) => all.reduce((total, table) => total + table[part], 0);
  return { readUnits: sum('read'), writeUnits: sum('write') };
}

/** The length of the longest chain of calls of which each began after the one before it had ended. */
export function measureLongestChain(calls: readonly EngineCall[]): number {
  let length = 0;
  let endMs = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.endMs - b.endMs)) {
    if (call.startMs < endMs) continue;
    length++;
    endMs = call.endMs;
  }
  return length;
}
