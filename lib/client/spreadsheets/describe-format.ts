import type { Language, Text } from '../../domain/language.ts';
import type { DetectedFormat } from './read-table.ts';
import { texts } from './spreadsheet-texts.ts';

/** Describes the detected format in one or two lines, so that the user can recognise a wrong detection. */
export function describeFormat(detected: DetectedFormat<string>, language: Language): string[] {
  const lines = [listFormat(detected), listColumns(detected)].filter((parts) => parts.length > 0);
  return lines.map((parts) => `${parts.map((text) => text[language]).join(', ')}.`);
}

function listFormat({ origin, headerLine, style }: DetectedFormat<string>): Text[] {
  const format: Text[] = [];
  if ('sheet' in origin) {
    format.push(texts.readSheet(origin.sheet));
    if (origin.sheets > 1) format.push(texts.otherSheets(origin.position, origin.sheets));
  } else {
    format.push(texts.readAs(origin.encoding), texts.separators[origin.separator]);
  }
  if (headerLine !== null) format.push(texts.headerLine(headerLine));
  if (style.isDayFirst) format.push(texts.dayFirst);
  if (origin.hiddenLines.length > 0) format.push(texts.hiddenRows(origin.hiddenLines.length));
  if (origin.hiddenColumns.length > 0) format.push(texts.hiddenColumns(origin.hiddenColumns.length));
  return format;
}

/** Lists the columns whose headings differ from the names of their fields, and those that are ignored. */
function listColumns({ headings, fields }: DetectedFormat<string>): Text[] {
  const columns: Text[] = [];
  for (const [index, heading] of headings.entries()) {
    const field = fields[index] ?? null;
    if (field === null && heading !== '') columns.push(texts.leftOut(heading));
    if (field !== null && field !== heading) columns.push(texts.foundIn(field, heading));
  }
  return columns;
}
