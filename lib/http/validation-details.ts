import type { ErrorObject } from 'ajv';
import { type PropertyFault, type ServiceError, validationError } from '../domain/errors.ts';

/** The VALIDATION_ERROR of one property that breaks one constraint; `message` begins with the property. */
export function faultOf(property: string, constraint: string, message: string): ServiceError {
  return validationError([{ property, constraints: { [constraint]: message } }]);
}

/**
 * Names every invalid property, as `declarations[3].amount`, with all the constraints that it breaks. `whole` is the
 * name of the input itself.
 */
export function toDetails(errors: readonly ErrorObject[], whole: string): PropertyFault[] {
  const faults = new Map<string, Record<string, string>>();
  for (const error of errors) {
    // `if` only says that the schema behind its `then` has faults, and those are listed themselves.
    if (error.keyword === 'if') continue;
    const property = propertyOf(error) || whole;
    const constraints = faults.get(property) ?? {};
    constraints[error.keyword] = `${property} ${messageOf(error)}`;
    faults.set(property, constraints);
  }
  return [...faults].map(([property, constraints]) => ({ property, constraints }));
}

function propertyOf({ instancePath, keyword, params }: ErrorObject): string {
  const missing = keyword === 'required' ? [params['missingProperty'] as string] : [];
  return [...instancePath.split('/').slice(1), ...missing].reduce(propertyBelow, '');
}

/** How a property of an object, or an item of an array, is named; `parent` is empty for the input itself. */
export function propertyBelow(parent: string, name: string): string {
  if (/^\d+$/.test(name)) return `${parent}[${name}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function messageOf({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'enum':
      return `must be one of ${notNull(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'type':
      return `must be ${notNull([params['type']].flat()).join(' or ')}`;
    default:
      return message;
  }
}

/** Null stands for a property that is not sent. */
function notNull(values: readonly unknown[]): unknown[] {
  return values.filter((value) => value !== null && value !== 'null');
}
