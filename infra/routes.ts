import type { Contract } from '../lib/contracts/contract.ts';
import { type ContractName, contracts } from '../lib/contracts/contracts.ts';

/** A function: the file in functions/ and the only table actions it may perform. */
export interface FunctionAccess {
  readonly name: string;
  readonly tables: TableActions;
}

/** An HTTP endpoint: its function, and where its contract mounts that. */
export interface Route extends FunctionAccess, Pick<Contract, 'method' | 'path'> {
  readonly name: ContractName;
}

/**
 * DynamoDB actions by table, or by part of a table. A function gets the name of a table in its environment only when
 * the table is listed here.
 */
export type TableActions = { readonly [area in TableArea]?: readonly string[] };

/** What a function may reach: a table, or a part of one. */
export type TableArea = Exclude<TableName, 'Directory' | 'RateCounters'> | TablePart;

/**
 * Of Directory: records (tenants with all that is theirs, and API keys), logins (records without API keys), the player
 * ids among them, passwords, failures of login names that do not exist, and public signing keys. Of Invoices: the rows
 * of the lists. Of Declarations: their log. Of RateCounters: the limits of users, and the failures of source addresses
 * on each of the two routes.
 */
export type TablePart =
  | 'Directory/records'
  | 'Directory/logins'
  | 'Directory/player-ids'
  | 'Directory/accounts'
  | 'Directory/unknown-names'
  | 'Directory/public-keys'
  | 'Invoices/rows'
  | 'Declarations/log'
  | 'RateCounters/limits'
  | 'RateCounters/login-guards'
  | 'RateCounters/legacy-guards';

/** The tables that the service works on, by construct id. */
export const TABLE_NAMES = [
  'Directory',
  'Invoices',
  'Declarations',
  'DayIndexes',
  'RateCounters',
  'SigningKeys',
] as const;

/** A table that the service works on. */
export type TableName = (typeof TABLE_NAMES)[number];

const accessCheck = {
  'Directory/records': ['BatchGetItem'],
  'Directory/public-keys': ['Query'],
  'RateCounters/limits': ['UpdateItem'],
} as const satisfies TableActions;
const passwordCheck = {
  'Directory/accounts': ['GetItem', 'UpdateItem'],
  'Directory/unknown-names': ['GetItem', 'UpdateItem'],
} as const satisfies TableActions;
const declaring = {
  Invoices: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  // A row moves with the date and the state of its invoice. No function can delete an invoice.
  'Invoices/rows': ['DeleteItem'],
  Declarations: ['PutItem'],
  'Declarations/log': ['Query'],
} as const satisfies TableActions;
const listing = {
  Invoices: ['BatchGetItem', 'Query'],
  DayIndexes: ['BatchGetItem', 'PutItem'],
} as const satisfies TableActions;

/** What the function of each endpoint may do. */
const tablesOf: Readonly<Record<ContractName, TableActions>> = {
  login: {
    'Directory/logins': ['BatchGetItem'],
    ...passwordCheck,
    'RateCounters/login-guards': ['GetItem', 'UpdateItem'],
    'Directory/player-ids': ['UpdateItem'],
    SigningKeys: ['GetItem'],
  },
  'list-invoices': { ...accessCheck, ...listing },
  'get-invoice': { ...accessCheck, Invoices: ['GetItem'] },
  'declare-invoice': { ...accessCheck, ...declaring },
  'declare-batch': { ...accessCheck, ...declaring },
  'validate-amount': { ...accessCheck, Invoices: ['GetItem'] },
  'legacy-dispatch': {
    'Directory/records': ['BatchGetItem'],
    ...passwordCheck,
    'RateCounters/limits': ['UpdateItem'],
    'RateCounters/legacy-guards': ['GetItem', 'UpdateItem'],
    ...declaring,
    ...listing,
    Invoices: ['GetItem', 'Query', ...declaring.Invoices],
  },
};

/** Every route of the API: one for each contract. */
export const routes: readonly Route[] = contracts.map(({ name, method, path }) => ({
  name,
  method,
  path,
  tables: tablesOf[name],
}));

/** The function that serves the reference page where the option `docs` publishes it, and the paths that it answers. */
export const publishedDocs: FunctionAccess & { readonly paths: readonly string[] } = {
  name: 'docs',
  tables: {},
  paths: ['/docs', '/docs/{file+}'],
};

/** The function that publishes events where the option `events` asks for it; streams of tables run it. */
export const eventPublishing: FunctionAccess = { name: 'publish-events', tables: {} };

/** A function without a route: the stack runs it after a deployment and on a schedule. */
export const signingKeyRotation: FunctionAccess = {
  name: 'rotate-signing-key',
  tables: { 'Directory/public-keys': ['Query', 'PutItem', 'DeleteItem'], SigningKeys: ['PutItem'] },
};
