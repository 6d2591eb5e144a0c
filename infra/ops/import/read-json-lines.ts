import { isUtf8 } from 'node:buffer';
import { MAX_RECORD_BYTES } from '../../../lib/client/spreadsheets/read-csv.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { findRepeatedName } from '../../../lib/domain/repeated-name.ts';
import { InputError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { isNumberField } from './record-schema.ts';

/** Parses each line of NDJSON. Throws an InputError if the stream is another form of JSON, or if a line is too long. */
export async function* readJsonLines(input: AsyncIterable<Buffer | string>) {
  for await (const { line, bytes } of readLines(input)) {
    // `trim` also removes a BOM.
    const text = bytes.toString().trim();
    // One JSON document begins with an array, or with an object whose properties are on other lines.
    const isDocumentStart = text.startsWith('[') || text === '{';
    if (line === 1 && isDocumentStart) throw new InputError(translate(opsTexts.notNdjson));
    if (text === '') continue;
    const { value, error } = isUtf8(bytes) ? parseExactJson(text) : { error: rejectionTexts.notUtf8 };
    yield { line, text, value, error };
  }
}

/** Splits a stream at line feeds. Throws an InputError at a line that is longer than MAX_RECORD_BYTES. */
async function* readLines(input: AsyncIterable<Buffer | string>) {
  let line = 1;
  // A chunk can end within a character. In Latin-1, each byte is one character, so that no byte is lost.
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + Buffer.from(chunk as Buffer).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      yield { line, bytes: Buffer.from(text, 'latin1') };
      line += 1;
    }
    if (rest.length > MAX_RECORD_BYTES) throw new InputError(translate(opsTexts.longLine(line, MAX_RECORD_BYTES)));
  }
  if (rest !== '') yield { line, bytes: Buffer.from(rest, 'latin1') };
}

/** Parses JSON, with amounts as strings, because a float can lose digits. A repeated name in an object is an error. */
export function parseExactJson(text: string): { readonly value?: unknown; readonly error?: Text } {
  const keepDigits = (name: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && isNumberField(name) ? source : value;
  try {
    // The types of TypeScript do not yet contain the third argument of this function, the source text of a value.
    const value: unknown = JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
    return findRepeatedName(text) === null ? { value } : { error: rejectionTexts.repeatedName };
  } catch {
    return { error: rejectionTexts.notJson };
  }
}
