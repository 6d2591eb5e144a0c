import type { ErrorObject } from 'ajv';
import { type PropertyFault, type ServiceError, createValidationError } from '../domain/errors.ts';
import type { Text } from '../domain/language.ts';
import { type AjvErrorParams, KEYWORD_TEXTS, notValid } from './constraint-texts.ts';

/** Creates the VALIDATION_ERROR of one property and constraint; the name of the property precedes the text. */
export function createInputError(property: string, constraint: string, text: Text): ServiceError {
  return createValidationError([buildPropertyFault(property, constraint, text)]);
}

/** Builds the entry of one property and constraint; the name of the property precedes the text. */
export function buildPropertyFault(property: string, constraint: string, { en, es }: Text): PropertyFault {
  return { property, constraints: { [constraint]: { en: `${property} ${en}`, es: `${property} ${es}` } } };
}

/**
 * Converts the errors of a validator to one entry for each invalid property, such as `declarations[3].amount`.
 * `inputName` is the property of an error of the whole input, such as `body`. `parent` is the path of a batch item.
 */
export function toPropertyFaults(errors: readonly ErrorObject[], inputName: string, parent = ''): PropertyFault[] {
  // An error of `if` only reports that the schema of `then` has errors, which are listed themselves.
  const constraintErrors = errors.filter(({ keyword }) => keyword !== 'if');
  const faults = constraintErrors.map((error) => {
    const property = buildPropertyPath(error, parent) || inputName;
    return buildPropertyFault(property, error.keyword, getConstraintText(error));
  });
  return joinFaults(faults);
}

/** Joins the constraints of each property into one entry. */
export function joinFaults(faults: readonly PropertyFault[]): PropertyFault[] {
  const faultsByProperty = Map.groupBy(faults, ({ property }) => property);
  return [...faultsByProperty].map(([property, faultsOfProperty]) => {
    const entries = faultsOfProperty.flatMap(({ constraints }) => Object.entries(constraints));
    return { property, constraints: Object.fromEntries(entries) };
  });
}

/** Builds the path of an invalid property: `/declarations/3` without `amount` becomes `declarations[3].amount`. */
function buildPropertyPath({ instancePath, keyword, params }: ErrorObject, parent: string): string {
  const names = instancePath.split('/').slice(1);
  if (keyword === 'required') names.push(params['missingProperty'] as string);
  return names.reduce(joinPropertyPath, parent);
}

/** Appends the name of a property, or the index of an array item, to a path. The path of the whole input is empty. */
export function joinPropertyPath(parent: string, name: string): string {
  if (/^\d+$/.test(name)) return `${parent}[${name}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function getConstraintText({ keyword, params }: ErrorObject): Text {
  return KEYWORD_TEXTS[keyword]?.(params as AjvErrorParams) ?? notValid;
}
