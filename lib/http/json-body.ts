import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as texts from './constraint-texts.ts';
import type { PortalEvent, PortalRequest } from './chain.ts';
import { faultOf } from './validation-details.ts';
import { LIMITS } from '../domain/limits.ts';

// Its own check would accept application/problem+json too, and reads the header in two spellings only.
const parser = jsonBodyParser<PortalEvent>({ disableContentTypeCheck: true });

/** Parses a body as JSON, without a check of its Content-Type; throws VALIDATION_ERROR. */
export function parseBody(request: PortalRequest, maxBytes: number = LIMITS.bodyBytes): unknown {
  const { event } = request;
  if (isTooLarge(event, maxBytes)) throw faultOf('body', 'maxBytes', texts.tooLarge(maxBytes));
  // The parser would convert a missing body to null.
  const body = event.body ?? '';
  event.body = stripBom(event.isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  event.isBase64Encoded = false;
  if (hasTooManyValues(event.body)) throw faultOf('body', 'maxValues', texts.tooManyValues(LIMITS.bodyValues));
  try {
    parser.before?.(request);
  } catch (error) {
    throw refusal((error as Error).cause as ParserCause);
  }
  return event.body;
}

/** True if a body is larger than `maxBytes`. */
export function isTooLarge(
  { body, isBase64Encoded }: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>,
  maxBytes: number = LIMITS.bodyBytes,
): boolean {
  return Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8') > maxBytes;
}

/** Removes the BOM of a body; it counts for the size of the body. */
export function stripBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * True if a JSON text has more than `most` names and values. It counts the characters that precede each of them outside
 * of texts: commas, colons and opening brackets.
 */
export function hasTooManyValues(json: string, most: number = LIMITS.bodyValues): boolean {
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

/** The cause of a parser error: `data` is a reserved key or, with a message, the whole body. */
interface ParserCause {
  readonly data: string;
  readonly message?: string;
}

/** Creates the error for the caller. The error of the parser is not used, because it contains the body. */
function refusal({ data, message }: ParserCause) {
  if (message === undefined) return faultOf(data, 'reserved', texts.reservedName);
  return faultOf('body', 'json', texts.notJson);
}
