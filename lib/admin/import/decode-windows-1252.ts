import { isAscii, isUtf8 } from 'node:buffer';
import type { DecodedText } from './decode-utf8.ts';

const decoder = new TextDecoder('windows-1252');

/** Decodes bytes of Windows-1252, in which every byte is a character; what is UTF-8 is not taken for it. */
export function decodeWindows1252(bytes: Buffer): DecodedText {
  const isOther = isUtf8(bytes) && !isAscii(bytes);
  return isOther
    ? { text: bytes.toString(), fault: 'record: is UTF-8, not Windows-1252' }
    : { text: decoder.decode(bytes), fault: null };
}
