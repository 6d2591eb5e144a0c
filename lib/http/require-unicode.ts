import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { validationError } from '../domain/errors.ts';
import { bodyOf, MAX_BODY_BYTES } from './read-input.ts';
import type { PortalMiddleware } from './request-state.ts';
import { propertyBelow } from './validation-details.ts';

// A body can hold a hundred thousand faults, and names as long as itself.
const MAX_FAULTS = 100;
const MAX_NAME_LENGTH = 200;

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Requires all text of a request to be well-formed Unicode, before any of it is used; throws VALIDATION_ERROR (constraint `unicode`). */
export function requireUnicode(): PortalMiddleware {
  return {
    before({ event }) {
      const properties = new Set(brokenParameters(event));
      for (const property of brokenInBody(event)) {
        if (properties.size >= MAX_FAULTS) break;
        properties.add(property);
      }
      if (properties.size > 0) throw validationError([...properties].map(faultOf));
    },
  };
}

function brokenParameters({ pathParameters, multiValueQueryStringParameters }: APIGatewayProxyEvent): string[] {
  const parameters = [
    ...Object.entries(pathParameters ?? {}),
    ...Object.entries(multiValueQueryStringParameters ?? {}),
  ];
  const broken = parameters.filter(([name, values]) => [name, values].flat().some(isBroken));
  return broken.map(([name]) => shortened(name)).slice(0, MAX_FAULTS);
}

/** What the gateway decoded has U+FFFD where there was no UTF-8. */
function isBroken(text = ''): boolean {
  return !text.isWellFormed() || text.includes('\uFFFD');
}

/** What is too large or no JSON is not judged here: that has its place after the caller is known. */
function brokenInBody(event: APIGatewayProxyEvent): Iterable<string> {
  const bytes = bodyOf(event);
  if (bytes.length > MAX_BODY_BYTES) return [];
  const isText = event.isBase64Encoded ? isUtf8(bytes) : (event.body ?? '').isWellFormed();
  if (!isText) return ['body'];
  const text = bytes.toString('utf8');
  // Only an escape can bring half a character into text that is well-formed itself.
  if (!SURROGATE_ESCAPE.test(text)) return [];
  try {
    return brokenIn(JSON.parse(text));
  } catch {
    return [];
  }
}

/** The properties of a JSON value whose name or text is broken; without recursion, for a body may be nested half a million deep. */
function* brokenIn(root: unknown): Generator<string> {
  const waiting = [{ property: '', value: root }];
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

function faultOf(name: string) {
  const property = name.toWellFormed();
  return { property, constraints: { unicode: `${property} must be well-formed Unicode text` } };
}
