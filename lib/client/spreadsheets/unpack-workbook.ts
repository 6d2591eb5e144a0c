import { inflateRawSync } from 'node:zlib';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

const MIB = 1024 * 1024;
/** The maximum size of a workbook, which is read as a whole. */
export const MAX_WORKBOOK_BYTES = 32 * MIB;
/** The maximum size of the parts of a workbook that are read, after decompression. */
export const MAX_UNPACKED_BYTES = 96 * MIB;

const [END_OF_DIRECTORY, DIRECTORY_ENTRY] = ['PK\x05\x06', 'PK\x01\x02'];
const [STORED, DEFLATED] = [0, 8];
/** The parts that contain text. A pivot cache is never read and can be larger than the sheets. */
const TEXT_PART = /^xl\/(?!pivotCache\/).*\.xml(?:\.rels)?$/;

/**
 * Unpacks the text parts of a workbook by name. Throws a SpreadsheetError before it unpacks anything if they are too
 * large. The declared sizes may be wrong: no part is unpacked beyond its declared size.
 */
export function unpackWorkbook(archive: Buffer): ReadonlyMap<string, Buffer> {
  const entries = readDirectory(archive).filter(({ name }) => TEXT_PART.test(name));
  const size = entries.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0);
  if (size > MAX_UNPACKED_BYTES) throw createSizeError();
  return new Map(entries.map((entry) => [entry.name, unpackEntry(archive, entry)]));
}

export function createSizeError(): SpreadsheetError {
  return new SpreadsheetError(texts.largeWorkbook(MAX_WORKBOOK_BYTES / MIB, MAX_UNPACKED_BYTES / MIB));
}

/** Reads the entries of the central directory of a ZIP archive. */
function readDirectory(archive: Buffer) {
  const end = archive.lastIndexOf(END_OF_DIRECTORY, undefined, 'latin1');
  const entries = [];
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (archive.toString('latin1', at, at + 4) !== DIRECTORY_ENTRY) throw new Error('The directory is damaged.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const nameEnd = at + 46 + (nameLength ?? 0);
    entries.push({
      name: archive.toString('utf8', at + 46, nameEnd),
      method: archive.readUInt16LE(at + 10),
      size: archive.readUInt32LE(at + 20),
      unpackedSize: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    });
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

type Entry = ReturnType<typeof readDirectory>[number];

function unpackEntry(archive: Buffer, { name, method, size, unpackedSize, offset }: Entry): Buffer {
  const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const packed = archive.subarray(start, start + size);
  if (method !== STORED && method !== DEFLATED) throw new Error(`${name} has an unknown compression.`);
  // inflateRawSync throws as soon as the result exceeds the declared size.
  const bytes = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(unpackedSize, 1) });
  if (bytes.length !== unpackedSize) throw new Error(`${name} has another size than declared.`);
  return bytes;
}
