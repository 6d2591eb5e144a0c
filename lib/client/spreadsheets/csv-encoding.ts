import { shorten } from './read-cell.ts';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The encodings of a CSV. UTF-16 is only detected, by its BOM. */
export const ENCODINGS = ['UTF-8', 'Windows-1252', 'CP850', 'Macintosh'] as const;
export type Encoding = (typeof ENCODINGS)[number] | 'UTF-16';

const NON_ASCII = /[^\0-\u007f]/;
// A non-ASCII character other than the replacement of invalid bytes.
const DECODED_NON_ASCII = /[^\0-\u007f\ufffd]/;
const WORD_SEPARATOR = /[\t\n\r ",;]/;
// A file in CP850 or Mac Roman has these texts if it is read as Windows-1252. People hardly write them.
const UNUSUAL_PARTS = [
  /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]/, // Pe¤a
  /\p{L}[¡¿]\p{L}/u, // Garc¡a
  /\p{Lu}[àçêîòéÖ]\p{Lu}/u, // CàRDOBA, GARCÖA
  /(?<!\p{L})[àçêîò]\p{Lu}{2}/u, // çLVAREZ
  /\p{Lu}{2}[àêîò](?!\p{L})/u, // SARMIENTà
  /\p{L}[\u00a0–—]\p{Ll}|\p{Ll}’\p{Ll}/u, // C—rdoba, Garc’a
];
const UNUSUAL_TEXT = new RegExp(UNUSUAL_PARTS.map(({ source }) => source).join('|'), 'u');

const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const BYTES_BY_CHARACTER = new Map(Array.from(WINDOWS_1252, (character, byte) => [character, byte]));

// The characters of the bytes from 128. TextDecoder does not know CP850.
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Finds the label for TextDecoder of a file in UTF-16, or returns undefined without a BOM of UTF-16. */
export function findUtf16Label([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Detects the encoding of the first bytes of a file. Throws a SpreadsheetError if the encoding is unknown. */
export function detectEncoding(bytes: Uint8Array, isWholeFile: boolean, hasEncodingOption: boolean): Encoding {
  // A piece can end within a character, but a file cannot. If some characters are valid UTF-8, such as a BOM, the file
  // is UTF-8. Invalid bytes then mean that the file is damaged, or was joined from two files.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: !isWholeFile });
  if (!utf8.includes('\ufffd') || DECODED_NON_ASCII.test(utf8)) return 'UTF-8';

  const text = new TextDecoder('windows-1252').decode(bytes);
  const index = text.search(UNUSUAL_TEXT);
  if (index === -1) return 'Windows-1252';
  const wordStart = text.slice(0, index).split(WORD_SEPARATOR).at(-1);
  const [wordEnd] = text.slice(index).split(WORD_SEPARATOR);
  const optionValues = hasEncodingOption ? ENCODINGS.slice(1).join(', ').toLowerCase() : '';
  const line = countLines(text.slice(0, index));
  throw new SpreadsheetError(texts.unknownEncoding(line, shorten(`${wordStart}${wordEnd}`), optionValues));
}

export const countLines = (text: string) => text.split(/\r\n?|\n/).length;

/** Creates a decoder of a piece at a time. `label` is a label of TextDecoder, or CP850. */
export function createDecoder(label: string): Pick<InstanceType<typeof TextDecoder>, 'decode'> {
  if (label !== 'CP850') return new TextDecoder(label);
  const toCharacter = (byte: number) => (byte < 128 ? String.fromCharCode(byte) : CP850.charAt(byte - 128));
  return { decode: (bytes = new Uint8Array()) => Array.from(bytes as Uint8Array, toCharacter).join('') };
}

/** True if the bytes of a Windows-1252 text are UTF-8. Two joined files can have such a text, such as `LucÃ\u00ada`. */
export function isUtf8Inside(text: string): boolean {
  if (!NON_ASCII.test(text)) return false;
  const bytes = Uint8Array.from(text, (character) => BYTES_BY_CHARACTER.get(character) ?? 0);
  return !new TextDecoder().decode(bytes).includes('\ufffd');
}
