import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestState } from '../endpoints/endpoint.ts';
import * as texts from './constraint-texts.ts';
import { adding, type After, type PortalEvent, type PortalMiddleware, type PortalRequest } from './chain.ts';
import { mediaTypeOf } from './headers.ts';
import { faultOf } from './validation-details.ts';

const MAX_BODY_BYTES = 1_048_576;
// The largest request with every field, a batch of 100, has some 1,300. The parser needs a microsecond or two for each.
const MAX_VALUES = 10_000;

// Its own check would accept application/problem+json too, and reads the header in two spellings only.
const parser = jsonBodyParser<PortalEvent>({ disableContentTypeCheck: true });

/** Reads a JSON body that is sent as such; throws VALIDATION_ERROR. */
export function jsonBody(
  maxBytes?: number,
): PortalMiddleware<RequestState & After<'unicodeText'>, { readonly body: unknown }> {
  return adding((request) => {
    if (mediaTypeOf(request.event) !== 'application/json') {
      throw faultOf('Content-Type', 'mediaType', texts.mediaType);
    }
    return { body: parseBody(request, maxBytes) };
  });
}

/** A body as JSON, whatever its Content-Type says; throws VALIDATION_ERROR. */
export function parseBody(request: PortalRequest, maxBytes = MAX_BODY_BYTES): unknown {
  const { event } = request;
  if (isTooLarge(event, maxBytes)) throw faultOf('body', 'maxBytes', texts.tooLarge(maxBytes));
  // The parser takes a missing body for null.
  const body = event.body ?? '';
  event.body = withoutMark(event.isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  event.isBase64Encoded = false;
  if (hasTooManyValues(event.body)) throw faultOf('body', 'maxValues', texts.tooManyValues(MAX_VALUES));
  try {
    parser.before?.(request);
  } catch (error) {
    throw refusal((error as Error).cause as ParserCause);
  }
  return event.body;
}

/** Whether a body is larger than `maxBytes`, or than any that is read. */
export function isTooLarge(
  { body, isBase64Encoded }: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>,
  maxBytes = MAX_BODY_BYTES,
): boolean {
  return Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8') > maxBytes;
}

/** A text without the byte order mark with which some programs begin UTF-8; it counts for the size of a body. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Whether a JSON text has more names and values than any that is read. It counts what stands before each of them,
 * outside of texts: commas, colons and opening brackets.
 */
export function hasTooManyValues(json: string, most = MAX_VALUES): boolean {
  let values = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (isInText) {
      if (character === '\\') index++;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === ',' || character === ':' || character === '[' || character === '{') {
      if (++values > most) return true;
    }
  }
  return false;
}

/** Why the parser refuses a body: `data` is a key that it does not allow or, with a message, the whole body. */
interface ParserCause {
  readonly data: string;
  readonly message?: string;
}

/** The error for the caller. The parser's own is not passed on: it holds the body, with its passwords. */
function refusal({ data, message }: ParserCause) {
  if (message === undefined) return faultOf(data, 'reserved', texts.reservedName);
  return faultOf('body', 'json', texts.notJson);
}
