import { OperatorError } from '../operator-error.ts';
import { FIELDS } from './record-schema.ts';

/** The headings under which a CSV has its fields, by field. */
export type ColumnMap = ReadonlyMap<string, string>;

/**
 * Reads what a file says of columns: `field: heading`, one for each field with a heading that is not its name. Throws
 * an OperatorError that names everything that is wrong with it.
 */
export function readColumnMap(document: unknown): ColumnMap {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new OperatorError('The map of columns is not a list of lines such as "invoice_id: My heading".');
  }
  const pairs = Object.entries(document);
  const faults = pairs.flatMap(([field, heading]) => {
    if (!FIELDS.includes(field)) return [`${field}: is not a field; the fields are ${FIELDS.join(', ')}`];
    if (typeof heading !== 'string' || heading.trim() === '')
      return [`${field}: its heading must be a text, in quotes`];
    const others = pairs.filter(
      ([other, same]) => other !== field && typeof same === 'string' && isSame(same, heading),
    );
    return others.length > 0
      ? [`${field}: has the heading "${heading}" of ${others.map(([other]) => other).join(', ')}`]
      : [];
  });
  if (pairs.length === 0) faults.push('it names no field');
  if (faults.length > 0) throw new OperatorError(['The map of columns cannot be used:', ...faults].join('\n  '));
  return new Map(pairs.map(([field, heading]) => [field, headingOf(heading as string)]));
}

/** A heading as it is compared: blanks around it, and how its accents are stored, do not matter. */
export function headingOf(text: string): string {
  return text.trim().normalize();
}

function isSame(one: string, other: string): boolean {
  return headingOf(one) === headingOf(other);
}
