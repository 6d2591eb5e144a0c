import type { TableName } from '../../../infra/routes.ts';

/** DynamoDB capacity units. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

/** A recorded call to the engine, with the units that it consumed in each table. */
export interface EngineCall {
  readonly operation: string;
  readonly tables: readonly TableName[];
  readonly startMs: number;
  readonly endMs: number;
  readonly units: readonly (Units & { readonly table: TableName })[];
  /** The write units of indexes. They are part of `units`. */
  readonly indexWriteUnits: number;
}

interface Consumed {
  readonly TableName: string;
  readonly CapacityUnits: number;
  readonly LocalSecondaryIndexes?: ConsumedByIndex;
  readonly GlobalSecondaryIndexes?: ConsumedByIndex;
}

type ConsumedByIndex = Readonly<Record<string, { readonly CapacityUnits: number }>>;

const isRead = (operation: string) => /Get|Query|Scan/.test(operation);

/** Lists the physical names of the tables in the input of a call. */
export function listTableNames(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const { TableName: single, RequestItems: batch, TransactItems: transaction } = input as Record<string, unknown>;
  const members = Array.isArray(transaction) ? transaction.flatMap((item: object) => Object.values(item)) : [];
  const tableNames = [single as string | undefined, ...Object.keys(batch ?? {}), ...members.flatMap(listTableNames)];
  return [...new Set(tableNames.filter((name) => name !== undefined))];
}

/** Reads the capacity units that the engine reports for a call. */
export function readConsumedUnits(
  operation: string,
  output: object,
  toTableName: (table: string) => TableName,
): EngineCall['units'] {
  return listConsumed(output).map(({ TableName: table, CapacityUnits: units }) => ({
    table: toTableName(table),
    read: isRead(operation) ? units : 0,
    write: isRead(operation) ? 0 : units,
  }));
}

/** Reads the write units of indexes that the engine reports for a call. */
export function readIndexWriteUnits(operation: string, output: object): number {
  if (isRead(operation)) return 0;
  const indexes = listConsumed(output).flatMap(({ LocalSecondaryIndexes = {}, GlobalSecondaryIndexes = {} }) => [
    ...Object.values(LocalSecondaryIndexes),
    ...Object.values(GlobalSecondaryIndexes),
  ]);
  return indexes.reduce((sum, { CapacityUnits: units }) => sum + units, 0);
}

function listConsumed(output: object): Consumed[] {
  const { ConsumedCapacity: consumed = [] } = output as { ConsumedCapacity?: Consumed | Consumed[] };
  return [consumed].flat();
}

/** Adds the units of calls for each table. */
export function sumUnitsByTable(calls: readonly EngineCall[]): Partial<Record<TableName, Units>> {
  const totals: Partial<Record<TableName, Units>> = {};
  for (const { table, read, write } of calls.flatMap(({ units }) => units)) {
    const total = totals[table] ?? { read: 0, write: 0 };
    totals[table] = { read: total.read + read, write: total.write + write };
  }
  return totals;
}

/** Adds the units of all tables to one total. */
export function sumUnits(units: Readonly<Record<string, Units>>) {
  const unitsByTable = Object.values(units);
  const sum = (part: keyof Units) => unitsByTable.reduce((total, table) => total + table[part], 0);
  return { readUnits: sum('read'), writeUnits: sum('write') };
}

/** Returns the length of the longest chain of calls in which each call starts after the end of the previous one. */
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
