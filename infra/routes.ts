import type { Contract, ContractDoc } from '../lib/contracts/contract.ts';
import { declareBatchDoc } from '../lib/contracts/declare-batch.doc.ts';
import { declareBatchContract } from '../lib/contracts/declare-batch.ts';
import { declareInvoiceDoc } from '../lib/contracts/declare-invoice.doc.ts';
import { declareInvoiceContract } from '../lib/contracts/declare-invoice.ts';
import { getInvoiceDoc } from '../lib/contracts/get-invoice.doc.ts';
import { getInvoiceContract } from '../lib/contracts/get-invoice.ts';
import { legacyDispatchDoc } from '../lib/contracts/legacy-dispatch.doc.ts';
import { legacyDispatchContract } from '../lib/contracts/legacy-dispatch.ts';
import { listInvoicesDoc } from '../lib/contracts/list-invoices.doc.ts';
import { listInvoicesContract } from '../lib/contracts/list-invoices.ts';
import { loginDoc } from '../lib/contracts/login.doc.ts';
import { loginContract } from '../lib/contracts/login.ts';
import { validateAmountDoc } from '../lib/contracts/validate-amount.doc.ts';
import { validateAmountContract } from '../lib/contracts/validate-amount.ts';

/** A function: the file in functions/ and the only table actions it may perform. */
export type FunctionAccess = Readonly<{ name: string; tables: TableActions }>;

/**
 * DynamoDB actions by table, or by part of a table. A function gets the name of a table in its environment only when
 * the table is listed here.
 */
export type TableActions = { readonly [area in TableArea]?: readonly string[] };

export type TableArea = Exclude<TableName, 'Directory' | 'RateCounters'> | TablePart;

export type TablePart = keyof typeof tableParts;

export interface TablePartRule {
  readonly partitions: string[];
  readonly updates?: string[] | 'any';
}

/** The attributes that guarded earlier versions of an account; the guard removes them. */
const oldFormat = ['h??', 'k??', 'u??', 'v??', '?_pause', 'failures', 'failures_from', 'source_*'];

/** The failure slots of a window and the trusted sources of a period, see createAccountTable. */
const guardSets = ['f_*', 's_*'];

/**
 * The parts of tables to which functions have access: their partition keys, and the attributes that an UpdateItem may
 * contain (none, or any).
 */
export const tableParts = {
  // Tenants with all that is theirs, and API keys.
  'Directory/records': { partitions: ['TENANT#*', 'APIKEY#*'] },
  // Without API keys.
  'Directory/logins': { partitions: ['TENANT#*'] },
  'Directory/player-ids': { partitions: ['TENANT#*'], updates: ['pk', 'sk', 'player_ids'] },
  // Not the password itself, and no expiry time of its record.
  'Directory/accounts': { partitions: ['ACCOUNT#*'], updates: ['pk', 'sk', ...guardSets, ...oldFormat] },
  // The failures of login names that do not exist.
  'Directory/unknown-names': { partitions: ['NOBODY#*'], updates: ['pk', 'sk', ...guardSets, ...oldFormat, 'ttl'] },
  'Directory/public-keys': { partitions: ['JWKS'] },
  'Declarations/log': { partitions: ['LOG#*'] },
  // The keys of rows contain tenant, supplier and month; the partition of an invoice contains no month.
  'Invoices/rows': { partitions: ['*#*#*'] },
  // The keys of limits contain tenant, user, group and limit; the key of a guard contains only one #.
  'RateCounters/limits': { partitions: ['*#*#*#*'], updates: 'any' },
  'RateCounters/login-guards': { partitions: ['LOGIN#*'], updates: 'any' },
  'RateCounters/legacy-guards': { partitions: ['LEGACY#*'], updates: 'any' },
} satisfies Readonly<Record<string, TablePartRule>>;

/** The name of a table that the service works on: its construct id. */
export type TableName = 'Directory' | 'Invoices' | 'Declarations' | 'DayIndexes' | 'RateCounters' | 'SigningKeys';

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

const endpoints = [
  {
    contract: loginContract,
    doc: loginDoc,
    tables: {
      'Directory/logins': ['BatchGetItem'],
      ...passwordCheck,
      'RateCounters/login-guards': ['GetItem', 'UpdateItem'],
      'Directory/player-ids': ['UpdateItem'],
      SigningKeys: ['GetItem'],
    },
  },
  { contract: listInvoicesContract, doc: listInvoicesDoc, tables: { ...accessCheck, ...listing } },
  { contract: getInvoiceContract, doc: getInvoiceDoc, tables: { ...accessCheck, Invoices: ['GetItem'] } },
  { contract: declareInvoiceContract, doc: declareInvoiceDoc, tables: { ...accessCheck, ...declaring } },
  { contract: declareBatchContract, doc: declareBatchDoc, tables: { ...accessCheck, ...declaring } },
  { contract: validateAmountContract, doc: validateAmountDoc, tables: { ...accessCheck, Invoices: ['GetItem'] } },
  {
    contract: legacyDispatchContract,
    doc: legacyDispatchDoc,
    tables: {
      'Directory/records': ['BatchGetItem'],
      ...passwordCheck,
      'RateCounters/limits': ['UpdateItem'],
      'RateCounters/legacy-guards': ['GetItem', 'UpdateItem'],
      ...declaring,
      ...listing,
      Invoices: ['GetItem', 'Query', ...declaring.Invoices],
    },
  },
] as const satisfies readonly { contract: Contract; doc: ContractDoc; tables: TableActions }[];

export type ContractName = (typeof endpoints)[number]['contract']['name'];

export type ServiceContract = Contract & { readonly name: ContractName };

export const contracts: readonly ServiceContract[] = endpoints.map(({ contract }) => contract);

const docs = endpoints.map(({ contract, doc }): [string, ContractDoc] => [contract.name, doc]);
export const contractDocs = Object.fromEntries(docs) as Readonly<Record<ContractName, ContractDoc>>;

/** Every route of the API, one for each endpoint: its function, and the method and path of its contract. */
export const routes = endpoints.map(({ contract: { name, method, path }, tables }) => {
  const access: TableActions = tables;
  return { name, method, path, tables: access };
});

/** The function that serves the reference page with the option `docs`, and its paths. */
export const publishedDocs: FunctionAccess & { readonly paths: readonly string[] } = {
  name: 'docs',
  tables: {},
  paths: ['/docs', '/docs/{file+}'],
};

/** The function that publishes events with the option `events`; the streams of tables call it. */
export const eventPublishing: FunctionAccess = { name: 'publish-events', tables: {} };

/** A function without a route: the stack runs it after a deployment and on a schedule. */
export const signingKeyRotation: FunctionAccess = {
  name: 'rotate-signing-key',
  tables: { 'Directory/public-keys': ['Query', 'PutItem', 'DeleteItem'], SigningKeys: ['PutItem'] },
};
