import type { ValidateFunction } from 'ajv';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract } from '../contracts/contract.ts';
import { validationError } from '../domain/errors.ts';
import { mediaTypeOf } from './headers.ts';
import type { PortalMiddleware } from './request-state.ts';
import { toDetails } from './validation-details.ts';

/** How large a body may be. */
export const MAX_BODY_BYTES = 1_048_576;

/** Reads the input from where the contract says that it comes from and validates it; throws VALIDATION_ERROR. */
export function readInput({ source, request }: Contract, validate: ValidateFunction): PortalMiddleware {
  const integers = Object.entries((request['properties'] ?? {}) as Record<string, { type?: string | string[] }>)
    .filter(([, { type }]) => type?.includes('integer'))
    .map(([name]) => name);

  return {
    before({ event }) {
      const input = {
        body: () => readBody(event),
        query: () => readQuery(event, integers),
        path: () => event.pathParameters ?? {},
      }[source]();
      if (!validate(input)) throw validationError(toDetails(validate.errors ?? [], source));
      event.state.input = input;
    },
  };
}

/** The JSON body of a request; throws VALIDATION_ERROR. */
export function readBody(event: APIGatewayProxyEvent): unknown {
  if (mediaTypeOf(event) !== 'application/json') {
    throw fault('Content-Type', 'mediaType', 'Content-Type must be application/json');
  }
  const body = bodyOf(event);
  if (body.length > MAX_BODY_BYTES) throw fault('body', 'maxBytes', `body must not exceed ${MAX_BODY_BYTES} bytes`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw fault('body', 'json', 'body must be valid JSON');
  }
}

/** The bytes of a body, whichever way the gateway handed them on. */
export function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/** Each parameter once; the text of an integer becomes its number, so that the schema can judge it. */
function readQuery({ multiValueQueryStringParameters }: APIGatewayProxyEvent, integers: readonly string[]): object {
  const parameters = Object.entries(multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
    const [value = '', ...others] = values;
    if (others.length > 0) throw fault(name, 'single', `${name} must be given once`);
    return [name, integers.includes(name) && /^-?\d{1,20}$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(parameters);
}

function fault(property: string, constraint: string, message: string) {
  return validationError([{ property, constraints: { [constraint]: message } }]);
}
