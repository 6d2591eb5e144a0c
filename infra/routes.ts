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

/** DynamoDB actions by table; a function sees the name of a table in its environment only when it is listed here. */
export type TableActions = { readonly [table in TableName]?: readonly string[] };

/** The tables of the stack, by construct id. */
export type TableName = 'Directory' | 'Invoices' | 'Declarations' | 'RateCounters' | 'SigningKeys';

const accessCheck = {
  Directory: ['BatchGetItem', 'Query'],
  RateCounters: ['UpdateItem'],
} as const satisfies TableActions;
const declaring = {
  ...accessCheck,
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
    tables: {
      Directory: ['BatchGetItem', 'UpdateItem'],
      RateCounters: ['GetItem', 'UpdateItem'],
      SigningKeys: ['GetItem'],
    },
  },
  { name: 'list-invoices', method: 'GET', path: portal, tables: { ...accessCheck, Invoices: ['Query'] } },
  { name: 'get-invoice', method: 'GET', path: `${portal}/{id}`, tables: { ...accessCheck, Invoices: ['GetItem'] } },
  { name: 'declare-invoice', method: 'POST', path: `${portal}/declare`, tables: declaring },
  { name: 'declare-batch', method: 'POST', path: `${portal}/declare-batch`, tables: declaring },
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
    tables: {
      ...declaring,
      Directory: ['BatchGetItem'],
      Invoices: ['GetItem', 'Query', ...declaring.Invoices],
      RateCounters: ['GetItem', ...declaring.RateCounters],
    },
  },
];

/** The one function without a route: the stack runs it after a deployment and on a schedule. */
export const signingKeyRotation: FunctionAccess = {
  name: 'rotate-signing-key',
  tables: { Directory: ['Query', 'PutItem', 'DeleteItem'], SigningKeys: ['PutItem'] },
};
