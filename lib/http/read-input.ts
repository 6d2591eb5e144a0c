import type { ValidateFunction } from 'ajv';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract } from '../contracts/contract.ts';
import { validationError } from '../domain/errors.ts';
import { readBody } from './read-body.ts';
import type { PortalMiddleware } from './request-state.ts';
import { faultOf, toDetails } from './validation-details.ts';

/** Reads the input from where the contract says that it comes from and validates it; throws VALIDATION_ERROR. */
export function readInput(
  { source, request: schema, maxBodyBytes }: Contract,
  validate: ValidateFunction,
): PortalMiddleware {
  const integers = Object.entries((schema['properties'] ?? {}) as Record<string, { type?: string | string[] }>)
    .filter(([, { type }]) => type?.includes('integer'))
    .map(([name]) => name);

  return {
    before(request) {
      const { event } = request;
      const input = {
        body: () => readBody(request, maxBodyBytes),
        query: () => readQuery(event, integers),
        path: () => event.pathParameters ?? {},
      }[source]();
      if (!validate(input)) throw validationError(toDetails(validate.errors ?? [], source));
      event.state.input = input;
    },
  };
}

/** Each parameter once; the text of an integer becomes its number, so that the schema can judge it. */
function readQuery({ multiValueQueryStringParameters }: APIGatewayProxyEvent, integers: readonly string[]): object {
  const parameters = Object.entries(multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
    const [value = '', ...others] = values;
    if (others.length > 0) throw faultOf(name, 'single', `${name} must be given once`);
    return [name, integers.includes(name) && /^-?\d{1,20}$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(parameters);
}
