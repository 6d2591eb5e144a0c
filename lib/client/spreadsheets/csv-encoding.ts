import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The encodings of a CSV. UTF-16 is only detected by its BOM. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

// A non-ASCII character other than the replacement of invalid bytes.
const DECODED_NON_ASCII = /[^\0-\u007f\ufffd]/;
// A word with an unusual character. Peña in CP850 (MS-DOS) is `Pe¤a` if it is read as Windows-1252.
const UNUSUAL_WORD = /[^\s",;]{0,20}[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™][^\s",;]{0,20}/;

/** Finds the label for TextDecoder of a file in UTF-16, or returns undefined without a BOM of UTF-16. */
export function findUtf16Label([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Detects the encoding of the first bytes of a file. Throws a SpreadsheetError if the encoding is unknown. */
export function detectEncoding(bytes: Uint8Array, isWholeFile: boolean): Encoding {
  if (findUtf16Label(bytes)) return 'UTF-16';
  // A piece can end within a character, but a file cannot. If some characters are valid UTF-8, such as a BOM, the file
  // is UTF-8. Invalid bytes then mean that the file is damaged, or was joined from two files.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: !isWholeFile });
  if (!utf8.includes('\ufffd') || DECODED_NON_ASCII.test(utf8)) return 'UTF-8';

  const text = new TextDecoder('windows-1252').decode(bytes);
  const unusual = UNUSUAL_WORD.exec(text);
  if (!unusual) return 'Windows-1252';
  const [word] = unusual;
  throw new SpreadsheetError(texts.unknownEncoding(countLines(text.slice(0, unusual.index)), word));
}

export const countLines = (text: string) => text.split(/\r\n?|\n/).length;
