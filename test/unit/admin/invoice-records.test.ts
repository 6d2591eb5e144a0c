import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../lib/admin/find-faults.ts';
import { type Format, readRecords } from '../../../lib/admin/import/read-records.ts';
import { InputError, type SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { recordSchema, REQUIRED_OF_NEW } from '../../../lib/admin/import/record-schema.ts';

async function read(format: Format, ...chunks: (string | Buffer)[]): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for await (const record of readRecords(Readable.from(chunks), format)) records.push(record);
  return records;
}

/** The records up to where the reading breaks off, and the sentence that says why. */
async function readUntilBroken(text: string, fromLine = 1) {
  const lines: number[] = [];
  try {
    for await (const { line } of readRecords(Readable.from([text]), 'csv', { fromLine })) lines.push(line);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { lines, line: error.line, message: error.message };
  }
  return { lines };
}

// A header with all that must be in it; a row ends with these cells left empty.
const HEADER = 'invoice_id,city,supplier_id,service_id,system_amount';
const EMPTY = ',,,';

const findFaults = compileSchema(recordSchema);
const faultsOf = (overrides: object) =>
  findFaults({ invoice_id: '1', supplier_id: '10', service_id: '5', system_amount: '100', ...overrides }, '');

describe('NDJSON', () => {
  it('is read line by line, with the digits of its amounts, without empty lines, and a line that is no JSON as a text', async () => {
    const first = '{"system_amount":123456789012.123456,"x":1}';
    const records = await read('ndjson', `\uFEFF${first}\r\n\n`, '{"system_amount":', '1.50}\n{"a":\n{}');
    expect(records).toEqual([
      { line: 1, source: first, value: { system_amount: '123456789012.123456', x: 1 } },
      { line: 3, source: '{"system_amount":1.50}', value: { system_amount: '1.50' } },
      { line: 4, source: '"{\\"a\\":"', fault: 'record: is not valid JSON' },
      { line: 5, source: '{}', value: {} },
    ]);
  });

  it('has U+2028 and U+2029 in its texts, and no line ends there', async () => {
    const records = await read('ndjson', '{"city":"a\u2028b"}\n{"city":"\u2029"}\n\n{"city":"a\u0085b\u000bc"}\n{}');
    expect(records).toMatchObject([
      { line: 1, value: { city: 'a\u2028b' } },
      { line: 2, value: { city: '\u2029' } },
      { line: 4, fault: 'record: is not valid JSON' },
      { line: 5, value: {} },
    ]);
  });

  it('is read whole when its last line has no end, wherever the chunks are cut', async () => {
    const bytes = Buffer.from('\uFEFF{"city":"Córdoba €\ufffd😀"}\r\n\r\n{"city":"Salta"}');
    const [first, last] = ['{"city":"Córdoba €\ufffd😀"}', '{"city":"Salta"}'];
    for (let size = 1; size <= bytes.length; size++) {
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      expect(await read('ndjson', ...starts.map((at) => bytes.subarray(at, at + size)))).toEqual([
        { line: 1, source: first, value: { city: 'Córdoba €\ufffd😀' } },
        { line: 3, source: last, value: { city: 'Salta' } },
      ]);
    }
  });

  it('has a line that is larger than any record rejected, with its beginning, and goes on', async () => {
    const megabytes = Array.from({ length: 9 }, () => 'x'.repeat(1024 * 1024));
    const source = JSON.stringify(`{"city":"${'x'.repeat(991)}`);
    expect(await read('ndjson', '{"city":"', ...megabytes, '"}\n', '{}')).toMatchObject([
      { line: 1, source, fault: 'record: has over 8388608 bytes, of which this is the beginning' },
      { line: 2, value: {} },
    ]);
  });
});

describe('bytes that are no UTF-8', () => {
  it.each([
    ['a Latin-1 letter', Buffer.from([0xe9]), 'E9'],
    ['a cut character', Buffer.from([0xe2, 0x82]), 'E2'],
    ['an overlong form', Buffer.from([0xc0, 0xaf]), 'C0'],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), 'ED'],
    ['U+FFFD cut short', Buffer.from([0xef, 0xbf]), 'EF'],
  ])('reject the record: %s', async (_, bad, byte) => {
    const [before, after] = [Buffer.from('{}\n{"city":"ñ\ufffd€😀'), Buffer.from('x"}\n{}')];
    const records = await read('ndjson', Buffer.concat([before, bad, after]));
    expect(records).toMatchObject([
      { line: 1, value: {} },
      { line: 2, fault: `record: is not UTF-8: byte 0x${byte} at line 2, column 14 (in characters)` },
      { line: 3, value: {} },
    ]);
    expect(JSON.parse(records[1]!.source)).toMatch(/^\{"city":"ñ\ufffd€😀\ufffd+x"\}$/);
  });

  it('are found behind a byte order mark, which is no character of the line', async () => {
    expect(await read('ndjson', Buffer.from('\u00ef\u00bb\u00bf{"é":1}', 'latin1'))).toMatchObject([
      { fault: 'record: is not UTF-8: byte 0xE9 at line 1, column 3 (in characters)' },
    ]);
  });

  it('are told apart from a whole file in UTF-16', async () => {
    const text = Buffer.from('\uFEFF{"invoice_id":"1"}\n', 'utf16le');
    const sentence = 'The file is in UTF-16: save it in UTF-8.';
    await expect(read('ndjson', text)).rejects.toThrow(sentence);
    await expect(read('ndjson', Buffer.from(text).swap16())).rejects.toThrow(sentence);
  });
});

describe('CSV', () => {
  it('is read by its header: texts, and concepts as JSON with the digits of their amounts', async () => {
    const header = '\uFEFFinvoice_id,supplier_id,service_id,system_amount,concepts';
    const records = await read('csv', `${header}\r\n1,10,5,123456789012.123456,"[{""unit_amount"":1.10}]"\r\n`);
    const amounts = { system_amount: '123456789012.123456', concepts: [{ unit_amount: '1.10' }] };
    const value = { invoice_id: '1', supplier_id: '10', service_id: '5', ...amounts };
    expect(records).toEqual([{ line: 2, source: JSON.stringify(value), value, faults: [] }]);
  });

  it('has nothing where a cell is empty, and null where it holds the word null, also quoted', async () => {
    const header = 'supplier_id,city,system_amount,invoice_date,concepts,invoice_id';
    const records = await read('csv', `${header}\n1,,,,,\n1,null,null,"null",null,NULL\n`);
    const cleared = { city: null, system_amount: null, invoice_date: null, concepts: null };
    expect(records).toMatchObject([{ source: '{"supplier_id":"1"}' }, { value: { ...cleared, invoice_id: 'NULL' } }]);
  });

  it('finds fault with a row of the wrong width or with concepts that are no JSON, and goes on', async () => {
    const header = HEADER.replace('city', 'concepts');
    const records = await read('csv', `${header}\n1\n2,[${EMPTY}\n3,[]${EMPTY}\n`);
    expect(records).toMatchObject([
      { line: 2, fault: 'record: has 1 columns, and the first line 5' },
      { line: 3, fault: 'concepts: is not valid JSON' },
      { line: 4, value: { invoice_id: '3', concepts: [] } },
    ]);
  });

  it('is not read when its first line is no header, and says what every file must have', async () => {
    expect(await readUntilBroken('city;city;Moneda\n1;Salta;ARS\n')).toEqual({
      lines: [],
      line: 1,
      message:
        'These columns are not known: "Moneda". Map each with --map. ' +
        'More than one column may be city: "city", "city". Choose one with --map. ' +
        'The first line lacks invoice_id, supplier_id. Which column is it? Say so with --map. ' +
        'Every file must have invoice_id, supplier_id; new invoices need service_id, system_amount, too.',
    });
  });

  it('is read up to a broken quote, whose line can be gone on from once it is mended', async () => {
    const head = [HEADER, '1,"San', `Juan"${EMPTY}`, '', `2,Salta${EMPTY}`];
    const tail = ['4,"a', `b"${EMPTY}`, `5,Salta${EMPTY}`, ''];
    expect(await readUntilBroken([...head, '3,"Mendoza"x', ...tail].join('\n'))).toEqual({
      lines: [3, 5],
      line: 6,
      message: expect.stringMatching(/^Line 6 is no CSV: a quote stands within a cell/),
    });
    const mended = [...head, `3,Mendoza${EMPTY}`, ...tail].join('\n');
    expect(await readUntilBroken(mended)).toEqual({ lines: [3, 5, 6, 8, 9] });
    expect(await readUntilBroken(mended, 6)).toEqual({ lines: [6, 8, 9] });
  });
});

describe('an invoice record', () => {
  it('needs its ids', () => {
    expect(findFaults({}, '')).toEqual(['invoice_id: is required', 'supplier_id: is required']);
    expect(findFaults({ invoice_id: '1', supplier_id: '10' }, '')).toEqual([]);
    expect(findFaults(7, '')).toEqual(['record: must be an object']);
  });

  it('may hold what the service computes, and null for what is optional', () => {
    const required: readonly string[] = [...recordSchema.required, ...REQUIRED_OF_NEW];
    const optional = Object.keys(recordSchema.properties).filter((name) => !required.includes(name));
    expect(faultsOf(Object.fromEntries(optional.map((name) => [name, null])))).toEqual([]);
    expect(faultsOf({ state_name: 'Pendiente', difference: 1.5, difference_pct: 2 })).toEqual([]);
  });

  const files = 'https://files.example';
  const ofAmounts = (amounts: readonly unknown[]) => amounts.map((amount) => ({ system_amount: amount }));
  const ofFiles = (urls: readonly unknown[]) => urls.map((url) => ({ attachment_url: url }));
  it.each([
    ...ofAmounts(['0', '0.000001', '1e3', '999999999999.99', '12.500000000', '1128.1100000000001']),
    ...ofFiles([`${files}/A-0001.pdf?v=1#page`, 'http://files.example:8080/a b.pdf', 'HTTPS://FILES.EXAMPLE']),
    ...ofFiles(['https://ficheros.example/año/factura.pdf', null]),
  ])('may hold %j', (overrides) => {
    expect(faultsOf(overrides)).toEqual([]);
  });

  // A portal would make a link of an attachment.
  it.each([
    ...ofFiles(['javascript:alert(1)', 'JavaScript://files.example/%0aalert(1)', 'java\nscript:alert(1)']),
    ...ofFiles(['data:text/html,<script>alert(1)</script>', 'file:///etc/passwd', 'ftp://files.example/a.pdf']),
    ...ofFiles(['//files.example/a.pdf', 'https:files.example/a.pdf', 'https://', `${files}/a\u001b[2J.pdf`]),
    ...ofFiles([`${files}/\ud83d`, ` ${files}/a.pdf`, `${files}/${'a'.repeat(1000)}`, '', 5]),
  ])('is faulty with %j', (overrides) => {
    const fault = 'attachment_url: must be an http or https address of at most 1000 characters';
    expect(faultsOf(overrides)).toEqual([fault]);
  });

  const noAmount = 'system_amount: must be a number from 0 to 999999999999.99';
  it.each<[object, string]>([
    ...ofAmounts(['', '-1', '-0', '1,5', '0x10', '1000000000000', '1e99', 'NaN', null, 5]).map(
      (amount): [object, string] => [amount, noAmount],
    ),
    [{ invoice_id: 'A1' }, 'invoice_id: must be a string of 1 to 20 digits'],
    [{ supplier_id: 10 }, 'supplier_id: must be a string of 1 to 20 digits'],
    [{ service_id: null }, 'service_id: must be a string of 1 to 20 digits'],
    [{ invoice_date: '2026-02-30' }, 'invoice_date: must be an ISO 8601 date or date-time'],
    [{ service_call_date: '01/02/2026' }, 'service_call_date: must be an ISO 8601 date or date-time'],
    [{ state_code: 'NON' }, 'state_code: must be one of PEN, ENV, APR, REV, REC, AJU, LIQ'],
    [{ declared_notes: 'x'.repeat(2001) }, 'declared_notes: must be a text of at most 2000 characters'],
    [{ provider_invoice_number: 'x'.repeat(61) }, 'provider_invoice_number: must be a text of at most 60 characters'],
    [{ declared_amount: '-0.01' }, 'declared_amount: must be a number from 0 to 999999999999.99'],
    [{ acount_name: 'x' }, 'acount_name: is not a known property'],
    [{ concepts: {} }, 'concepts: must be a list'],
  ])('is faulty with %j', (overrides, fault) => {
    expect(faultsOf(overrides)).toEqual([fault]);
  });

  it('has the faults of its concepts named with their places', () => {
    const concept = { concept_id: '1', description: 'x', unit_amount: '-5', quantity: '1', tax_pct: '21', total: '-5' };
    expect(faultsOf({ concepts: [concept, { ...concept, tax_pct: '101', total: 'x' }] })).toEqual([
      'concepts[1].tax_pct: must be a number from 0 to 100',
      'concepts[1].total: must be a number up to 999999999999.99',
    ]);
  });
});
