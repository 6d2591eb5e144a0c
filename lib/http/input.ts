import type { Contract, Validator } from '../contracts/contract.ts';
import { createValidationError } from '../domain/errors.ts';
import { addToState, type PortalMiddleware, type PortalRequest, type RequestState, type WithCaller } from './chain.ts';
import { mediaType, notSingle } from './constraint-texts.ts';
import { readMediaType } from './headers.ts';
import { findIgnoredFields } from './ignored-fields.ts';
import { parseBody, requireUnicode } from './request-text.ts';
import { createInputError, toPropertyFaults } from './validation-details.ts';

/** A contract with a known name, so that the validator of another contract does not compile. */
export type NamedContract<Name extends string> = Contract & { readonly name: Name };

/** Reads the input from the part of the request that the contract names; throws VALIDATION_ERROR. */
export type ReadInput = (request: PortalRequest, contract: Contract) => unknown;

/** The valid input of a request, or the error of an invalid one, which `requireValidInput` throws. */
export interface Parsed<Input> {
  readonly parsed: { readonly input: Input } | { readonly error: unknown };
}

/** Reads and validates the input. The error of an invalid input is kept until the caller is authorised. */
export function parseInput<Name extends string, Input>(
  read: ReadInput,
  contract: NamedContract<Name>,
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, Parsed<Input>> {
  return addToState((request) => {
    try {
      return { parsed: { input: readValidInput(request, read, contract, validate) } };
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
export function parseValidInput<Name extends string, Input>(
  read: ReadInput,
  contract: NamedContract<Name>,
  validate: Validator<NoInfer<Name>, Input>,
): PortalMiddleware<RequestState, { readonly input: Input }> {
  return addToState((request) => ({ input: readValidInput(request, read, contract, validate) }));
}

// Matches a property of an item of a batch, such as `declarations[3].notes`. The endpoint validates each item.
const ITEM_PROPERTY = /^declarations\[\d+\]\./;

function readValidInput<Input>(
  request: PortalRequest,
  read: ReadInput,
  contract: Contract,
  validate: Validator<string, Input>,
): Input {
  requireUnicode(request.event, contract.requestAsWhole && ITEM_PROPERTY);
  const input: unknown = removeEmptyParameters(contract, read(request, contract));
  if (!validate(input)) throw createValidationError(toPropertyFaults(validate.errors ?? [], contract.source));
  return input;
}

// Matches 25 and -1, but no text of Infinity. The schema rejects every other text of an integer parameter, such as 1e3.
const INTEGER_TEXT = /^-?\d{1,300}$/;

/**
 * Reads the parameters of path and query that the contract names, each of which may be sent once. Converts the text of
 * an integer parameter to a number, so that the schema can validate it.
 */
export function readParameters({ event }: PortalRequest, { request: { properties = {} } }: Contract): unknown {
  const parameters: Record<string, unknown> = { ...event.pathParameters };
  for (const [sentName, values = []] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    // Some programs send `status[]` or `status[0]`. If the service ignored such a name, the list would not be filtered.
    const [name = ''] = sentName.split('[', 1);
    if (!Object.hasOwn(properties, name) || event.pathParameters?.[name] !== undefined) continue;
    const [value = '', ...otherValues] = values;
    if (name !== sentName || otherValues.length > 0) throw createInputError(name, 'single', notSingle);
    const isInteger = properties[name]?.type?.includes('integer') === true;
    parameters[name] = isInteger && INTEGER_TEXT.test(value) ? Number(value) : value;
  }
  return parameters;
}

/** Reads a body that is sent as `application/json`, and adds the names of its ignored fields to the state. */
export function readBody(request: PortalRequest, { maxBodyBytes, request: schema }: Contract): unknown {
  if (readMediaType(request.event) !== 'application/json') {
    throw createInputError('Content-Type', 'mediaType', mediaType);
  }
  const body = parseBody(request, maxBodyBytes);
  request.event.state.ignoredFields = findIgnoredFields(body, schema);
  return body;
}

/** Removes empty optional parameters, which count as not sent. Returns a body unchanged. */
export function removeEmptyParameters({ source, request }: Contract, input: unknown): unknown {
  if (source !== 'parameters' || typeof input !== 'object' || input === null) return input;
  const { required = [] } = request;
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== '' || required.includes(name)));
}
