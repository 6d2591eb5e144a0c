import { isUtf8 } from 'node:buffer';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type PropertyFault, validationError } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import type { PortalEvent, PortalRequest } from './chain.ts';
import * as texts from './constraint-texts.ts';
import { faultOf, propertyBelow, propertyFault } from './validation-details.ts';

// A body can have ten thousand errors, and a name as long as the body.
const MAX_FAULTS = 100;
const MAX_NAME_LENGTH = 200;
// A batch has many items, and a response of Lambda at most 6 MB.
const MAX_ITEM_FAULTS = 10;

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Requires all text of a request to be well-formed Unicode; throws VALIDATION_ERROR (constraint `unicode`). Properties
 * that match `except` are validated later, because they do not make the whole request invalid. Decodes the body.
 */
export function requireUnicode(event: APIGatewayProxyEvent, except?: RegExp): void {
  const properties = new Set(brokenParameters(event));
  for (const property of brokenInBody(event)) {
    if (except?.test(property)) continue;
    if (properties.size >= MAX_FAULTS) break;
    properties.add(property);
  }
  if (properties.size > 0) throw validationError([...properties].map(unicodeFault));
}

function brokenParameters({ pathParameters, multiValueQueryStringParameters }: APIGatewayProxyEvent): string[] {
  const parameters = [
    ...Object.entries(pathParameters ?? {}),
    ...Object.entries(multiValueQueryStringParameters ?? {}),
  ];
  const broken = parameters.filter(([name, values]) => [name, values].flat().some(isBroken));
  return broken.map(([name]) => shortened(name)).slice(0, MAX_FAULTS);
}

/** True if a text is not well-formed; the gateway replaces bytes that are not UTF-8 by U+FFFD. */
function isBroken(text = ''): boolean {
  return !text.isWellFormed() || text.includes('\uFFFD');
}

/** Finds the invalid texts of a body. A body that is too large or is no JSON is rejected by `parseBody`. */
function brokenInBody(event: APIGatewayProxyEvent): Iterable<string> {
  if (isTooLarge(event)) return [];
  const text = decodeText(event);
  if (text === undefined) return ['body'];
  event.body = text;
  event.isBase64Encoded = false;
  // In well-formed text, only an escape can produce half a surrogate pair.
  if (!SURROGATE_ESCAPE.test(text) || hasTooManyValues(text)) return [];
  try {
    return brokenIn(JSON.parse(stripBom(text)));
  } catch {
    return [];
  }
}

function decodeText({ body, isBase64Encoded }: APIGatewayProxyEvent): string | undefined {
  const text = body ?? '';
  if (!isBase64Encoded) return text.isWellFormed() ? text : undefined;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Finds the first properties of a batch item whose text is not well-formed Unicode; `path` is the path of the item. */
export function findBrokenText(item: unknown, path: string): PropertyFault[] {
  return [...new Set(brokenIn(item, path))].slice(0, MAX_ITEM_FAULTS).map(unicodeFault);
}

/** Yields the properties with invalid text. Without recursion, because a body can have ten thousand levels. */
function* brokenIn(root: unknown, path = ''): Generator<string> {
  const waiting = [{ property: path, value: root }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { property, value } = next;
    if (typeof value === 'string' && !value.isWellFormed()) yield property || 'body';
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value).toReversed()) {
      const below = shortened(propertyBelow(property, name));
      if (!name.isWellFormed()) yield below;
      waiting.push({ property: below, value: inner });
    }
  }
}

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

function unicodeFault(name: string): PropertyFault {
  return propertyFault(name.toWellFormed(), 'unicode', texts.notUnicode);
}

// Its own check would accept application/problem+json too, and reads the header in two spellings only.
const parser = jsonBodyParser<PortalEvent>({ disableContentTypeCheck: true });

/** Parses a body that `requireUnicode` has decoded, without a check of its Content-Type; throws VALIDATION_ERROR. */
export function parseBody(request: PortalRequest, maxBytes: number = LIMITS.bodyBytes): unknown {
  const { event } = request;
  if (isTooLarge(event, maxBytes)) throw faultOf('body', 'maxBytes', texts.tooLarge(maxBytes));
  event.body = stripBom(event.body ?? '');
  if (hasTooManyValues(event.body)) throw faultOf('body', 'maxValues', texts.tooManyValues(LIMITS.bodyValues));
  try {
    parser.before?.(request);
  } catch (error) {
    // Without the error of the parser, which contains the body. Only the rejection of a reserved key has no message.
    const { data, message } = (error as Error).cause as { readonly data: string; readonly message?: string };
    throw message === undefined
      ? faultOf(data, 'reserved', texts.reservedName)
      : faultOf('body', 'json', texts.notJson);
  }
  return event.body;
}

function isTooLarge({ body, isBase64Encoded }: APIGatewayProxyEvent, maxBytes: number = LIMITS.bodyBytes): boolean {
  return Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8') > maxBytes;
}

/** Removes the BOM of a body; it counts for the size of the body. */
function stripBom(text: string): string {
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
