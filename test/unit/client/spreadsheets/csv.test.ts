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
  ['semicolons after a title with commas', 'semicolons', 'Lista, agosto, 2026\nid;city\n1;Salta\n'],
  ['commas after a title with semicolons and a tab', 'commas', 'Lista; agosto;\t2026\n"id","city"\n1,Salta\n'],
  ['the tab of SEP= after a BOM', 'tabs', '\ufeffSEP=\t\nid\tcity\n1\tSalta\n'],
])('the separator of a CSV is detected and reported: %s', async (_, separator, text, options) => {
  const { format, rows } = await readSheet(text, { ignoresOtherColumns: true, ...options });
  expect(format[0]).toMatch(`Read as UTF-8, separated by ${separator}`);
  expect(rows).toMatchObject([{ id: '1', city: 'Salta' }]);
});

describe('the records of a CSV', () => {
  it.each(['\n', '\r\n', '\r'])('a CSV record has the number of its first line, with the line end %j', async (end) => {
    const lines = ['', 'id;"city', 'x"', ';;', '1;"San', '', 'Juan"', '', ' 2 ;Salta', ''];
    const { rows } = await readSheet(lines.join(end), { map: [['city', 'city x']] });
    expect(rows).toEqual([
      { line: 5, id: '1', city: `San${end}${end}Juan` },
      { line: 9, id: '2', city: 'Salta' },
    ]);
  });

  it('the records of a CSV are equal wherever a chunk of the file ends', async () => {
    const header = Buffer.from('\ufeffid,city\r\n');
    const noFields = { fields: {}, required: [] };
    // The first chunk can end within the first character that is not ASCII.
    const bytes = Buffer.from('1,"Córdoba\r\n€😀"\r\n\r\n2,"a""b"\n3,Salta');
    const readChunks = async (...chunks: readonly Buffer[]) => {
      const { origin, sample, rest } = await openCsv(header, Readable.from(chunks), { ...noFields, sample: 1 });
      return { origin, rows: [...sample, ...(await Readable.from(rest).toArray())] };
    };
    const whole = await readChunks(bytes);
    expect(whole.rows).toHaveLength(4);
    for (let size = 1; size <= bytes.length; size++) {
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      expect(await readChunks(...starts.map((at) => bytes.subarray(at, at + size)))).toEqual(whole);
      const { origin } = await openCsv(Buffer.concat([header, bytes.subarray(0, size)]), Readable.from([]), noFields);
      expect(origin).toEqual(whole.origin);
    }
  });

  it('a CSV record can omit empty cells at its end, as in Excel, but not between commas or in the last line', async () => {
    const text = 'id;amount;city\n1;1,5\n2;2,5;a\n3;3\n';
    expect((await readSheet(text)).errors).toEqual([]);
    expect((await readSheet(text.trimEnd())).errors).toEqual(['4 - has 2 columns, but the header has 3']);
    expect((await readSheet('id,amount,city\n1,1\n')).errors).toEqual(['2 - has 2 columns, but the header has 3']);
  });

  it.each<[what: string, line: string, id: string, city: string | undefined]>([
    ['empty surplus cells', '1;Salta;;; ;', '1', 'Salta'],
    ['a quote within a cell', '1;disco de 15"', '1', 'disco de 15"'],
    ['quotes around a word of a cell', '1;el "Salta" y', '1', 'el "Salta" y'],
    ['blanks around cells', '  1 ;\t Salta  ', '1', 'Salta'],
    ['a text as a formula', '="0080101";="a ""b"', '0080101', 'a "b'],
    ['a quoted text as a formula', '"=""0080101""";Salta', '0080101', 'Salta'],
    ['an apostrophe before an id', `'0080101;'Salta`, '0080101', `'Salta`],
  ])('a CSV record is read with %s', async (_, line, id, city) => {
    const { rows, errors } = await readSheet(`id;city\n${line}\n`);
    expect([errors, rows.map((row) => [row.id, row.city])]).toEqual([[], [[id, city]]]);
  });

  it('a text as a formula that contains the separator is an error', async () => {
    expect((await readSheet('id;city;amount\n1;="a;b"\n')).errors[0]).toBe(`2 city ${texts.strayQuote.en}`);
  });

  it.each(['2,"open\n3,x\n', '2,"open\n3,"x"\n', '2,"a"b\r\n3,x\r\n', '2,"" x\n3,x\n'])(
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

  it('a cell of another encoding after the first MiB of UTF-8 is rejected', async () => {
    const { errors } = await readSheet([Buffer.from(`id;city\n1;${'ñ'.repeat(2 ** 20)}\n2;`), latin1('Lucía')]);
    expect(errors).toEqual([`3 city ${texts.otherBytes('UTF-8').en}`]);
  });

  it.each([
    ['Pe\xa4a S.A.', 'Pe¤a'], // CP850
    ['P\x90REZ', 'P\u0090REZ'], // CP850
    ['\x83', 'ƒ'], // Mac Roman
  ])('a CSV in another encoding is rejected with a word: %j', async (city, word) => {
    const file = Buffer.from(`id;city\n1;${city}\n`, 'latin1');
    await expect(readSheet(file)).rejects.toThrow(texts.unknownEncoding(2, word).en);
  });

  it.each(['ÁRBOL, Über, ça va, à la', 'José Núñez', 'garçon', 'Ñandú – Núñez', 'LIMITADA 5º PISO'])(
    'a CSV in Windows-1252 is read if its words are usual: %s',
    async (city) => {
      expect((await readSheet(latin1(`id;city\n1;${city.replace('–', '\x96')}\n`))).rows[0]?.city).toBe(city);
    },
  );

  it('a NUL character in a CSV is an error', async () => {
    expect((await readSheet('id;city\n1;a\0\n')).errors).toEqual([`2 city ${texts.nulCharacter.en}`]);
    await expect(readSheet(Buffer.from('id;city\n', 'utf16le'))).rejects.toThrow(
      'Invalid heading: has a NUL character',
    );
  });
});
