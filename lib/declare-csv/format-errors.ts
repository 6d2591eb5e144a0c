import { shorten } from '../client/spreadsheets/read-cell.ts';
import type { Language, Text } from '../domain/language.ts';
import { fileTexts } from './run-texts.ts';

/** An error of a cell, such as B4 under the heading `Importe`, or of a row, such as 4. */
export interface FileError {
  readonly place: string;
  /** The heading of the cell; undefined for the error of a row. */
  readonly heading?: string | undefined;
  readonly value?: string | undefined;
  readonly error: Text;
}

const MAX_PLACES = 10;

/**
 * Formats the errors of a file, one line for each kind: `B4 Importe: "mil" is not an amount (in 3 places: B4, B7, B9)`.
 * Errors of a column that differ only in their numbers are of one kind.
 */
export function formatErrors(errors: readonly FileError[], language: Language): string[] {
  const toKind = ({ heading = '', error }: FileError) => `${heading}\n${error.en.replaceAll(/\d[\d.,/-]*/g, '0')}`;
  return [...Map.groupBy(errors, toKind).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { place, heading, value, error } = first;
    const cell = heading === undefined ? fileTexts.row(place)[language] : `${place} ${heading}`;
    const shownValue = value ? `"${shorten(value)}" ` : '';
    const places = group.slice(0, MAX_PLACES).map((other) => other.place);
    const more = group.length > MAX_PLACES ? ', …' : '';
    const allPlaces = group.length > 1 ? fileTexts.places(group.length, places.join(', ') + more)[language] : '';
    return `${cell}: ${shownValue}${error[language]}${allPlaces}`;
  });
}
