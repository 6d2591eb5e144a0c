import type { RequestState } from '../endpoints/endpoint.ts';
import { adding, type After, type PortalMiddleware } from '../http/chain.ts';
import { notUnicode } from '../http/constraint-texts.ts';
import { mediaTypeOf } from '../http/headers.ts';
import { parseBody } from '../http/json-body.ts';
import { faultOf } from '../http/validation-details.ts';
import { ID_FIELD } from './protocol.ts';

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

const NUMBER_AS_ID = new RegExp(`"${ID_FIELD}"\\s*:\\s*[-\\d]`);

/** Reads a body as JSON, whatever its Content-Type says; ids that are whole numbers become texts of their digits. */
export function anyBody(): PortalMiddleware<RequestState & After<'unicodeText'>, { readonly body: unknown }> {
  return adding((request) => {
    const { event } = request;
    const text = event.body ?? '';
    // The gateway hands on only JSON byte by byte. In other text it has put U+FFFD where the bytes were no UTF-8.
    if (mediaTypeOf(event) !== 'application/json' && text.includes('\uFFFD')) {
      throw faultOf('body', 'unicode', notUnicode);
    }
    const body = parseBody(request);
    return { body: NUMBER_AS_ID.test(text) ? withTextIds(text) : body };
  });
}

/**
 * Parses JSON. The digits of an id are those that were written, because a float may be another number: one that is
 * negative, has a fraction or is above 2^53 - 1 stays a number, which no operation takes for an id.
 */
function withTextIds(text: string): unknown {
  const toText: SourceReviver = (name, value, { source = '' }) => {
    if (name !== ID_FIELD || !Number.isSafeInteger(value)) return value;
    return /^(\d+)(\.0+)?$/.exec(source)?.[1] ?? value;
  };
  // A byte order mark may stand before it.
  return JSON.parse(text.trimStart(), toText as (name: string, value: unknown) => unknown);
}
