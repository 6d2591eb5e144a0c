/** A function: the file in functions/ and the only table actions it may perform. */
export interface FunctionAccess {
  readonly name: string;
  readonly tables: TableActions;
}

/** One row per HTTP endpoint: its function and where that is mounted. */
export interface Route extends FunctionAccess {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** DynamoDB actions by table, in Directory by part; a function sees the name of a table in its environment only when it is listed here. */
export type TableActions = { readonly [area in TableArea]?: readonly string[] };

/** What a function may reach: a table, or a part of Directory. */
export type TableArea = Exclude<TableName, 'Directory'> | `Directory/${DirectoryPart}`;

/** The parts of Directory: tenants with all that is theirs, and API keys; the player ids among them; passwords; failures of names that nobody has; public signing keys. */
export type DirectoryPart = 'records' | 'player-ids' | 'accounts' | 'unknown-names' | 'public-keys';

/** The tables of the stack, by construct id. */
export type TableName = 'Directory' | 'Invoices' | 'Declarations' | 'RateCounters' | 'SigningKeys';

const accessCheck = {
  'Directory/records': ['BatchGetItem'],
  'Directory/public-keys': ['Query'],
  RateCounters: ['UpdateItem'],
} as const satisfies TableActions;
const passwordCheck = {
  'Directory/records': ['BatchGetItem'],
  'Directory/accounts': ['GetItem', 'UpdateItem'],
  'Directory/unknown-names': ['GetItem', 'UpdateItem'],
  RateCounters: ['GetItem', 'UpdateItem'],
} as const satisfies TableActions;
const declaring = {
  Invoices: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  Declarations: ['PutItem'],
} as const satisfies TableActions;

const portal = '/apidev/v1/supplier-portal/invoices';

/** Every route of the API. */
export const routes: readonly Route[] = [
  {
    name: 'login',
    method: 'POST',
    path: '/apidev/v1/login',
    tables: { ...passwordCheck, 'Directory/player-ids': ['UpdateItem'], SigningKeys: ['GetItem'] },
  },
  { name: 'list-invoices', method: 'GET', path: portal, tables: { ...accessCheck, Invoices: ['Query'] } },
  { name: 'get-invoice', method: 'GET', path: `${portal}/{id}`, tables: { ...accessCheck, Invoices: ['GetItem'] } },
  {
    name: 'declare-invoice',
    method: 'POST',
    path: `${portal}/declare`,
    tables: { ...accessCheck, ...declaring },
  },
  {
    name: 'declare-batch',
    method: 'POST',
    path: `${portal}/declare-batch`,
    tables: { ...accessCheck, ...declaring },
  },
  {
    name: 'validate-amount',
    method: 'POST',
    path: `${portal}/validate`,
    tables: { ...accessCheck, Invoices: ['GetItem'] },
  },
  {
    name: 'legacy-dispatch',
    method: 'POST',
    path: '/apidev/legacy/{WSName}',
    tables: { ...passwordCheck, ...declaring, Invoices: ['GetItem', 'Query', ...declaring.Invoices] },
  },
];

/** The one function without a route: the stack runs it after a deployment and on a schedule. */
export const signingKeyRotation: FunctionAccess = {
  name: 'rotate-signing-key',
  tables: { 'Directory/public-keys': ['Query', 'PutItem', 'DeleteItem'], SigningKeys: ['PutItem'] },
};
