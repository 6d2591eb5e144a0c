import { isUtf8 } from 'node:buffer';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type PropertyFault, createValidationError } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import { findRepeatedName } from '../domain/repeated-name.ts';
import type { PortalEvent, PortalRequest } from './chain.ts';
import * as texts from './constraint-texts.ts';
import { buildPropertyFault, createInputError, joinPropertyPath } from './validation-details.ts';

// A body can have ten thousand errors, and a property name as long as the body. These limits keep the response small.
const MAX_FAULTS = 100;
const MAX_NAME_LENGTH = 200;
// A batch has up to 100 items, and a response of Lambda at most 6 MB.
const MAX_ITEM_FAULTS = 10;

// Matches the JSON escape of half a surrogate pair, such as `\ud83d`.
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Requires all text of a request to be well-formed Unicode; throws VALIDATION_ERROR (constraint `unicode`). Properties
 * that match `except` are validated later, because they do not make the whole request invalid. Decodes the body.
 */
export function requireUnicode(event: APIGatewayProxyEvent, except?: RegExp): void {
  const properties = new Set(findBrokenParameters(event));
  for (const property of findBrokenProperties(event)) {
    if (except?.test(property)) continue;
    if (properties.size >= MAX_FAULTS) break;
    properties.add(property);
  }
  if (properties.size > 0) throw createValidationError([...properties].map(buildUnicodeFault));
}

function findBrokenParameters({ pathParameters, multiValueQueryStringParameters }: APIGatewayProxyEvent): string[] {
  const parameters = [
    ...Object.entries(pathParameters ?? {}),
    ...Object.entries(multiValueQueryStringParameters ?? {}),
  ];
  const brokenParameters = parameters.filter(([name, values]) => [name, values].flat().some(isBroken));
  return brokenParameters.map(([name]) => shortenName(name)).slice(0, MAX_FAULTS);
}

/** True if a text is not well-formed. The gateway replaces bytes that are not UTF-8 with U+FFFD. */
function isBroken(text = ''): boolean {
  return !text.isWellFormed() || text.includes('\uFFFD');
}

/** Finds the properties of a body with invalid text, and decodes the body. `parseBody` rejects what is not JSON. */
function findBrokenProperties(event: APIGatewayProxyEvent): Iterable<string> {
  if (isTooLarge(event)) return [];
  const text = decodeText(event);
  if (text === undefined) return ['body'];
  event.body = text;
  event.isBase64Encoded = false;
  // In well-formed text, only an escape can produce half a surrogate pair.
  if (!SURROGATE_ESCAPE.test(text) || hasTooManyValues(text)) return [];
  try {
    return walkBrokenTexts(JSON.parse(toParsableJson(text)));
  } catch {
    return [];
  }
}

/** Decodes a body; undefined if it is not well-formed Unicode. */
function decodeText({ body, isBase64Encoded }: APIGatewayProxyEvent): string | undefined {
  const text = body ?? '';
  if (!isBase64Encoded) return text.isWellFormed() ? text : undefined;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Finds the first properties of a batch item whose text is not well-formed Unicode; `path` is the path of the item. */
export function findBrokenText(item: unknown, path: string): PropertyFault[] {
  return [...new Set(walkBrokenTexts(item, path))].slice(0, MAX_ITEM_FAULTS).map(buildUnicodeFault);
}

/** Yields the properties with invalid text. The walk is not recursive, because a body can have ten thousand levels. */
function* walkBrokenTexts(root: unknown, path = ''): Generator<string> {
  const pending = [{ property: path, value: root }];
  for (let current = pending.pop(); current; current = pending.pop()) {
    const { property, value } = current;
    if (typeof value === 'string' && !value.isWellFormed()) yield property || 'body';
    if (typeof value !== 'object' || value === null) continue;
    // The last entry of `pending` is next. Therefore the order is reversed.
    for (const [name, innerValue] of Object.entries(value).toReversed()) {
      const innerProperty = shortenName(joinPropertyPath(property, name));
      if (!name.isWellFormed()) yield innerProperty;
      pending.push({ property: innerProperty, value: innerValue });
    }
  }
}

function shortenName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

function buildUnicodeFault(name: string): PropertyFault {
  return buildPropertyFault(name.toWellFormed(), 'unicode', texts.notUnicode);
}

// The check of the parser would accept application/problem+json, and reads only two spellings of the header.
const parser = jsonBodyParser<PortalEvent>({ disableContentTypeCheck: true });

/**
 * Parses a body that `requireUnicode` has decoded, without a check of its Content-Type; throws VALIDATION_ERROR.
 * `convert` changes the JSON text before it is parsed.
 */
export function parseBody(
  request: PortalRequest,
  maxBytes: number = LIMITS.bodyBytes,
  convert = (json: string) => json,
): unknown {
  const { event } = request;
  if (isTooLarge(event, maxBytes)) throw createInputError('body', 'maxBytes', texts.tooLarge(maxBytes));
  const text = convert(toParsableJson(event.body ?? ''));
  if (hasTooManyValues(text)) throw createInputError('body', 'maxValues', texts.tooManyValues(LIMITS.bodyValues));
  event.body = text;
  try {
    parser.before?.(request);
  } catch (error) {
    // The error of the parser contains the body. Only the error of a reserved key, such as `__proto__`, has no message.
    const { data, message } = (error as Error).cause as { readonly data: string; readonly message?: string };
    throw message === undefined
      ? createInputError(data, 'reserved', texts.reservedName)
      : createInputError('body', 'json', texts.notJson);
  }
  const repeatedName = findRepeatedName(text);
  if (repeatedName === null) return event.body;
  throw createInputError(shortenName(repeatedName).toWellFormed(), 'single', texts.notSingle);
}

function isTooLarge({ body, isBase64Encoded }: APIGatewayProxyEvent, maxBytes: number = LIMITS.bodyBytes): boolean {
  return Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8') > maxBytes;
}

// Finds most texts without a number that JSON.parse would read as 0, such as 1e-400. This check costs almost nothing.
const SMALL_NUMBER = /\d[eE]-\d|0{300}/;
// Matches a text, even if it is not closed, or a number.
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/g;

/**
 * Prepares a JSON text for JSON.parse: removes a BOM, and replaces a number that is too small for JSON.parse, such as
 * -1e-400, with the number next to 0, so that the schemas reject the number.
 */
function toParsableJson(json: string): string {
  const text = json.startsWith('\uFEFF') ? json.slice(1) : json;
  if (!SMALL_NUMBER.test(text)) return text;
  return text.replace(TEXT_OR_NUMBER, (token) => {
    const isReadAsZero = Number(token) === 0 && /^-?[0.]*[1-9]/.test(token);
    if (!isReadAsZero) return token;
    return String(token.startsWith('-') ? -Number.MIN_VALUE : Number.MIN_VALUE);
  });
}

/**
 * True if a JSON text has too many names and values. The function counts the characters that precede a name or a
 * value: commas, colons and opening brackets outside of strings. A count without parsing is cheap.
 */
function hasTooManyValues(json: string): boolean {
  let valueCount = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (isInString) {
      // A backslash escapes the next character, which can be a quotation mark.
      if (character === '\\') index++;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === ',' || character === ':' || character === '[' || character === '{') {
      valueCount++;
      if (valueCount > LIMITS.bodyValues) return true;
    }
  }
  return false;
}
