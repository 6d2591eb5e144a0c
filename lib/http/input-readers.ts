import type { Contract } from '../contracts/contract.ts';
import type { PortalRequest } from './chain.ts';
import { mediaType, notSingle } from './constraint-texts.ts';
import { mediaTypeOf } from './headers.ts';
import { parseBody } from './json-body.ts';
import { requireUnicode } from './unicode-text.ts';
import { faultOf } from './validation-details.ts';

/** The part of a request that contains the input of a contract. */
export type Source = Contract['source'];

/** Reads the input of a request from one source, and requires its text to be Unicode; throws VALIDATION_ERROR. */
export interface InputReader<From extends Source> {
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
