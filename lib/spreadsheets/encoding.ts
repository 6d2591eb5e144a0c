import { isUtf8 } from 'node:buffer';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** How the bytes of a text are to be read. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

const isAscii = (cell: string) => /^\p{ASCII}*$/u.test(cell);
const windows1252 = new TextDecoder('windows-1252');

// What people write in Windows-1252. Other encodings of the same bytes show as other characters: `Pe¤a`, `Garc¡a`.
const NOT_WRITTEN = /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]|\p{L}[¡¿]\p{L}/u;

/** The label for TextDecoder of a file in UTF-16 that has a byte order mark. */
export function utf16Label(bytes: Buffer): string | undefined {
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return 'utf-16le';
  return mark === '\xfe\xff' ? 'utf-16be' : undefined;
}

/** Finds the encoding of cells whose characters are bytes; throws a SpreadsheetError for one that is not known. */
export function findEncoding(rows: readonly { readonly line: number; readonly cells: readonly string[] }[]): Encoding {
  const cells = rows.flatMap((row) => row.cells.map((text) => ({ line: row.line, text })));
  const others = cells.filter(({ text }) => !isAscii(text));
  // Some characters are of UTF-8: so the file is, and is damaged, or was put together from two.
  if (others.some(({ text }) => /[^\0-\u007f\ufffd]/.test(bytesOf(text).toString()))) return 'UTF-8';
  const invalid = others.filter(({ text }) => !isUtf8(bytesOf(text)));
  const strange = invalid.find(({ text }) => NOT_WRITTEN.test(windows1252.decode(bytesOf(text))));
  if (strange) throw new SpreadsheetError(texts.unknownEncoding(strange.line));
  return invalid.length > 0 ? 'Windows-1252' : 'UTF-8';
}

/** The text of a cell whose characters are bytes; what was UTF-16 is in UTF-8 here. */
export function decodeCell(cell: string, encoding: Encoding): string | UnreadableCell {
  if (isAscii(cell) && !cell.includes('\0')) return cell;
  const bytes = bytesOf(cell);
  // With U+FFFD for what cannot be read.
  const value = bytes.toString();
  if (cell.includes('\0')) return { fault: texts.nulCharacter, value };
  if (isUtf8(bytes) === (encoding === 'Windows-1252')) {
    return { fault: texts.otherBytes(encoding), hint: 'encoding', value };
  }
  if (encoding === 'UTF-16' && value.includes('\ufffd')) return { fault: texts.otherBytes(encoding), value };
  return encoding === 'Windows-1252' ? windows1252.decode(bytes) : value;
}

const bytesOf = (cell: string) => Buffer.from(cell, 'latin1');
