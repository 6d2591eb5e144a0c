import { fileTexts } from './texts/file.ts';
import { UsageError } from './usage-error.ts';

/** How the bytes of a file are to be read. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** The text of a file; `isOfExcel`: only a program such as Excel writes files with such a beginning or encoding. */
export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
  readonly isOfExcel: boolean;
}

const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const UTF_8_MARK = [0xef, 0xbb, 0xbf];
const UTF_16_MARKS = [
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
];

// What people write in Windows-1252. Other encodings of the same bytes show as other characters: `Pe¤a`, `Garc¡a`.
const NOT_WRITTEN = /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]|\p{L}[¡¿]\p{L}/u;

/** Reads bytes as UTF-8, UTF-16 with a byte order mark, or Windows-1252; throws a UsageError for anything else. */
export function decode(bytes: Uint8Array): Decoded {
  const begins = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (WORKBOOKS.some(begins)) throw new UsageError(fileTexts.workbook);
  const decoded = decodeMarked(bytes, begins) ?? decodeUnmarked(bytes);
  const nul = decoded.text.indexOf('\0');
  if (nul !== -1) throw new UsageError(fileTexts.nulBytes(lineAt(decoded.text, nul)));
  return decoded;
}

function decodeMarked(bytes: Uint8Array, begins: (mark: readonly number[]) => boolean): Decoded | undefined {
  const utf16 = UTF_16_MARKS.find(({ mark }) => begins(mark));
  if (utf16) return { text: decodeAll(bytes, utf16.label, 'UTF-16'), encoding: 'UTF-16', isOfExcel: true };
  if (!begins(UTF_8_MARK)) return undefined;
  return { text: decodeAll(bytes, 'utf-8', 'UTF-8'), encoding: 'UTF-8', isOfExcel: true };
}

function decodeUnmarked(bytes: Uint8Array): Decoded {
  const lenient = new TextDecoder('utf-8').decode(bytes);
  // Some characters are of UTF-8: so the file is, and is damaged, or was put together from two.
  const isUtf8 = /[^\0-\u007f\ufffd]/.test(lenient) || !lenient.includes('\ufffd');
  if (isUtf8) return { text: decodeAll(bytes, 'utf-8', 'UTF-8'), encoding: 'UTF-8', isOfExcel: false };
  const text = new TextDecoder('windows-1252').decode(bytes);
  const place = text.search(NOT_WRITTEN);
  if (place !== -1) throw new UsageError(fileTexts.unknownEncoding(lineAt(text, place)));
  return { text, encoding: 'Windows-1252', isOfExcel: true };
}

function decodeAll(bytes: Uint8Array, label: string, encoding: Encoding): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder(label).decode(bytes);
    throw new UsageError(fileTexts.brokenBytes(lineAt(text, text.indexOf('\ufffd')), encoding));
  }
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split(/\r\n?|\n/).length;
}
