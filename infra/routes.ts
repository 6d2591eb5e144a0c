import type { Contract } from '../lib/contracts/contract.ts';
import type { ContractDoc } from '../lib/contracts/contract-doc.ts';
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
export interface FunctionAccess {
  readonly name: string;
  readonly tables: TableActions;
}

/**
 * DynamoDB actions by table, or by part of a table. A function gets the name of a table in its environment only when
 * the table is listed here.
 */
export type TableActions = { readonly [area in TableArea]?: readonly string[] };

/** A table, or a part of a table, to which a function has access. */
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

/** An endpoint: its contract, its documentation, and the only table actions that its function may perform. */
interface Endpoint {
  readonly contract: Contract;
  readonly doc: ContractDoc;
  readonly tables: TableActions;
}

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
] as const satisfies readonly Endpoint[];

export type ContractName = (typeof endpoints)[number]['contract']['name'];

export type ServiceContract = Contract & { readonly name: ContractName };

/** The contract of every endpoint. */
export const contracts: readonly ServiceContract[] = endpoints.map(({ contract }) => contract);

export const contractDocs = Object.fromEntries(
  endpoints.map(({ contract, doc }: Endpoint) => [contract.name, doc]),
) as Readonly<Record<ContractName, ContractDoc>>;

/** An HTTP endpoint: its function, and the method and path of its contract. */
export interface Route extends FunctionAccess, Pick<Contract, 'method' | 'path'> {
  readonly name: ContractName;
}

/** Every route of the API, one for each endpoint. */
export const routes: readonly Route[] = endpoints.map(({ contract: { name, method, path }, tables }) => ({
  name,
  method,
  path,
  tables,
}));

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
