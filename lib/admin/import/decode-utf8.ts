import { isUtf8 } from 'node:buffer';

const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
const BYTE_ORDER_MARK = '\ufeff';

/**
 * A text that was read; U+FFFD stands where its bytes were no UTF-8, and `fault` (else null) says where that was first.
 */
export interface DecodedText {
  readonly text: string;
  readonly fault: string | null;
}

/** Decodes bytes that begin on a line of a file; a byte order mark before them is no part of the text. */
export function decodeUtf8(bytes: Buffer, firstLine: number): DecodedText {
  const marked = bytes.toString();
  const text = marked.startsWith(BYTE_ORDER_MARK) ? marked.slice(1) : marked;
  if (isUtf8(bytes)) return { text, fault: null };
  let offset = text === marked ? 0 : Buffer.byteLength(BYTE_ORDER_MARK);
  let [line, column] = [firstLine, 1];
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (character === REPLACEMENT && !bytes.subarray(offset, offset + size).equals(REPLACEMENT_BYTES)) break;
    offset += size;
    [line, column] = character === '\n' ? [line + 1, 1] : [line, column + 1];
  }
  const byte = bytes[offset]?.toString(16).toUpperCase();
  return { text, fault: `record: is not UTF-8: byte 0x${byte} at line ${line}, column ${column} (in characters)` };
}
