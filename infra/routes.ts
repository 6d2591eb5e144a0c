import type { Contract, ContractDoc } from '../lib/contracts/contract.ts';
import { declareBatchDoc } from '../lib/contracts/declare-batch.doc.ts';
import { declareBatchContract } from '../lib/contracts/declare-batch.ts';
import { declareInvoiceDoc } from '../lib/contracts/declare-invoice.doc.ts';
import { declareInvoiceContract } from '../lib/contracts/declare-invoice.ts';
import { getHistoryDoc } from '../lib/contracts/get-history.doc.ts';
import { getHistoryContract } from '../lib/contracts/get-history.ts';
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

/** The name of a table, which is also its construct id. */
export type TableName = 'Directory' | 'Invoices' | 'Declarations' | 'RateCounters' | 'SigningKeys';

/** A part of a table: some partitions, an index, or the attributes of all items that a Scan can return. */
export interface TablePartRule {
  /** The patterns of the partition keys in the part. `*` is any text. */
  readonly partitions?: string[];
  /** The only attributes that a Scan can return. */
  readonly scan?: string[];
  /** The name of the index. */
  readonly index?: string;
  /** The patterns of the attributes that an UpdateItem can contain. By default, it can contain none. */
  readonly updates?: string[] | 'any';
}

/** The failure counters of a window and the trusted sources of a period, as `createAccountTable` in lib writes them. */
const GUARD_ATTRIBUTES = ['failures_*', 's_*'];

/** The parts of tables to which functions and operators have access. */
export const TABLE_PARTS = {
  // The part contains tenants with their companies, users and suppliers, and API keys.
  'Directory/records': { partitions: ['TENANT#*', 'APIKEY#*'] },
  // The login has no access to API keys.
  'Directory/logins': { partitions: ['TENANT#*'] },
  'Directory/player-ids': { partitions: ['TENANT#*'], updates: ['pk', 'sk', 'player_ids'] },
  // An update cannot change the password. Its condition reads `erased_at`. Accounts do not expire, and have no `ttl`.
  'Directory/accounts': { partitions: ['ACCOUNT#*'], updates: ['pk', 'sk', 'erased_at', ...GUARD_ATTRIBUTES] },
  // The part contains the failures of login names that do not exist.
  'Directory/unknown-names': { partitions: ['NOBODY#*'], updates: ['pk', 'sk', ...GUARD_ATTRIBUTES, 'ttl'] },
  'Directory/public-keys': { partitions: ['JWKS'] },
  // Only operators have access to the next four parts. A scan, which finds the tenants among all items, can return only
  // these attributes, for example no hash of a password.
  'Directory/tenants': { scan: ['sk', 'tenant', 'tolerance'] },
  'Directory/operator-record': { partitions: ['OPERATOR#*'] },
  'Directory/administration': { partitions: ['TENANT#*', 'APIKEY#*', 'ACCOUNT#*'], updates: 'any' },
  'Directory/credentials': { partitions: ['ACCOUNT#*'] },
  'Declarations/changes': { index: 'changes' },
  'Invoices/lists': { index: 'lists' },
  // The keys of rate limits contain tenant, user, group and limit. The key of a login guard contains only one #.
  'RateCounters/limits': { partitions: ['*#*#*#*'], updates: 'any' },
  'RateCounters/login-guards': { partitions: ['LOGIN#*'], updates: 'any' },
  'RateCounters/legacy-guards': { partitions: ['LEGACY#*'], updates: 'any' },
} satisfies Readonly<Record<string, TablePartRule>>;

/** The name of a part, such as `Directory/logins`. */
export type TablePart = keyof typeof TABLE_PARTS;

/** A table, or a part of a table. Functions have access only to parts of Directory and of RateCounters. */
export type TableArea = Exclude<TableName, 'Directory' | 'RateCounters'> | TablePart;

/** DynamoDB actions by table or part. A function gets the names of these tables in environment variables. */
export type TableActions = { readonly [area in TableArea]?: readonly string[] };

/** A function of functions/<name>.ts, with the only table actions that it can perform. */
export interface FunctionAccess {
  readonly name: string;
  readonly tables: TableActions;
}

/** The actions with which an endpoint verifies the API key and the token, and counts the request. */
const ACCESS_CHECK = {
  'Directory/records': ['BatchGetItem'],
  'Directory/public-keys': ['Query'],
  'RateCounters/limits': ['UpdateItem'],
} as const satisfies TableActions;
/** The actions with which an endpoint verifies a password, and counts failures. */
const PASSWORD_CHECK = {
  'Directory/accounts': ['GetItem', 'UpdateItem'],
  'Directory/unknown-names': ['GetItem', 'UpdateItem'],
} as const satisfies TableActions;
/** The actions that read and write declared invoices with their histories. No function can delete an invoice. */
const DECLARATION_ACTIONS = {
  Invoices: ['BatchGetItem', 'PutItem'],
  Declarations: ['PutItem'],
} as const satisfies TableActions;
/** The actions that list and search invoices. */
const LIST_ACTIONS = {
  Invoices: ['BatchGetItem'],
  'Invoices/lists': ['Query'],
} as const satisfies TableActions;

const ENDPOINTS = [
  {
    contract: loginContract,
    doc: loginDoc,
    tables: {
      'Directory/logins': ['BatchGetItem'],
      ...PASSWORD_CHECK,
      'RateCounters/login-guards': ['GetItem', 'UpdateItem'],
      'Directory/player-ids': ['UpdateItem'],
      SigningKeys: ['GetItem'],
    },
  },
  { contract: listInvoicesContract, doc: listInvoicesDoc, tables: { ...ACCESS_CHECK, ...LIST_ACTIONS } },
  { contract: getInvoiceContract, doc: getInvoiceDoc, tables: { ...ACCESS_CHECK, Invoices: ['GetItem'] } },
  {
    contract: getHistoryContract,
    doc: getHistoryDoc,
    tables: { ...ACCESS_CHECK, Invoices: ['GetItem'], Declarations: ['Query'] },
  },
  { contract: declareInvoiceContract, doc: declareInvoiceDoc, tables: { ...ACCESS_CHECK, ...DECLARATION_ACTIONS } },
  { contract: declareBatchContract, doc: declareBatchDoc, tables: { ...ACCESS_CHECK, ...DECLARATION_ACTIONS } },
  { contract: validateAmountContract, doc: validateAmountDoc, tables: { ...ACCESS_CHECK, Invoices: ['GetItem'] } },
  {
    contract: legacyDispatchContract,
    doc: legacyDispatchDoc,
    tables: {
      'Directory/records': ['BatchGetItem'],
      ...PASSWORD_CHECK,
      'RateCounters/limits': ['UpdateItem'],
      'RateCounters/legacy-guards': ['GetItem', 'UpdateItem'],
      Invoices: ['GetItem', ...DECLARATION_ACTIONS.Invoices],
      Declarations: ['Query', ...DECLARATION_ACTIONS.Declarations],
      'Invoices/lists': LIST_ACTIONS['Invoices/lists'],
    },
  },
] as const satisfies readonly { contract: Contract; doc: ContractDoc; tables: TableActions }[];

/** The name of an endpoint, such as `declare-invoice`. */
export type ContractName = (typeof ENDPOINTS)[number]['contract']['name'];

export type ServiceContract = Contract & { readonly name: ContractName };

export const contracts: readonly ServiceContract[] = ENDPOINTS.map(({ contract }) => contract);

/** The contracts of the current interface, without the legacy route. */
export const currentContracts = contracts.filter(({ name }) => name !== legacyDispatchContract.name);

const docEntries = ENDPOINTS.map(({ contract, doc }) => [contract.name, doc]);
/** The documentation of each contract, by its name. */
export const contractDocs = Object.fromEntries(docEntries) as Readonly<Record<ContractName, ContractDoc>>;

/** The routes of the API, one for each endpoint, with the method and path of the contract. */
export const routes = ENDPOINTS.map(({ contract, tables }) => {
  const { name, method, path } = contract;
  const tableActions: TableActions = tables;
  return { name, method, path, tables: tableActions };
});

/** A function that serves the files of a page, and the path of the page. */
export type PageFunction = FunctionAccess & { readonly path: string };

/** The function that serves the reference page. The stack contains it only with the option `docs`. */
export const referencePage: PageFunction = { name: 'docs', tables: {}, path: '/docs' };

/** The function that serves the page for clerks. The stack contains it only with the option `clerkPage`. */
export const declarePage: PageFunction = { name: 'declare-page', tables: {}, path: '/declare' };

/** The function that publishes events, with the option `events`. The stream of the histories calls the function. */
export const eventPublishing: FunctionAccess = { name: 'publish-events', tables: {} };

/** The function that rotates the signing key. The stack runs it after a deployment and on a schedule. */
export const signingKeyRotation: FunctionAccess = {
  name: 'rotate-signing-key',
  tables: { 'Directory/public-keys': ['Query', 'PutItem', 'DeleteItem'], SigningKeys: ['PutItem'] },
};
