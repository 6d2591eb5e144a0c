import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract, Validator } from '../contracts/contract.ts';
import { validationError } from '../domain/errors.ts';
import { notSingle } from './constraint-texts.ts';
import { adding, type PortalMiddleware } from './middleware.ts';
import { readBody } from './read-body.ts';
import type { RequestState } from './request-state.ts';
import { faultOf, toDetails } from './validation-details.ts';

/** Reads the input from where the contract says that it comes from and validates it; throws VALIDATION_ERROR. */
export function readInput<Name extends string, Input>(
  contract: Contract & { readonly name: Name },
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, { readonly input: Input }> {
  const { source, request: schema, maxBodyBytes } = contract;
  const integers = Object.entries((schema['properties'] ?? {}) as Record<string, { type?: string | string[] }>)
    .filter(([, { type }]) => type?.includes('integer'))
    .map(([name]) => name);

  return adding((request) => {
    const { event } = request;
    const sent: unknown = {
      body: () => readBody(request, maxBodyBytes),
      query: () => readQuery(event, integers),
      path: () => event.pathParameters ?? {},
    }[source]();
    const input = withoutEmpty(contract, sent);
    if (!validate(input)) throw validationError(toDetails(validate.errors ?? [], source));
    return { input };
  });
}

/** Each parameter once; the text of an integer becomes its number, so that the schema can judge it. */
function readQuery({ multiValueQueryStringParameters }: APIGatewayProxyEvent, integers: readonly string[]): object {
  const parameters = Object.entries(multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
    const [value = '', ...others] = values;
    if (others.length > 0) throw faultOf(name, 'single', notSingle);
    return [name, integers.includes(name) && /^-?\d{1,20}$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(parameters);
}

/** An input without those parameters of a query that are empty: they count as not sent. A required one is judged. */
export function withoutEmpty({ source, request }: Contract, input: unknown): unknown {
  if (source !== 'query' || typeof input !== 'object' || input === null) return input;
  const { required = [] } = request as { readonly required?: readonly string[] };
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== '' || required.includes(name)));
}
