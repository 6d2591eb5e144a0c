import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import { notUnicode } from '../http/constraint-texts.ts';
import { faultOf } from '../http/validation-details.ts';
import { mediaTypeOf } from '../http/headers.ts';
import { parseBody, requireUnicode } from '../http/request-text.ts';
import { ID_FIELD } from './protocol.ts';

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

// The items of a batch are validated one by one.
const IN_BATCH_ITEM = /^Declaraciones\[\d+\]\./;
const NUMBER_AS_ID = new RegExp(`"${ID_FIELD}"\\s*:\\s*[-\\d]`);

/** Reads a body as JSON, with any Content-Type; ids that are whole numbers become texts of their digits. */
export function anyBody(): PortalMiddleware<RequestState, { readonly body: unknown }> {
  return addToState((request) => {
    const { event } = request;
    requireUnicode(event, IN_BATCH_ITEM);
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
  // The text can begin with a BOM.
  return JSON.parse(text.trimStart(), toText as (name: string, value: unknown) => unknown);
}
