import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openCsv } from '../../../../lib/client/spreadsheets/read-csv.ts';
import { texts } from '../../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { readSheet, type ReadOptions } from '../../../support/data/spreadsheets.ts';

it.each<[what: string, separator: string, text: string, options?: ReadOptions]>([
  ['commas', 'commas', 'id,city\n1,Salta\n'],
  ['semicolons', 'semicolons', 'id;city\n1;Salta\n'],
  ['tabs', 'tabs', 'id\tcity\n1\tSalta\n'],
  ['commas after line ends in quotes', 'commas', '"\nid;",city,"tax\r\n;"\r\n1,Salta,\r\n', { map: [['id', 'id;']] }],
  ['the separator of sep=', 'commas', 'sep=,\r\nid,city\r\n1,Salta\r\n'],
  ['the tab of SEP= after a BOM', 'tabs', '\ufeffSEP=\t\nid\tcity\n1\tSalta\n'],
  ['the separator of the option', 'commas', 'id,city,"a;b"\n1,Salta,x\n', { separator: ',' }],
])('the separator of a CSV is detected and reported: %s', async (_, separator, text, options) => {
  const { format, rows } = await readSheet(text, { ignoresOtherColumns: true, ...options });
  expect(format[0]).toMatch(`Read as UTF-8, separated by ${separator}`);
  expect(rows).toMatchObject([{ id: '1', city: 'Salta' }]);
});

describe('the records of a CSV', () => {
  it.each(['\n', '\r\n', '\r'])('a CSV record has the number of its first line, with the line end %j', async (end) => {
    const lines = ['', 'id;"city', 'x"', ';;', '1;"San', '', 'Juan"', '', ' 2 ;Salta', ''];
    const { rows } = await readSheet(lines.join(end), { trim: true, map: [['city', 'city x']] });
    expect(rows).toEqual([
      { line: 5, id: '1', city: `San${end}${end}Juan` },
      { line: 9, id: '2', city: 'Salta' },
    ]);
  });

  it('the records of a CSV are equal wherever a chunk of the file ends', async () => {
    const header = Buffer.from('\ufeffid,city\r\n');
    // The first chunk can end within the first character that is not ASCII.
    const bytes = Buffer.from('1,"Córdoba\r\n€😀"\r\n\r\n2,"a""b"\n3,Salta');
    const readChunks = async (...chunks: readonly Buffer[]) => {
      const { origin, sample, rest } = await openCsv(header, Readable.from(chunks), { sample: 1 });
      return { origin, rows: [...sample, ...(await Readable.from(rest).toArray())] };
    };
    const whole = await readChunks(bytes);
    expect(whole.rows).toHaveLength(4);
    for (let size = 1; size <= bytes.length; size++) {
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      expect(await readChunks(...starts.map((at) => bytes.subarray(at, at + size)))).toEqual(whole);
      const { origin } = await openCsv(Buffer.concat([header, bytes.subarray(0, size)]), Readable.from([]), {});
      expect(origin).toEqual(whole.origin);
    }
  });

  it('a CSV record can omit empty cells at its end, as in Excel, but not between commas or in the last line', async () => {
    const text = 'id;amount;city\n1;1,5\n2;2,5;a\n3;3\n';
    expect((await readSheet(text)).errors).toEqual([]);
    expect((await readSheet(text.trimEnd())).errors).toEqual(['4 - has 2 columns, but the header has 3']);
    expect((await readSheet('id,amount,city\n1,1\n')).errors).toEqual(['2 - has 2 columns, but the header has 3']);
  });

  it.each(['2,"open\n3,x\n', '2,a"b\n3,x\n', '2,"a"b\r\n3,x\r\n'])(
    'a CSV is read up to a misplaced quote, which is reported with the line of its record: %j',
    async (rest) => {
      const { rows, errors } = await readSheet(`id,city\n1,"a\nb"\n${rest}`);
      expect([rows.map(({ id }) => id), errors]).toEqual([['1'], [`4 ${texts.strayQuote.en}`]]);
    },
  );

  it('a CSV is not read into memory completely if a quote is never closed', async () => {
    let yielded = 0;
    function* generateLines() {
      yield 'id,city\n1,Salta\n2,"';
      for (; yielded < 100; yielded += 1) yield `${'x'.repeat(1023)}\n`.repeat(1024);
    }
    const { errors } = await readSheet(generateLines());
    expect(errors).toEqual([`3 ${texts.strayQuote.en}`]);
    expect(yielded).toBeLessThan(12);
  });
});

const TEXT = 'Factura;city\r\n9001;Según lo acordado, ñandú €\r\n';
const latin1 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');

describe('the encoding of a CSV', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
    ['Windows-1252', latin1(TEXT)],
  ])('the encoding of a CSV is detected and reported: %s', async (encoding, bytes) => {
    const { format, rows } = await readSheet(bytes);
    expect(format[0]).toMatch(`Read as ${encoding},`);
    expect(rows).toMatchObject([{ id: '9001', city: 'Según lo acordado, ñandú €' }]);
  });

  const halfAPair = Buffer.concat([Buffer.from('\ufeffid;city\n1;x\n2;', 'utf16le'), Buffer.from([0x3d, 0xd8])]);
  it.each([
    ['UTF-8', Buffer.concat([Buffer.from('id;city\n1;ñ\n2;'), latin1('ñ')])],
    ['UTF-16', halfAPair],
  ] as const)('a cell that is not in the detected %s is rejected', async (encoding, bytes) => {
    expect((await readSheet(bytes, { sample: 1 })).errors).toEqual([`3 city ${texts.otherBytes(encoding).en}`]);
  });

  it('the encoding is Windows-1252 even if the only accent is the last byte of the file', async () => {
    expect((await readSheet(latin1('id;city\n1;Bogotá'))).rows).toMatchObject([{ city: 'Bogotá' }]);
  });

  const firstMiB = 'ñ'.repeat(2 ** 20);
  it.each([
    ['Windows-1252', latin1(firstMiB), Buffer.from('Lucía')],
    ['UTF-8', Buffer.from(firstMiB), latin1('Lucía')],
  ])('a cell of another encoding after the first MiB of %s is rejected', async (encoding, first, other) => {
    const { errors } = await readSheet([Buffer.from('id;city\n1;'), first, Buffer.from('\n2;'), other]);
    expect(errors).toEqual([`3 city ${texts.otherBytes(encoding).en}`]);
  });

  it('the encoding of a CSV can be given by an option', async () => {
    const { rows } = await readSheet(latin1('id;city\n1;\u00a4\n'), { encoding: 'Windows-1252' });
    expect(rows).toMatchObject([{ city: '\u00a4' }]);
  });

  it.each([
    ['MS-DOS', 'Pe\u00a4a'],
    ['Macintosh', '\u008e'],
    ['a byte that Windows-1252 does not define', '\u0081'],
  ])('a CSV that is neither UTF-8 nor Windows-1252 is rejected with the line: %s', async (_, city) => {
    const file = Buffer.from(`id;city\n1;${city}`, 'latin1');
    await expect(readSheet(file)).rejects.toThrow(texts.unknownEncoding(2).en);
  });

  it('a NUL character in a CSV is an error', async () => {
    expect((await readSheet('id;city\n1;a\0\n')).errors).toEqual([`2 city ${texts.nulCharacter.en}`]);
    await expect(readSheet(Buffer.from('id;city\n', 'utf16le'))).rejects.toThrow(
      'Invalid heading: has a NUL character',
    );
  });
});
