import type { Contract, Validator } from '../contracts/contract.ts';
import { validationError } from '../domain/errors.ts';
import type { WithCaller } from './access.ts';
import { addToState, type PortalMiddleware, type PortalRequest } from './chain.ts';
import type { InputReader, Source } from './input-readers.ts';
import type { RequestState } from './request-state.ts';
import { toDetails } from './validation-details.ts';

/** The input of a request, or the error of an invalid one. */
export interface Parsed<Input> {
  readonly parsed: { readonly input: Input } | { readonly error: unknown };
}

type ReadInput<Input> = (request: PortalRequest) => Input;

/** Reads and validates the input, but keeps the error of an invalid one until the caller is authorised. */
export function parse<Name extends string, From extends Source, Input>(
  reader: InputReader<NoInfer<From>>,
  contract: Contract & { readonly name: Name; readonly source: From },
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, Parsed<Input>> {
  const readInput = inputReader(reader, contract, validate);
  return addToState((request) => {
    try {
      return { parsed: { input: readInput(request) } };
    } catch (error) {
      return { parsed: { error } };
    }
  });
}

/** Adds the input of an authorised caller; throws the error that `parse` kept. */
export function validInput<Input>(): PortalMiddleware<
  RequestState & WithCaller & Parsed<Input>,
  { readonly input: Input }
> {
  return addToState(({ event: { state } }) => {
    if ('error' in state.parsed) throw state.parsed.error;
    return state.parsed;
  });
}

/** Reads and validates the input of a request that needs no caller; throws VALIDATION_ERROR. */
export function input<Name extends string, From extends Source, Input>(
  reader: InputReader<NoInfer<From>>,
  contract: Contract & { readonly name: Name; readonly source: From },
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, { readonly input: Input }> {
  const readInput = inputReader(reader, contract, validate);
  return addToState((request) => ({ input: readInput(request) }));
}

function inputReader<Input>(
  { read, source }: InputReader<Source>,
  contract: Contract,
  validate: Validator<string, Input>,
): ReadInput<Input> {
  return (request) => {
    const sent: unknown = withoutEmpty(contract, read(request));
    if (!validate(sent)) throw validationError(toDetails(validate.errors ?? [], source));
    return sent;
  };
}

/** Returns an input without the empty parameters of a query, which count as not sent. A required one stays. */
export function withoutEmpty({ source, request }: Contract, sent: unknown): unknown {
  if (source !== 'query' || typeof sent !== 'object' || sent === null) return sent;
  const { required = [] } = request as { readonly required?: readonly string[] };
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== '' || required.includes(name)));
}
