import type { TableName } from '../../../infra/routes.ts';
import type { Sharing } from './model.ts';

/** What a key of a table is called, and who shares it. */
export interface KeyKind {
  readonly name: string;
  readonly sharing: Sharing;
}

const kinds: readonly [table: TableName, key: RegExp, name: string, sharing: Sharing][] = [
  ['Directory', /^TENANT#[^\n]*\nTENANT$/, 'tenant', 'tenant'],
  ['Directory', /^TENANT#[^\n]*\nCOMPANY#/, 'company', 'tenant'],
  ['Directory', /^TENANT#[^\n]*\n(?:SUPPLIER|USER|LOGIN)#/, 'user or supplier', 'supplier'],
  ['Directory', /^APIKEY#/, 'API key', 'tenant'],
  ['Directory', /^JWKS/, 'public keys', 'all'],
  ['Directory', /^(?:ACCOUNT|NOBODY)#/, 'account', 'supplier'],
  ['SigningKeys', /^SIGNING_KEY/, 'signing key', 'all'],
  ['RateCounters', /^/, 'counter of a limit', 'supplier'],
  ['Invoices', /^[^\n]*#\d{4}-\d\d\n/, 'rows of a month', 'supplier'],
  ['Invoices', /^/, 'invoices and counters', 'supplier'],
  ['Declarations', /^LOG#/, 'log shard', 'log shard'],
  ['Declarations', /^/, 'declarations', 'supplier'],
  ['DayIndexes', /^/, 'day indexes', 'supplier'],
];

/** The kind of the key with this partition and sort key. */
export function kindOfKey(table: TableName, pk: string, sk: string): KeyKind {
  const found = kinds.find(([of, key]) => of === table && key.test(`${pk}\n${sk}`));
  if (!found) throw new Error(`No kind of key of ${table} is like ${pk}.`);
  return { name: found[2], sharing: found[3] };
}

/** The keys that the input of a call names, of each table; a query has its partition. */
export function keysIn(input: object): { readonly table: string; readonly pk: string; readonly sk: string }[] {
  const { RequestItems: batch, TransactItems: transaction } = input as {
    RequestItems?: Readonly<Record<string, { readonly Keys: readonly StoredKey[] }>>;
    TransactItems?: readonly Readonly<Record<string, object>>[];
  };
  if (transaction) return transaction.flatMap((item) => Object.values(item).flatMap(keysIn));
  if (batch) return Object.entries(batch).flatMap(([table, { Keys }]) => Keys.map((key) => keyIn(table, key)));
  const { TableName: table, Key, Item, ExpressionAttributeValues: values } = input as Single;
  return [keyIn(table, Key ?? Item ?? { pk: values?.[':pk'] ?? {} })];
}

interface Stored {
  readonly S?: string;
  readonly N?: string;
}
type StoredKey = Readonly<Record<string, Stored>>;
interface Single {
  readonly TableName: string;
  readonly Key?: StoredKey;
  readonly Item?: StoredKey;
  readonly ExpressionAttributeValues?: StoredKey;
}

function keyIn(table: string, { pk, sk }: StoredKey) {
  return { table, pk: pk?.S ?? '', sk: sk?.S ?? sk?.N ?? '' };
}
