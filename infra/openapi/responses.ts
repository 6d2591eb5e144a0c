import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/envelopes.ts';
import type { ErrorCode } from '../../lib/domain/errors.ts';
import { GATEWAY_ANSWERS } from './gateway-answers.ts';
import { headersOf } from './headers.ts';
import { json, type Response } from './operation.ts';
import type { Schemas } from './schemas.ts';

/** What the function of an operation answers with a status. */
export interface FunctionAnswer {
  readonly status: number;
  /** `Success`, or the codes of the errors. */
  readonly kinds: readonly string[];
  /** One for each form that the body can have. */
  readonly forms: readonly JsonSchema[];
  /** Whether the service says how much of the limit is left. */
  readonly countsRate: boolean;
}

/** All answers of an operation by status: those of its function, and those that the gateway gives itself. */
export function responsesOf(answers: readonly FunctionAnswer[], schemas: Schemas): Record<string, Response> {
  const ofFunction = new Map(answers.map((answer) => [answer.status, answer]));
  const ofGateway = new Map(GATEWAY_ANSWERS.map((answer) => [answer.status, answer.code]));
  return Object.fromEntries(
    [...new Set([...ofFunction.keys(), ...ofGateway.keys()])].map((status) => {
      const answer = ofFunction.get(status);
      const code = ofGateway.get(status);
      const forms = [...(answer?.forms ?? []), ...(code ? [errorForm(code, schemas)] : [])];
      const response = {
        description: [...new Set([...(answer?.kinds ?? []), ...(code ? [code] : [])])].join(', '),
        headers: headersOf(status, answer?.countsRate ?? false),
        content: json(anyOf(forms)),
      };
      return [status, response];
    }),
  );
}

/** The schema of an error of the current interface. */
export function errorForm(code: ErrorCode, schemas: Schemas): JsonSchema {
  return schemas.refer(ERROR_ENVELOPES[code]);
}

/** One of these forms; the same one counts once. */
function anyOf(forms: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
  const [only = {}, ...others] = distinct;
  return others.length === 0 ? only : { anyOf: distinct };
}
