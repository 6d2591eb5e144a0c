import type { ErrorObject } from 'ajv';
import { type PropertyFault, type ServiceError, validationError } from '../domain/errors.ts';
import type { Text } from '../domain/language.ts';
import { type FaultParams, KEYWORD_TEXTS, notValid } from './constraint-texts.ts';

/** Creates the VALIDATION_ERROR of one property and constraint; the name of the property precedes the text. */
export function faultOf(property: string, constraint: string, text: Text): ServiceError {
  return validationError([propertyFault(property, constraint, text)]);
}

export function propertyFault(property: string, constraint: string, { en, es }: Text): PropertyFault {
  return { property, constraints: { [constraint]: { en: `${property} ${en}`, es: `${property} ${es}` } } };
}

/**
 * Names every invalid property, for example `declarations[3].amount`, with all the constraints that it violates.
 * `whole` is the name of the input itself, and `parent` the path of an input that is part of another one.
 */
export function toDetails(errors: readonly ErrorObject[], whole: string, parent = ''): PropertyFault[] {
  // An error of `if` only reports that the schema of `then` has errors, which are listed themselves.
  const listed = errors.filter(({ keyword }) => keyword !== 'if');
  return joinFaults(
    listed.map((error) => propertyFault(propertyOf(error, parent) || whole, error.keyword, textOf(error))),
  );
}

/** Joins the constraints of each property into one entry. */
export function joinFaults(faults: readonly PropertyFault[]): PropertyFault[] {
  const byProperty = Map.groupBy(faults, ({ property }) => property);
  return [...byProperty].map(([property, same]) => ({
    property,
    constraints: Object.assign({}, ...same.map(({ constraints }) => constraints)) as PropertyFault['constraints'],
  }));
}

function propertyOf({ instancePath, keyword, params }: ErrorObject, parent: string): string {
  const missing = keyword === 'required' ? [params['missingProperty'] as string] : [];
  return [...instancePath.split('/').slice(1), ...missing].reduce(propertyBelow, parent);
}

/** Builds the path of a property or an array item; `parent` is empty for the input itself. */
export function propertyBelow(parent: string, name: string): string {
  if (/^\d+$/.test(name)) return `${parent}[${name}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function textOf({ keyword, params }: ErrorObject): Text {
  return KEYWORD_TEXTS[keyword]?.(params as FaultParams) ?? notValid;
}
