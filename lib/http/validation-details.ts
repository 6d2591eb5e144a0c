import type { ErrorObject } from 'ajv';
import { type PropertyFault, type ServiceError, validationError } from '../domain/errors.ts';
import type { Text } from '../domain/language.ts';
import { type FaultParams, KEYWORD_TEXTS, notValid } from './constraint-texts.ts';

/** The VALIDATION_ERROR of one property that breaks one constraint; the name of the property comes before the text. */
export function faultOf(property: string, constraint: string, text: Text): ServiceError {
  return validationError([propertyFault(property, constraint, text)]);
}

/** A property that breaks one constraint. */
export function propertyFault(property: string, constraint: string, text: Text): PropertyFault {
  return { property, constraints: { [constraint]: about(property, text) } };
}

function about(property: string, { en, es }: Text): Text {
  return { en: `${property} ${en}`, es: `${property} ${es}` };
}

/**
 * Names every invalid property, as `declarations[3].amount`, with all the constraints that it breaks. `whole` is the
 * name of the input itself.
 */
export function toDetails(errors: readonly ErrorObject[], whole: string): PropertyFault[] {
  const faults = new Map<string, Record<string, Text>>();
  for (const error of errors) {
    // `if` only says that the schema behind its `then` has faults, and those are listed themselves.
    if (error.keyword === 'if') continue;
    const property = propertyOf(error) || whole;
    const constraints = faults.get(property) ?? {};
    constraints[error.keyword] = about(property, textOf(error));
    faults.set(property, constraints);
  }
  return [...faults].map(([property, constraints]) => ({ property, constraints }));
}

function propertyOf({ instancePath, keyword, params }: ErrorObject): string {
  const missing = keyword === 'required' ? [params['missingProperty'] as string] : [];
  return [...instancePath.split('/'), ...missing].reduce(propertyBelow, '');
}

/** How a property of an object, or an item of an array, is named; `parent` is empty for the input itself. */
export function propertyBelow(parent: string, name: string): string {
  if (/^\d+$/.test(name)) return `${parent}[${name}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function textOf({ keyword, params }: ErrorObject): Text {
  return KEYWORD_TEXTS[keyword]?.(params as FaultParams) ?? notValid;
}
