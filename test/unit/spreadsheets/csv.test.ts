import { describe, expect, it } from 'vitest';
import { MAX_RECORD_BYTES } from '../../../lib/spreadsheets/read-csv.ts';
import { texts } from '../../../lib/spreadsheets/spreadsheet-texts.ts';
import { readSheet, type Told } from '../../support/data/spreadsheets.ts';

describe('the separator of a CSV', () => {
  it.each([
    ['commas', 'commas', 'id,city\n1,Salta\n'],
    ['semicolons', 'semicolons', 'id;city\n1;Salta\n'],
    ['tabs', 'tabs', 'id\tcity\n1\tSalta\n'],
    ['commas, with line ends in quotes', 'commas', '"\nid;",city,"tax\r\n;"\r\n1,Salta,\r\n'],
    ['what sep= says', 'commas', 'sep=,\r\nid,city\r\n1,Salta\r\n'],
    ['what SEP= says, a tab, behind a mark', 'tabs', '\ufeffSEP=\t\nid\tcity\n1\tSalta\n'],
  ])('is found in the first line, and said: %s', async (_, named, text) => {
    const map: Told['map'] = text.startsWith('"\nid') ? [['id', 'id;']] : [];
    const { said, rows } = await readSheet(text, { map, leavesOutOthers: true });
    expect(said[0]).toBe(`Read as UTF-8, separated by ${named}.`);
    expect(rows).toMatchObject([{ id: '1', city: 'Salta' }]);
  });

  it('is what it is told to be', async () => {
    const told = await readSheet('id,"a;b"\n1,x\n', { separator: ',', leavesOutOthers: true });
    expect(told.rows).toMatchObject([{ id: '1' }]);
    const { faults } = await readSheet('id;x,city\n1;Salta\n', { separator: ',', map: [['id', 'id;x']] });
    expect(faults).toEqual(['2 - has 1 columns, and the header 2']);
  });

  it('cannot be another', async () => {
    await expect(readSheet('sep=|\nid|city\n')).rejects.toThrow(texts.unknownSeparator('|').en);
  });
});

describe('the lines of a CSV', () => {
  it.each(['\n', '\r\n', '\r'])('are counted, also within quotes, with the line end %j', async (end) => {
    const lines = ['', 'id;"city', 'x"', ';;', '1;"San', '', 'Juan"', '', ' 2 ;Salta', ''];
    const { rows } = await readSheet(lines.join(end), { trim: true, map: [['city', 'city x']] });
    expect(rows).toEqual([
      { line: 5, lastLine: 7, id: '1', city: `San${end}${end}Juan` },
      { line: 9, lastLine: 9, id: '2', city: 'Salta' },
    ]);
  });

  it('are the same wherever the chunks are cut', async () => {
    const bytes = Buffer.from('\ufeffid,city\r\n1,"Córdoba\r\n€😀"\r\n\r\n2,"a""b"\n3,Salta');
    const whole = await readSheet(bytes);
    expect(whole.rows).toHaveLength(3);
    for (let size = 1; size <= bytes.length; size++) {
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      expect(await readSheet(starts.map((at) => bytes.subarray(at, at + size)))).toEqual(whole);
    }
  });

  it('may lack empty cells at their end, as Excel leaves them out, but not between commas, nor the last one', async () => {
    const text = 'id;amount;city\n1;1,5\n2;2,5;a\n3;3\n';
    expect((await readSheet(text)).faults).toEqual([]);
    expect((await readSheet(text.trimEnd())).faults).toEqual(['4 - has 2 columns, and the header 3']);
    expect((await readSheet('id,amount,city\n1,1\n')).faults).toEqual(['2 - has 2 columns, and the header 3']);
  });

  it('have null where a cell holds that word, and nothing where it is empty', async () => {
    const { rows } = await readSheet('id,amount,city,date\n1,null,"null",\n', { nullWord: 'null' });
    expect(rows).toEqual([{ line: 2, lastLine: 2, id: '1', amount: null, city: null }]);
  });

  it.each([
    ['2,"open\n3,x\n', texts.openQuote],
    ['2,a"b\n3,x\n', texts.strayQuote],
    ['2,"a"b\r\n3,x\r\n', texts.strayQuote],
  ])('are read up to a broken quote, whose record is named: %j', async (rest, { en }) => {
    const { rows, faults } = await readSheet(`id,city\n1,"a\nb"\n${rest}`);
    expect([rows.map(({ id }) => id), faults]).toEqual([['1'], [`4 ${en}`]]);
  });

  it('are not all kept for want of a quote', async () => {
    let given = 0;
    function* endless() {
      yield 'id,city\n1,Salta\n2,"';
      for (; given < 100; given += 1) yield `${'x'.repeat(1023)}\n`.repeat(1024);
    }
    const { faults } = await readSheet(endless());
    expect(faults).toEqual([`3 has over ${MAX_RECORD_BYTES} bytes, or a quote in it is never closed`]);
    expect(given).toBeLessThan(12);
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
    ['Windows-1252', latin1('Factura;city\n1;Nº 9° ¿sí? À Ç Á')],
  ])('is found and said: %s', async (encoding, bytes) => {
    const { said, rows } = await readSheet(bytes);
    expect(said[0]).toMatch(`Read as ${encoding},`);
    if (bytes.length > 60) expect(rows).toMatchObject([{ id: '9001', city: 'Según lo acordado, ñandú €' }]);
  });

  const halfAPair = Buffer.concat([Buffer.from('\ufeffid;city\n1;x\n2;', 'utf16le'), Buffer.from([0x3d, 0xd8])]);
  it.each([
    ['UTF-8', Buffer.concat([Buffer.from('id;city\n1;ñ\n2;'), latin1('ñ')])],
    ['UTF-16', halfAPair],
  ] as const)('has the cell refused that is not in %s', async (encoding, bytes) => {
    expect((await readSheet(bytes)).faults).toEqual([`3 city ${texts.otherBytes(encoding).en}`]);
  });

  it('found by a sample is refused where a later line has another', async () => {
    const parts = [Buffer.from('id;city\n1;'), latin1('ñ\n'), Buffer.from('2;ñ\n')];
    const { faults } = await readSheet(Buffer.concat(parts), { sample: 1 });
    expect(faults).toEqual([`3 city ${texts.otherBytes('Windows-1252').en}`]);
    expect((await readSheet(Buffer.from(TEXT), { encoding: 'Windows-1252' })).faults).toHaveLength(1);
  });

  it.each([
    ['MS-DOS', 'Pe\u00a4a'],
    ['Macintosh', '\u008e'],
    ['no byte of Windows-1252', '\u0081'],
  ])('is refused with the line when it is none of these: %s', async (_, city) => {
    const file = Buffer.from(`id;city\n1;${city}`, 'latin1');
    await expect(readSheet(file)).rejects.toThrow(texts.unknownEncoding(2).en);
  });

  it('is none where NUL characters stand', async () => {
    expect((await readSheet('id;city\n1;a\0\n')).faults).toEqual([`2 city ${texts.nulCharacter.en}`]);
    await expect(readSheet(Buffer.from('id;city\n', 'utf16le'))).rejects.toThrow('A heading has a NUL character');
  });
});
