import { isUtf8 } from 'node:buffer';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

const isAscii = (cell: string) => /^\p{ASCII}*$/u.test(cell);
const windows1252 = new TextDecoder('windows-1252');

// Characters that people do not write in Windows-1252. A file in another encoding shows them: `Pe¤a`, `Garc¡a`.
const NOT_WRITTEN = /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]|\p{L}[¡¿]\p{L}/u;

/** Finds the label for TextDecoder of a file in UTF-16; undefined without a BOM of UTF-16. */
export function findUtf16Label(bytes: Buffer): string | undefined {
  const bom = bytes.toString('latin1', 0, 2);
  if (bom === '\xff\xfe') return 'utf-16le';
  return bom === '\xfe\xff' ? 'utf-16be' : undefined;
}

/** Finds the encoding of cells whose characters are bytes; throws a SpreadsheetError for an unknown encoding. */
export function findEncoding(rows: readonly { readonly line: number; readonly cells: readonly string[] }[]): Encoding {
  const cells = rows.flatMap((row) => row.cells.map((text) => ({ line: row.line, text })));
  const nonAscii = cells.filter(({ text }) => !isAscii(text));
  // If some characters are valid UTF-8, the file is UTF-8. Invalid bytes mean that it is damaged or joined from two.
  if (nonAscii.some(({ text }) => /[^\0-\u007f\ufffd]/.test(toBytes(text).toString()))) return 'UTF-8';
  const invalid = nonAscii.filter(({ text }) => !isUtf8(toBytes(text)));
  const unknown = invalid.find(({ text }) => NOT_WRITTEN.test(windows1252.decode(toBytes(text))));
  if (unknown) throw new SpreadsheetError(texts.unknownEncoding(unknown.line));
  return invalid.length > 0 ? 'Windows-1252' : 'UTF-8';
}

/** Decodes a cell whose characters are bytes; for a file in UTF-16, the bytes have been converted to UTF-8. */
export function decodeCell(cell: string, encoding: Encoding): string | UnreadableCell {
  if (isAscii(cell) && !cell.includes('\0')) return cell;
  const bytes = toBytes(cell);
  // Contains U+FFFD in place of invalid bytes.
  const value = bytes.toString();
  if (cell.includes('\0')) return { fault: texts.nulCharacter, value };
  if (isUtf8(bytes) === (encoding === 'Windows-1252')) {
    return { fault: texts.otherBytes(encoding), hint: 'encoding', value };
  }
  if (encoding === 'UTF-16' && value.includes('\ufffd')) return { fault: texts.otherBytes(encoding), value };
  return encoding === 'Windows-1252' ? windows1252.decode(bytes) : value;
}

const toBytes = (cell: string) => Buffer.from(cell, 'latin1');
