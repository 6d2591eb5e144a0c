import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { compileSchema } from '../../../infra/ops/find-errors.ts';
import { type Format, readRecords } from '../../../lib/admin/import/read-records.ts';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { recordSchema, REQUIRED_ON_CREATE } from '../../../lib/admin/import/record-schema.ts';

const read = (format: Format, ...chunks: (string | Buffer)[]): Promise<SourceRecord[]> =>
  Readable.from(readRecords(Readable.from(chunks), format)).toArray();

const findErrors = compileSchema(recordSchema);
const faultsOf = (overrides: object) =>
  findErrors({ invoice_id: '1', supplier_id: '10', service_id: '5', system_amount: '100', ...overrides }, '');

describe('NDJSON', () => {
  it('is read line by line, with the digits of its amounts, without empty lines, and a line that is no JSON as a text', async () => {
    const first = '{"system_amount":123456789012.123456,"x":1}';
    const records = await read('ndjson', `\uFEFF${first}\r\n\n`, '{"system_amount":', '1.50}\n{"a":\n{}');
    expect(records).toEqual([
      { line: 1, source: first, value: { system_amount: '123456789012.123456', x: 1 } },
      { line: 3, source: '{"system_amount":1.50}', value: { system_amount: '1.50' } },
      { line: 4, source: '"{\\"a\\":"', error: 'record: is not valid JSON' },
      { line: 5, source: '{}', value: {} },
    ]);
  });

  it('has U+2028 and U+2029 in its texts, and no line ends there', async () => {
    const records = await read('ndjson', '{"city":"a\u2028b\u2029"}\n{}');
    expect(records).toMatchObject([
      { line: 1, value: { city: 'a\u2028b\u2029' } },
      { line: 2, value: {} },
    ]);
  });

  it('is read whole when its last line has no end, wherever the chunks are cut', async () => {
    const lines = ['{"city":"Córdoba €\ufffd😀"}', '{"city":"Salta"}'];
    const bytes = Buffer.from(`\uFEFF${lines.join('\r\n\r\n')}`);
    for (let size = 1; size <= bytes.length; size++) {
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      const records = await read('ndjson', ...starts.map((at) => bytes.subarray(at, at + size)));
      expect(records.map(({ line, source }) => [line, source])).toEqual([
        [1, lines[0]],
        [3, lines[1]],
      ]);
    }
  });

  it('has a line that is larger than any record rejected, with its beginning, and goes on', async () => {
    const error = 'record: has more than 8388608 bytes; only the first characters are shown';
    const source = JSON.stringify(`{"city":"${'x'.repeat(991)}`);
    const records = await read('ndjson', '{"city":"', ...Array<string>(9).fill('x'.repeat(1024 * 1024)), '"}\n', '{}');
    expect(records).toMatchObject([
      { source, error },
      { line: 2, value: {} },
    ]);
  });
});

it('a zone is added to the dates by which lists sort, and to nothing else', async () => {
  const dates = { invoice_date: '2026-08-31', service_call_date: '2026-08-31T22:30' };
  const others = { provider_invoice_date: '2026-08-31', city: '2026-08-31' };
  const lines = [{ ...dates, ...others }, { invoice_date: null, service_call_date: 5 }, [dates], 'x', null];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`);
  const records = readRecords(Readable.from(text), 'ndjson', { zone: '-03:00' });
  const values = (await Readable.from(records).toArray()).map(({ value }) => value);
  const zoned = { invoice_date: '2026-08-31T00:00:00-03:00', service_call_date: '2026-08-31T22:30-03:00' };
  expect(values).toEqual([{ ...zoned, ...others }, ...lines.slice(1)]);
});

describe('the document of list-invoices --json', () => {
  const document = (invoices: readonly object[]) =>
    `${JSON.stringify({ tenant: 't', invoices, totals: { count: 2 } }, null, 2)}\n`;
  const invoices = [
    { invoice_id: '1', concepts: [{ total: 1.5 }, {}] },
    { invoice_id: '2', declared_notes: '  },' },
  ];
  const noList = 'record: the JSON document has no list "invoices"; NDJSON has one record per line';

  it('is read as its invoices, each at its last line', async () => {
    for (const text of [document(invoices), document(invoices).replaceAll('\n', '\r\n')]) {
      expect(await read('ndjson', text)).toMatchObject([
        { line: 12, value: { invoice_id: '1', concepts: [{ total: '1.5' }, {}] } },
        { line: 16, value: invoices[1] },
      ]);
    }
    expect(await read('ndjson', document([]))).toEqual([]);
  });

  it.each([
    [
      'is cut off behind an invoice',
      'record: the document is truncated here',
      (text: string) => text.slice(0, text.indexOf('  ],')),
    ],
    [
      'is cut off within an invoice',
      'record: the document is truncated here',
      (text: string) => text.slice(0, text.indexOf('"declared')),
    ],
    [
      'is cut off behind its list',
      'record: the document is truncated here',
      (text: string) => text.slice(0, text.indexOf('"count"')),
    ],
    ['is another document', noList, (text: string) => text.replace('"invoices"', '"declarations"')],
    ['has an invoice that is no object', 'record: is not valid JSON', (text: string) => text.replace('[', '[\n    x,')],
  ])('is rejected if it %s', async (_, error, change) => {
    const records = await read('ndjson', change(document(invoices)));
    expect(records.flatMap((record) => ('error' in record ? record.error : []))).toEqual([error]);
  });
});

describe('bytes that are no UTF-8', () => {
  it.each([
    ['a Latin-1 letter', Buffer.from([0xe9]), 'E9'],
    ['a cut character', Buffer.from([0xe2, 0x82]), 'E2'],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), 'ED'],
  ])('reject the record: %s', async (_, bad, byte) => {
    for (const mark of ['', '\ufeff']) {
      const [before, after] = [Buffer.from(`${mark}{"city":"ñ\ufffd€😀`), Buffer.from('x"}\n{}')];
      const records = await read('ndjson', Buffer.concat([before, bad, after]));
      const error = `record: is not UTF-8: byte 0x${byte} at line 1, column 14 (in characters)`;
      expect(records).toMatchObject([{ error }, { line: 2, value: {} }]);
      expect(JSON.parse(records[0]!.source)).toMatch(/^\{"city":"ñ\ufffd€😀\ufffd+x"\}$/);
    }
  });

  it('are told apart from a whole file in UTF-16', async () => {
    const text = Buffer.from('\uFEFF{"invoice_id":"1"}\n', 'utf16le');
    const sentence = 'The file is in UTF-16: save it in UTF-8.';
    await expect(read('ndjson', text)).rejects.toThrow(sentence);
    await expect(read('ndjson', Buffer.from(text).swap16())).rejects.toThrow(sentence);
  });
});

describe('CSV', () => {
  const header = 'invoice_id,supplier_id,city,concepts,system_amount';

  it('is read by its header: texts, and concepts as JSON with the digits of their amounts', async () => {
    const records = await read('csv', `\uFEFF${header}\r\n1,10,,"[{""unit_amount"":1.10}]",123456789012.123456\r\n`);
    const amounts = { concepts: [{ unit_amount: '1.10' }], system_amount: '123456789012.123456' };
    const value = { invoice_id: '1', supplier_id: '10', ...amounts };
    expect(records).toEqual([{ line: 2, source: JSON.stringify(value), value, errors: [] }]);
  });

  it('has null where a cell holds the word null, also quoted, and finds error with concepts that are no JSON', async () => {
    const records = await read('csv', `${header}\n1,NULL,null,"null",null\n2,10,,[,\n3,10,,[],\n`);
    const cleared = { supplier_id: 'NULL', city: null, concepts: null, system_amount: null };
    const faulty = { line: 3, error: 'concepts: is not valid JSON' };
    expect(records).toMatchObject([{ value: cleared }, faulty, { line: 4, value: { concepts: [] } }]);
  });

  it('has the line on which it ends, also behind cells of several lines', async () => {
    const rows = ['1,10,"San', 'Juan",,', '', '2,10,Salta,,', '4,10,"a', 'b",,', '5,10,,,', ''];
    const input = Readable.from([[header, ...rows].join('\n')]);
    const records = await Readable.from(readRecords(input, 'csv')).toArray();
    expect(records).toMatchObject([{ line: 3 }, { line: 5 }, { line: 7 }, { line: 8 }]);
  });
});

describe('an invoice record', () => {
  it('needs its ids; it may hold what the service computes, and null for what is optional', () => {
    expect(findErrors({}, '')).toEqual(['invoice_id: is required', 'supplier_id: is required']);
    expect(findErrors({ invoice_id: '1', supplier_id: '10' }, '')).toEqual([]);
    expect(findErrors(7, '')).toEqual(['record: must be an object']);
    const required: readonly string[] = [...recordSchema.required, ...REQUIRED_ON_CREATE];
    const optional = Object.keys(recordSchema.properties).filter((name) => !required.includes(name));
    expect(faultsOf(Object.fromEntries(optional.map((name) => [name, null])))).toEqual([]);
    expect(faultsOf({ state_name: 'Pendiente', difference: 1.5, difference_pct: 2 })).toEqual([]);
  });

  const files = 'https://files.example';
  const ofAmounts = (amounts: readonly unknown[]) => amounts.map((amount) => ({ system_amount: amount }));
  const ofFiles = (urls: readonly unknown[]) => urls.map((url) => ({ attachment_url: url }));
  it.each([
    ...ofAmounts(['0', '0.000001', '1e3', '999999999999.99', '1128.1100000000001']),
    ...ofFiles([
      `${files}/A-0001.pdf?v=1#page`,
      'http://files.example:8080/a b.pdf',
      'HTTPS://FILES.EXAMPLE/año',
      null,
    ]),
  ])('may hold %j', (overrides) => {
    expect(faultsOf(overrides)).toEqual([]);
  });

  // A portal would make a link of an attachment.
  it.each([
    ...ofFiles(['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,<b>', 'ftp://files.example/a.pdf']),
    ...ofFiles(['//files.example/a.pdf', 'https:files.example/a.pdf', 'https://', `${files}/a\u001b[2J.pdf`]),
    ...ofFiles([`${files}/\ud83d`, ` ${files}/a.pdf`, `${files}/${'a'.repeat(1000)}`, '', 5]),
  ])('is faulty with %j', (overrides) => {
    const error = 'attachment_url: must be an http or https address of at most 1000 characters';
    expect(faultsOf(overrides)).toEqual([error]);
  });

  const noAmount = 'system_amount: must be a number from 0 to 999999999999.99';
  it.each<[object, string]>([
    ...ofAmounts(['', '-1', '-0', '1,5', '0x10', '1000000000000', '1e99', 'NaN', null, 5]).map(
      (amount): [object, string] => [amount, noAmount],
    ),
    [{ invoice_id: 'A1' }, 'invoice_id: must be a string of 1 to 20 digits'],
    [{ supplier_id: 10 }, 'supplier_id: must be a string of 1 to 20 digits'],
    [{ invoice_date: '2026-02-30' }, 'invoice_date: must be an ISO 8601 date or date-time'],
    [{ state_code: 'NON' }, 'state_code: must be one of PEN, ENV, APR, REV, REC, AJU, LIQ'],
    [
      { declared_notes: 'x'.repeat(LIMITS.notesLength + 1) },
      `declared_notes: must be a string of at most ${LIMITS.notesLength} characters`,
    ],
    [
      { provider_invoice_number: 'x'.repeat(LIMITS.invoiceNumberLength + 1) },
      `provider_invoice_number: must be a string of at most ${LIMITS.invoiceNumberLength} characters`,
    ],
    [{ city: 'a\ud800' }, 'city: must be a string of at most 1000 characters'],
    [{ acount_name: 'x' }, 'acount_name: is not a known property'],
    [{ concepts: {} }, 'concepts: must be a list'],
  ])('is faulty with %j', (overrides, error) => {
    expect(faultsOf(overrides)).toEqual([error]);
  });

  it('has the errors of its concepts named with their places', () => {
    const concept = { concept_id: '1', description: 'x', unit_amount: '-5', quantity: '1', tax_pct: '21', total: '-5' };
    expect(faultsOf({ concepts: [concept, { ...concept, tax_pct: '101', total: 'x' }] })).toEqual([
      'concepts[1].tax_pct: must be a number from 0 to 100',
      'concepts[1].total: must be a number up to 999999999999.99',
    ]);
  });
});
