import type { TableName } from '../../infra/routes.ts';

/** Calls that shall fail: all of them, or those of one operation or table, or of both; refused, or answered with a 500. */
export interface Fault {
  readonly operation?: string;
  readonly table?: TableName;
  readonly how: 'refuse' | 'error';
}

/** An answer of DynamoDB. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: object;
}

/** Whether a fault hits a call. */
export function hits(fault: Fault, call: { operation: string; tables: readonly TableName[] }): boolean {
  const hitsOperation = fault.operation === undefined || fault.operation === call.operation;
  return hitsOperation && (fault.table === undefined || call.tables.includes(fault.table));
}

/** An error inside DynamoDB, with something in it that no client may see. */
export const internalError: EngineAnswer = {
  status: 500,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'secret detail of the engine' },
};

/** The answer to a transaction whose first item is being changed by another one; the embedded engine never gives it. */
export function transactionConflict(input: object): EngineAnswer {
  const [, ...others] = (input as { TransactItems: unknown[] }).TransactItems;
  const conflict = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
  return {
    status: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]',
      CancellationReasons: [conflict, ...others.map(() => ({ Code: 'None' }))],
    },
  };
}
