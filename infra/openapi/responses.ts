import type { ErrorCode } from '../../lib/domain/error-codes.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/envelopes.ts';
import { GATEWAY_ANSWERS } from './gateway-answers.ts';
import { headersOf } from './headers.ts';
import { json, type Response, type Schema } from './operation.ts';
import type { Schemas } from './schemas.ts';

/** A response of an operation: a success, or one of its errors. */
export interface Answer {
  readonly status: number;
  /** `Success`, or the code of the error. */
  readonly kind: string;
  readonly schema: Schema;
  /** True (the default) if it contains the remaining requests of the limit. */
  readonly countsRate?: boolean;
}

/** Builds all responses of an operation by status: those of its function, and those of the gateway itself. */
export function responsesOf(ofFunction: readonly Answer[], schemas: Schemas): Record<string, Response> {
  const ofGateway = GATEWAY_ANSWERS.map(({ status, code }) => {
    return { status, kind: code, schema: errorSchema(code, schemas), countsRate: false };
  });
  const success = schemas.language === 'en' ? 'Success' : 'Éxito';
  const byStatus = Map.groupBy([...ofFunction, ...ofGateway], ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, answers]) => [
      status,
      {
        description: [...new Set(answers.map(({ kind }) => (kind === 'Success' ? success : kind)))].join(', '),
        headers: headersOf(status, !answers.every(({ countsRate }) => countsRate === false)),
        content: json(anyOf(answers.map(({ schema }) => schema))),
      },
    ]),
  );
}

/** Builds the schema of an error of the current interface. */
export function errorSchema(code: ErrorCode, schemas: Schemas): Schema {
  return schemas.refer(ERROR_ENVELOPES[code]);
}

/** Combines schemas to one that accepts any of them; equal schemas count once. */
function anyOf(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}
