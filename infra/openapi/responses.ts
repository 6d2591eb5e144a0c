import { ERROR_ENVELOPES } from '../../lib/contracts/envelopes.ts';
import type { ErrorCode } from '../../lib/domain/errors.ts';
import { GATEWAY_ANSWERS } from './gateway-answers.ts';
import { headersOf } from './headers.ts';
import { json, type Response, type Schema } from './operation.ts';
import type { Schemas } from './schemas.ts';

/** What an operation answers: a success, or one of its errors. */
export interface Answer {
  readonly status: number;
  /** `Success`, or the code of the error. */
  readonly kind: string;
  readonly schema: Schema;
  /** Whether it says how much of the limit is left; by default it does. */
  readonly countsRate?: boolean;
}

/** All answers of an operation by status: those of its function, and those that the gateway gives itself. */
export function responsesOf(ofFunction: readonly Answer[], schemas: Schemas): Record<string, Response> {
  const ofGateway = GATEWAY_ANSWERS.map(({ status, code }) => {
    return { status, kind: code, schema: errorSchema(code, schemas), countsRate: false };
  });
  const byStatus = Map.groupBy([...ofFunction, ...ofGateway], ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, answers]) => [
      status,
      {
        description: [...new Set(answers.map(({ kind }) => kind))].join(', '),
        headers: headersOf(status, !answers.every(({ countsRate }) => countsRate === false)),
        content: json(anyOf(answers.map(({ schema }) => schema))),
      },
    ]),
  );
}

/** The schema of an error of the current interface. */
export function errorSchema(code: ErrorCode, schemas: Schemas): Schema {
  return schemas.refer(ERROR_ENVELOPES[code]);
}

/** One of these schemas; the same one counts once. */
function anyOf(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}
