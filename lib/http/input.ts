import type { Contract, Validator } from '../contracts/contract.ts';
import { validationError } from '../domain/errors.ts';
import type { RequestState } from '../endpoints/endpoint.ts';
import { adding, type After, type PortalMiddleware } from './chain.ts';
import { notSingle } from './constraint-texts.ts';
import { faultOf, toDetails } from './validation-details.ts';

type Source = Contract['source'];

/** Reads the parameters of the path. */
export function pathParameters(): PortalMiddleware<RequestState & After<'unicodeText'>, { readonly path: unknown }> {
  return adding(({ event }) => ({ path: event.pathParameters ?? {} }));
}

/**
 * Reads each parameter of the query once; the text of an integer becomes its number, so that the schema can judge it.
 * Throws VALIDATION_ERROR.
 */
export function queryParameters({
  request,
}: Contract): PortalMiddleware<RequestState & After<'unicodeText'>, { readonly query: unknown }> {
  const integers = Object.entries((request['properties'] ?? {}) as Record<string, { type?: string | string[] }>)
    .filter(([, { type }]) => type?.includes('integer'))
    .map(([name]) => name);

  return adding(({ event }) => {
    const parameters = Object.entries(event.multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
      const [value = '', ...others] = values;
      if (others.length > 0) throw faultOf(name, 'single', notSingle);
      return [name, integers.includes(name) && /^-?\d{1,20}$/.test(value) ? Number(value) : value];
    });
    return { query: Object.fromEntries(parameters) };
  });
}

/** Validates what was read of the contract's source, which is the input of its endpoint; throws VALIDATION_ERROR. */
export function input<Name extends string, From extends Source, Input>(
  contract: Contract & { readonly name: Name; readonly source: From },
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState & Readonly<Record<From, unknown>>, { readonly input: Input }> {
  return adding(({ event: { state } }) => {
    const sent: unknown = withoutEmpty(contract, state[contract.source]);
    if (!validate(sent)) throw validationError(toDetails(validate.errors ?? [], contract.source));
    return { input: sent };
  });
}

/** An input without those parameters of a query that are empty: they count as not sent. A required one is judged. */
export function withoutEmpty({ source, request }: Contract, sent: unknown): unknown {
  if (source !== 'query' || typeof sent !== 'object' || sent === null) return sent;
  const { required = [] } = request as { readonly required?: readonly string[] };
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== '' || required.includes(name)));
}
