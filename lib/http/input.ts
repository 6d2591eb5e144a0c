import type { Contract, Validator } from '../contracts/contract.ts';
import { createValidationError } from '../domain/errors.ts';
import { addToState, type PortalMiddleware, type PortalRequest, type RequestState, type WithCaller } from './chain.ts';
import { createInputError, toPropertyFaults } from './validation-details.ts';
import { mediaType, notSingle } from './constraint-texts.ts';
import { readMediaType } from './headers.ts';
import { parseBody, requireUnicode } from './request-text.ts';

export type Source = Contract['source'];

// Matches 25 and -1. The schema rejects every other text of an integer parameter, such as 1e3.
const INTEGER_TEXT = /^-?\d{1,20}$/;

/** The reader of one source of the input. It requires the text to be Unicode; throws VALIDATION_ERROR. */
export interface InputReader<From extends Source> {
  readonly source: From;
  readonly read: (request: PortalRequest) => unknown;
}

export function createPathReader(): InputReader<'path'> {
  return {
    source: 'path',
    read({ event }) {
      requireUnicode(event);
      return event.pathParameters ?? {};
    },
  };
}

/**
 * Creates the reader of the parameters in the query, each of which may be sent once. It converts the text of an integer
 * parameter to a number, so that the schema can validate it.
 */
export function createQueryReader({ request }: Contract): InputReader<'query'> {
  const properties = (request['properties'] ?? {}) as Record<string, { type?: string | string[] }>;
  const isInteger = (name: string) => properties[name]?.type?.includes('integer') === true;

  return {
    source: 'query',
    read({ event }) {
      requireUnicode(event);
      const parameters = Object.entries(event.multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
        if (values.length > 1) throw createInputError(name, 'single', notSingle);
        const [value = ''] = values;
        return [name, isInteger(name) && INTEGER_TEXT.test(value) ? Number(value) : value];
      });
      return Object.fromEntries(parameters);
    },
  };
}

/**
 * Creates the reader of a body that is sent as `application/json`. Properties that match `except` may contain text that
 * is not Unicode; they are validated later, because they do not make the whole request invalid.
 */
export function createBodyReader(options: { maxBytes?: number; except?: RegExp } = {}): InputReader<'body'> {
  return {
    source: 'body',
    read(request) {
      requireUnicode(request.event, options.except);
      if (readMediaType(request.event) !== 'application/json') {
        throw createInputError('Content-Type', 'mediaType', mediaType);
      }
      return parseBody(request, options.maxBytes);
    },
  };
}

/** The valid input of a request, or the error of an invalid one, which `requireValidInput` throws. */
export interface Parsed<Input> {
  readonly parsed: { readonly input: Input } | { readonly error: unknown };
}

/** Reads and validates the input. The error of an invalid input is kept until the caller is authorised. */
export function parseInput<Name extends string, From extends Source, Input>(
  reader: InputReader<NoInfer<From>>,
  contract: Contract & { readonly name: Name; readonly source: From },
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, Parsed<Input>> {
  return addToState((request) => {
    try {
      return { parsed: { input: readInput(request, reader, contract, validate) } };
    } catch (error) {
      return { parsed: { error } };
    }
  });
}

/** Throws the error that `parseInput` has kept, or adds the valid input. */
export function requireValidInput<Input>(): PortalMiddleware<
  RequestState & WithCaller & Parsed<Input>,
  { readonly input: Input }
> {
  return addToState(({ event: { state } }) => {
    if ('error' in state.parsed) throw state.parsed.error;
    return state.parsed;
  });
}

/** Reads and validates the input of a request that needs no caller; throws VALIDATION_ERROR. */
export function parseValidInput<Name extends string, From extends Source, Input>(
  reader: InputReader<NoInfer<From>>,
  contract: Contract & { readonly name: Name; readonly source: From },
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, { readonly input: Input }> {
  return addToState((request) => ({ input: readInput(request, reader, contract, validate) }));
}

function readInput<Input>(
  request: PortalRequest,
  { read, source }: InputReader<Source>,
  contract: Contract,
  validate: Validator<string, Input>,
): Input {
  const input: unknown = removeEmptyParameters(contract, read(request));
  if (!validate(input)) throw createValidationError(toPropertyFaults(validate.errors ?? [], source));
  return input;
}

/** Removes the empty optional parameters of a query, which count as not sent. Returns any other input unchanged. */
export function removeEmptyParameters({ source, request }: Contract, input: unknown): unknown {
  if (source !== 'query' || typeof input !== 'object' || input === null) return input;
  const { required = [] } = request as { readonly required?: readonly string[] };
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== '' || required.includes(name)));
}
