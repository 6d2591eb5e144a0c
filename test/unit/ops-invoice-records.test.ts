import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../infra/ops/find-faults.ts';
import { type Format, readRecords, type SourceRecord } from '../../infra/ops/import/read-records.ts';
import { recordSchema } from '../../infra/ops/import/record-schema.ts';

async function read(format: Format, ...chunks: (string | Buffer)[]): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for await (const record of readRecords(Readable.from(chunks), format)) records.push(record);
  return records;
}

const findFaults = compileSchema(recordSchema);
const faultsOf = (overrides: object) =>
  findFaults({ invoice_id: '1', supplier_id: '10', service_id: '5', system_amount: '100', ...overrides }, '');

describe('NDJSON', () => {
  it('is read line by line, with the digits of its amounts, and without empty lines', async () => {
    const records = await read(
      'ndjson',
      '\uFEFF{"system_amount":123456789012.123456,"x":1}\r\n\n',
      '{"system_amount":',
      '1.50}',
    );
    expect(records).toEqual([
      {
        line: 1,
        source: '{"system_amount":123456789012.123456,"x":1}',
        value: { system_amount: '123456789012.123456', x: 1 },
      },
      { line: 3, source: '{"system_amount":1.50}', value: { system_amount: '1.50' } },
    ]);
  });

  it('keeps a line that is no JSON as a text', async () => {
    expect(await read('ndjson', '{"a":\n{}')).toEqual([
      { line: 1, source: '"{\\"a\\":"', fault: 'record: is not valid JSON' },
      { line: 2, source: '{}', value: {} },
    ]);
  });

  it('keeps letters whole that arrive in two chunks', async () => {
    const bytes = Buffer.from('{"city":"Córdoba"}');
    const [record] = await read('ndjson', bytes.subarray(0, 11), bytes.subarray(11));
    expect(record).toMatchObject({ value: { city: 'Córdoba' } });
  });
});

describe('CSV', () => {
  it('is read by its header: texts, null for empty cells, and concepts as JSON with the digits of their amounts', async () => {
    const [record] = await read(
      'csv',
      '\uFEFFinvoice_id,system_amount,city,concepts\r\n1,123456789012.123456,,"[{""unit_amount"":1.10}]"\r\n',
    );
    expect(record).toMatchObject({
      line: 2,
      value: { invoice_id: '1', system_amount: '123456789012.123456', city: null, concepts: [{ unit_amount: '1.10' }] },
    });
  });

  it.each(['\n', '\r\n'])('counts each line end %j within quotes as one, in the header, too', async (end) => {
    const rows = ['invoice_id,"city', '"', '1,"San', '', 'Juan"', '2,Mendoza', '3,Salta'];
    const records = await read('csv', rows.join(end));
    expect(records.map(({ line }) => line)).toEqual([5, 6, 7]);
  });

  it('finds fault with a row of the wrong width or with concepts that are no JSON, and goes on', async () => {
    const records = await read('csv', 'invoice_id,concepts\n1\n2,[\n3,[]\n');
    expect(records).toMatchObject([
      { line: 2, fault: 'record: has 1 columns, and the header 2' },
      { line: 3, fault: 'concepts: is not valid JSON' },
      { line: 4, value: { invoice_id: '3', concepts: [] } },
    ]);
  });

  it('cannot be read past a quote that is out of place', async () => {
    await expect(read('csv', 'a,b\n1,"x"y\n2,z\n')).rejects.toThrow('The CSV cannot be read any further');
  });
});

describe('an invoice record', () => {
  it('needs its ids and the system amount', () => {
    expect(findFaults({}, '')).toEqual([
      'invoice_id: is required',
      'supplier_id: is required',
      'service_id: is required',
      'system_amount: is required',
    ]);
    expect(findFaults(7, '')).toEqual(['record: must be an object']);
  });

  it('may hold what the service computes, and null for what is optional', () => {
    const optional = Object.keys(recordSchema.properties).filter(
      (name) => !recordSchema.required.includes(name as never),
    );
    expect(faultsOf(Object.fromEntries(optional.map((name) => [name, null])))).toEqual([]);
    expect(faultsOf({ state_name: 'Pendiente', difference: 1.5, difference_pct: 2 })).toEqual([]);
  });

  it.each(['0', '0.000001', '1e3', '999999999999.99', '12.500000000', '1128.1100000000001'])(
    'may have the system amount %s',
    (amount) => {
      expect(faultsOf({ system_amount: amount })).toEqual([]);
    },
  );

  it.each(['', '-1', '-0', '1,5', '0x10', '1000000000000', '1e99', 'NaN', null, 5])(
    'may not have the system amount %j',
    (amount) => {
      expect(faultsOf({ system_amount: amount })).toEqual([
        'system_amount: must be a number from 0 to 999999999999.99',
      ]);
    },
  );

  it.each([
    [{ invoice_id: 'A1' }, 'invoice_id: must be a string of 1 to 20 digits'],
    [{ supplier_id: 10 }, 'supplier_id: must be a string of 1 to 20 digits'],
    [{ service_id: null }, 'service_id: must be a string of 1 to 20 digits'],
    [{ invoice_date: '2026-02-30' }, 'invoice_date: must be an ISO 8601 date or date-time'],
    [{ service_call_date: '01/02/2026' }, 'service_call_date: must be an ISO 8601 date or date-time'],
    [{ state_code: 'XXX' }, 'state_code: must be one of PEN, ENV, APR, REV, REC, AJU, LIQ'],
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
