import type { Contract, Validator } from '../contracts/contract.ts';
import { itemPath } from '../contracts/declare-batch.ts';
import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { validationError } from '../domain/errors.ts';
import type { ReadItem } from '../endpoints/declare-batch.ts';
import { addToState, type PortalMiddleware, type PortalRequest, type RequestState, type WithCaller } from './chain.ts';
import { faultOf, joinFaults, toDetails } from './validation-details.ts';
import { mediaType, notSingle } from './constraint-texts.ts';
import { mediaTypeOf } from './headers.ts';
import { findBrokenText, parseBody, requireUnicode } from './request-text.ts';

type Source = Contract['source'];

/** Reads the input of a request from one source, and requires its text to be Unicode; throws VALIDATION_ERROR. */
interface InputReader<From extends Source> {
  readonly source: From;
  readonly read: (request: PortalRequest) => unknown;
}

export function pathParameters(): InputReader<'path'> {
  return {
    source: 'path',
    read({ event }) {
      requireUnicode(event);
      return event.pathParameters ?? {};
    },
  };
}

/**
 * Creates the reader of the parameters in the query, each of which may be sent once; the text of an integer becomes its
 * number, which the schema can validate.
 */
export function queryParameters({ request }: Contract): InputReader<'query'> {
  const integers = Object.entries((request['properties'] ?? {}) as Record<string, { type?: string | string[] }>)
    .filter(([, { type }]) => type?.includes('integer'))
    .map(([name]) => name);

  return {
    source: 'query',
    read({ event }) {
      requireUnicode(event);
      const parameters = Object.entries(event.multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
        const [value = '', ...others] = values;
        if (others.length > 0) throw faultOf(name, 'single', notSingle);
        return [name, integers.includes(name) && /^-?\d{1,20}$/.test(value) ? Number(value) : value];
      });
      return Object.fromEntries(parameters);
    },
  };
}

/**
 * Creates the reader of a body that is sent as `application/json`. Properties that match `except` may contain text that
 * is not Unicode; they are validated later, because they do not make the whole request invalid.
 */
export function jsonBody({ maxBytes, except }: { maxBytes?: number; except?: RegExp } = {}): InputReader<'body'> {
  return {
    source: 'body',
    read(request) {
      requireUnicode(request.event, except);
      if (mediaTypeOf(request.event) !== 'application/json') {
        throw faultOf('Content-Type', 'mediaType', mediaType);
      }
      return parseBody(request, maxBytes);
    },
  };
}

/** Creates the function that validates each item of a batch on its own, as declare validates its body. */
export function batchItemReader(validate: Validator<'declare-invoice', DeclareInvoiceInput>): ReadItem {
  return (item, index) => {
    const path = itemPath(index);
    const broken = findBrokenText(item, path);
    if (validate(item) && broken.length === 0) return toDeclarationRequest(item);
    return validationError(joinFaults([...broken, ...toDetails(validate.errors ?? [], path, path)]));
  };
}

export interface Parsed<Input> {
  readonly parsed: { readonly input: Input } | { readonly error: unknown };
}

/** Reads and validates the input, but keeps the error of an invalid one until the caller is authorised. */
export function parse<Name extends string, From extends Source, Input>(
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
  return addToState((request) => ({ input: readInput(request, reader, contract, validate) }));
}

function readInput<Input>(
  request: PortalRequest,
  { read, source }: InputReader<Source>,
  contract: Contract,
  validate: Validator<string, Input>,
): Input {
  const sent: unknown = withoutEmpty(contract, read(request));
  if (!validate(sent)) throw validationError(toDetails(validate.errors ?? [], source));
  return sent;
}

/** Returns an input without the empty parameters of a query, which count as not sent. A required one stays. */
export function withoutEmpty({ source, request }: Contract, sent: unknown): unknown {
  if (source !== 'query' || typeof sent !== 'object' || sent === null) return sent;
  const { required = [] } = request as { readonly required?: readonly string[] };
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== '' || required.includes(name)));
}
