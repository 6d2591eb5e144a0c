import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decode } from '../../../../lib/client/examples/declare-csv/decode.ts';
import { fileTexts } from '../../../../lib/client/examples/declare-csv/texts/file.ts';

const TEXT = 'Factura;Importe;Observaciones\r\n9001;1.050,00;Según lo acordado, ñandú\r\n';
const mark = (...bytes: readonly number[]) => Buffer.from(bytes);
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8', false, Buffer.from(TEXT)],
    ['UTF-8', true, Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16', true, Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16', true, utf16be(`\ufeff${TEXT}`)],
    ['Windows-1252', true, Buffer.from(TEXT, 'latin1')],
  ])('%s (of a spreadsheet: %s) is recognised', (encoding, isOfExcel, bytes) => {
    expect(decode(bytes)).toEqual({ text: TEXT, encoding, isOfExcel });
  });

  it('is UTF-8 for plain ASCII, and for a file of nothing', () => {
    expect(decode(Buffer.from('a;b\n'))).toEqual({ text: 'a;b\n', encoding: 'UTF-8', isOfExcel: false });
    expect(decode(Buffer.alloc(0))).toEqual({ text: '', encoding: 'UTF-8', isOfExcel: false });
    expect(decode(mark(0xef, 0xbb, 0xbf))).toEqual({ text: '', encoding: 'UTF-8', isOfExcel: true });
  });

  it('is Windows-1252 with all that people write in it', () => {
    const bytes = Buffer.concat([
      mark(0x80, 0x20, 0x93, 0xc1, 0x94, 0x20, 0x96, 0x85),
      Buffer.from(' Nº 9° ¿sí? À Ç', 'latin1'),
    ]);
    expect(decode(bytes).text).toBe('€ “Á” –… Nº 9° ¿sí? À Ç');
  });

  it('of the sample file is Windows-1252', () => {
    const sample = new URL('../../../../lib/client/examples/declare-csv/facturas.csv', import.meta.url);
    const { text, encoding } = decode(readFileSync(sample));
    expect(encoding).toBe('Windows-1252');
    expect(text).toContain('según');
  });
});

describe('a file that cannot be read with certainty is refused, with the line', () => {
  it.each([
    ['UTF-8 put together with Windows-1252', Buffer.concat([Buffer.from('a\r\nñ\r\n'), Buffer.from('ñ', 'latin1')]), 3],
    ['damaged UTF-8', Buffer.concat([Buffer.from('ñ\rñ'), mark(0xc3)]), 2],
    ['damaged UTF-8 with its mark', Buffer.concat([Buffer.from('\ufeffa\n'), mark(0xf1)]), 2],
  ])('(%s)', (_, bytes, line) => {
    expect(() => decode(bytes)).toThrow(fileTexts.brokenBytes(line, 'UTF-8').en);
  });

  it.each([
    ['a byte too many', mark(0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00, 0x62)],
    ['half a surrogate pair', mark(0xff, 0xfe, 0x0a, 0x00, 0x3d, 0xd8, 0x61, 0x00)],
  ])('(damaged UTF-16: %s)', (_, bytes) => {
    expect(() => decode(bytes)).toThrow(fileTexts.brokenBytes(2, 'UTF-16').en);
  });

  it.each([
    ['MS-DOS, ñ', [0x50, 0x65, 0xa4, 0x61]],
    ['MS-DOS, é', [0x82]],
    ['MS-DOS, í', [0x47, 0x61, 0x72, 0x63, 0xa1, 0x61]],
    ['Macintosh, é', [0x8e]],
    ['no byte of Windows-1252', [0x81]],
  ])('(%s)', (_, bytes) => {
    expect(() => decode(Buffer.concat([Buffer.from('a\n'), mark(...bytes)]))).toThrow(fileTexts.unknownEncoding(2).en);
  });

  it.each([
    ['a NUL character', Buffer.from('a\nb\0')],
    ['UTF-16 without its mark', Buffer.from('\na', 'utf16le')],
  ])('(%s)', (_, bytes) => {
    expect(() => decode(bytes)).toThrow(/^Line [12] has a NUL character/);
  });

  it.each([
    ['xlsx', [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]],
    ['xls', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]],
  ])('(a workbook, %s)', (_, bytes) => {
    expect(() => decode(mark(...bytes))).toThrow(fileTexts.workbook.en);
  });
});
