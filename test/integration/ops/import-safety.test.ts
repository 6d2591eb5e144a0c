import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { declareAlone } from '../../support/data/declare-one.ts';
import {
  rightCounters,
  storedInvoices,
  storedRevisions,
  storedStateChanges,
} from '../../support/data/stored-invoices.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = usePortal();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = (await portal.newCaller()).account);
  rmSync(join(directory, 'rejects'), { force: true });
});

type Fields = Readonly<Record<string, unknown>>;

const toLines = (records: readonly Fields[]) =>
  records
    .map((fields) => ({ supplier_id: scope.supplierId, service_id: '5', system_amount: 100, ...fields }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

/** Imports records from a file, or a text from standard input. */
async function importAll(records: readonly Fields[] | string, ...options: string[]) {
  const isText = typeof records === 'string';
  if (!isText) writeFileSync(join(directory, 'some.ndjson'), toLines(records));
  const file = isText ? '-' : 'some.ndjson';
  const args = ['import-invoices', file, '--tenant', scope.tenant, '--local', '--rejects', 'rejects', ...options];
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint };
  return runCli(args, { env, input: isText ? records : '' });
}

/** Reads the line and the errors of each rejected record. */
function readRejects() {
  const entries = readFileSync(join(directory, 'rejects'), 'utf8').trimEnd().split('\n');
  return entries.map((entry) => {
    const { line, reasons } = JSON.parse(entry) as { line: number; reasons: string[] };
    return [line, ...reasons];
  });
}

const readStored = () => storedInvoices(portal.engine, scope);
const createMany = (count: number) => Array.from({ length: count }, (_, index) => ({ invoice_id: `${1000 + index}` }));
const declare = (request: DeclarationRequest) => declareAlone(portal.engine, scope, request, { userId: '77' });

describe('an import', () => {
  it('stores every field of an invoice under its name, with its zone, and a second run writes nothing', async () => {
    const concept = { concept_id: '1', description: 'Tow', unit_amount: 1.1, quantity: 2, tax_pct: 21, total: 2.662 };
    const fields = {
      ...{ service_id: '5', service_number: 'S-1', account_name: 'Córdoba', city: 'Salta', state_code: 'ENV' },
      ...{ invoice_date: '2026-06-10', service_call_date: '2026-06-09T10:00:00Z', concepts: [concept] },
      ...{ system_amount: 1234.5678, attachment_url: 'https://x.example/a.pdf', attachment_filename: 'a.pdf' },
    };
    const records = [{ ...fields, invoice_id: '7', state_name: 'ignored' }];
    const zone = ['--zone', '-03:00'];
    expect((await importAll(records, ...zone)).stdout).toBe('1 created, 0 changed, 0 unchanged, 0 rejected\n');
    const stored = await readStored();
    const dates = { invoice_date: '2026-06-10T00:00:00-03:00', sort_date: '2026-06-10T03:00:00.000Z' };
    expect(stored.get('7')).toMatchObject({ ...fields, ...dates, version: 1 });
    expect((await importAll(records, ...zone)).stdout).toBe('0 created, 0 changed, 1 unchanged, 0 rejected\n');
    expect(await readStored()).toEqual(stored);
  });

  it('leaves the day counters correct while others import the same invoices with other states', async () => {
    const records = createMany(60).map((record, index) => ({
      ...record,
      invoice_date: `2026-0${1 + (index % 6)}-${10 + (index % 7)}`,
    }));
    const runs = await Promise.all(
      ['PEN', 'REC', 'APR'].map((state_code) => {
        const text = toLines(records.map((record) => ({ ...record, state_code })));
        return importAll(text, '--rejects', `${state_code}.rejects`);
      }),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    const counters = Object.values(await rightCounters(portal.engine, scope));
    expect(counters.reduce((sum, count) => sum + count, 0)).toBe(60);
  });

  it('rejects an invoice that leaves no space for the largest declaration, and no other', async () => {
    const line = { concept_id: '1', description: 'x'.repeat(1000), unit_amount: 1, quantity: 1, tax_pct: 0, total: 1 };
    const createSized = (id: number, characters: number) => {
      const full = Array.from({ length: Math.floor(characters / 1000) }, () => line);
      const rest = { ...line, description: 'x'.repeat(characters % 1000) };
      return { invoice_id: `${id}`, invoice_date: '2026-06-10T10:00:00Z', concepts: [...full, rest] };
    };
    // The table would accept the larger record, but not its declaration.
    const sizes = [1, 384_000, 364_000, 1];
    const { stdout } = await importAll(sizes.map((size, index) => createSized(1 + index, size)));
    expect(stdout).toMatch(/^3 created, 0 changed, 0 unchanged, 1 rejected\n/);
    const error = expect.stringMatching(/^record: is 4\d{5} bytes with .*; the maximum is 409600 bytes$/);
    expect(readRejects()).toEqual([[2, error]]);
    const invoiceNumber = '\u{16d6a}'.repeat(60);
    await declare({
      ...{ invoiceId: '3', amount: 999999999998.9999, notes: '\u{1f600}'.repeat(2000), taxPct: 99.999999 },
      ...{ invoiceNumber, invoiceDate: '2026-01-01T00:00:00.123456789+00:00' },
    });
    expect((await readStored()).get('3')).toMatchObject({ version: 2, provider_invoice_number: invoiceNumber });
  });

  it('follows the declarations of other systems until the supplier declares in this service', async () => {
    for (const declared_amount of [110, 120]) await importAll([{ invoice_id: '1', declared_amount }]);
    await declare({ invoiceId: '1', amount: 130 });
    await importAll([{ invoice_id: '1', declared_amount: 140 }]);
    const history = await storedRevisions(portal.engine, scope, '1');
    expect(history.map((revision) => [revision['declared_by'], revision['declared_amount']])).toEqual([
      ['import', 110],
      ['import', 120],
      ['77', 130],
    ]);
  });
});

it('an import ignores the states of invoices that the supplier has declared, counts them, and lists the first 20', async () => {
  const records = createMany(21);
  await importAll(records);
  for (const { invoice_id: invoiceId } of records) await declare({ invoiceId, amount: 105 });
  // The batch before contains a thousand invalid records and some of the states.
  const moved = records.map((record) => ({ ...record, state_code: 'LIQ' }));
  const invalid = Array.from({ length: 990 }, () => ({ invoice_id: 'x' }));
  const { stdout } = await importAll([...invalid, ...moved], '--dry-run');
  expect(stdout).toContain('21 states ignored, because the supplier has declared (1000: LIQ, stays REV; ');
  expect(stdout).toContain('; 1019: LIQ, stays REV; …). To change them, run decide.\n');
  const { stdout: json } = await importAll(moved.slice(0, 1), '--json');
  expect(JSON.parse(json)).toMatchObject({
    unchanged: 1,
    states_not_taken_over: {
      count: 1,
      first: [{ supplier_id: scope.supplierId, invoice_id: '1000', state_code: 'LIQ', stays: 'REV' }],
    },
  });
});

it('records of one invoice are rejected if they differ and imported once if they are equal, far apart', async () => {
  const between = Array.from({ length: 1000 }, () => ({ invoice_id: 'x' }));
  const [one, two] = [{ invoice_id: '1' }, { invoice_id: '2' }];
  const { code, stdout } = await importAll(toLines([one, two, ...between, { ...one, city: 'Salta' }, two, two]));
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^1 created, .* 1002 rejected\n2 repetitions of equal records skipped\n/),
  ]);
  const different = 'invoice_id: the file contains this invoice with different values in lines 1, 1003';
  expect([readRejects().at(0), readRejects().at(-1)]).toEqual([
    [1, different],
    [1003, different],
  ]);
  expect([...(await readStored()).keys()]).toEqual(['2']);
});

it('an id that differs from a stored id only in leading zeros is rejected, unless --allow-zeros is present', async () => {
  await importAll([{ invoice_id: '0080101' }, { invoice_id: '7' }]);
  const others = [{ invoice_id: '80101' }, { invoice_id: '00000000000000000007' }, { invoice_id: '8' }];
  expect((await importAll(others)).stdout).toMatch(/^1 created, 0 changed, 0 unchanged, 2 rejected\n/);
  const hint = 'leading zeros may have been removed; to accept both ids, pass --allow-zeros';
  expect(readRejects()).toEqual([
    [1, `invoice_id: the supplier already has 0080101: ${hint}`],
    [2, `invoice_id: the supplier already has 7: ${hint}`],
  ]);
  expect((await importAll(others, '--allow-zeros')).stdout).toMatch(/^2 created, 0 changed, 1 unchanged, 0 rejected/);
  // An id that is stored exactly like this is no longer new.
  expect((await importAll(others)).stdout).toMatch(/^0 created, 0 changed, 3 unchanged, 0 rejected/);
});

describe('control totals', () => {
  const records = [
    { invoice_id: '1', system_amount: 0.1 },
    { invoice_id: '2', system_amount: 0.2 },
    { system_amount: 5 },
  ];

  it.each([
    [['--expect-records', '4'], '--expect-records: expected 4, but the file has 3 records.'],
    [['--expect-total', '5.31'], '--expect-total: expected 5.31, but system_amount adds up to 5.3.'],
  ])('%j that the file does not have end with 2, and nothing is written', async (options, message) => {
    writeFileSync(join(directory, 'rejects'), 'earlier\n');
    const expected = { code: 2, stdout: '', stderr: `${message}\nNothing was imported.\n` };
    expect(await importAll(records, ...options)).toEqual(expected);
    expect(await importAll(records, ...options, '--dry-run')).toEqual(expected);
    expect((await readStored()).size).toBe(0);
    expect(readFileSync(join(directory, 'rejects'), 'utf8')).toBe('earlier\n');
  });

  it('of a file that cannot be read to its end end with 2, and nothing is written', async () => {
    const csv = `invoice_id,supplier_id,service_id,system_amount\n1,${scope.supplierId},5,1\n2,"`;
    const { code, stderr } = await importAll(csv, '--format', 'csv', '--expect-records', '1');
    const error = expect.stringMatching(/is never closed\. The control totals need the whole file/);
    expect([code, stderr]).toEqual([2, error]);
    expect((await readStored()).size).toBe(0);
  });
});

it.each([
  ['without a line end', '', true],
  ['with a line end of Windows', '\r\n', false],
])('a CSV whose last line is %s has a warning that it may be cut off: %j, %s', async (_, end, isWarned) => {
  const csv = `invoice_id,supplier_id,service_id,system_amount\n1,${scope.supplierId},5,105${end}`;
  const { code, stdout, stderr } = await importAll(csv, '--format', 'csv', '--json');
  expect([code, JSON.parse(stdout).may_be_cut_off]).toEqual([0, isWarned || undefined]);
  expect(stderr.includes('Warning: the last line has no line end. The file may be cut off')).toBe(isWarned);
});

describe('a declared, approved or settled invoice', () => {
  const changed = [
    { invoice_id: '1', system_amount: 120, state_code: 'LIQ' },
    { invoice_id: '2', system_amount: 90.5 },
    { invoice_id: '3', state_code: 'PEN' },
    { invoice_id: '4', system_amount: 101 },
  ];

  beforeEach(async () => {
    const states = ['PEN', 'APR', 'LIQ', 'PEN'];
    await importAll(states.map((state_code, index) => ({ invoice_id: `${index + 1}`, state_code })));
    await declare({ invoiceId: '1', amount: 105 });
  });

  it('is changed with --force, keeps its declaration and state, and its history has the author and the reason', async () => {
    const { code, stdout } = await importAll(changed, '--force', '--reason', 'Corrected', '--by', 'carol');
    const ignoredState =
      '1 state ignored, because the supplier has declared (1: LIQ, stays REV). To change them, run decide.\n';
    expect([code, stdout]).toEqual([
      0,
      '0 created, 4 changed, 0 unchanged, 0 rejected\n' +
        '3 system amounts changed: 300 → 311.5 in total (net +11.5, absolute 30.5)\n' +
        ignoredState,
    ]);
    const stored = await readStored();
    expect(stored.get('1')).toMatchObject({ system_amount: 120, declared_amount: 105, state_code: 'REV', version: 3 });
    expect(stored.get('3')).toMatchObject({ state_code: 'PEN' });
    await rightCounters(portal.engine, scope);
    const by = { changed_by: `${userInfo().username} (carol)`, reason: 'Corrected' };
    const amounts = (from: number | null, to: number | null) => ({ from_system_amount: from, to_system_amount: to });
    const readChanges = (id: string) => storedStateChanges(portal.engine, scope, id);
    expect(await readChanges('1')).toMatchObject([{ from_state: 'REV', to_state: 'REV', ...amounts(100, 120), ...by }]);
    expect(await readChanges('3')).toMatchObject([
      { from_state: 'LIQ', to_state: 'PEN', ...amounts(null, null), ...by },
    ]);
    expect(await readChanges('4')).toEqual([]);
    const { stdout: history } = await runOps(portal.engine.endpoint, 'history', scope.tenant, '2');
    expect(history).toMatch(/ {2}system amount {2,}100 -> 90\.5 {2,}Corrected {2,}\S+ \(carol\)/);
    expect((await importAll(changed)).stdout).toBe(`0 created, 0 changed, 4 unchanged, 0 rejected\n${ignoredState}`);
  });

  it.each([
    [['--force'], '--force requires a reason. Pass --reason TEXT.\n'],
    [['--reason', 'x'], '--reason and --by require --force. Pass --force, too, or omit them.\n'],
    [['--force', '--reason', ' '], '--reason must not be blank.\n'],
  ])('is not imported with %j', async (options, stderr) => {
    expect(await importAll(changed, ...options)).toEqual({ code: 2, stdout: '', stderr });
    expect(existsSync(join(directory, 'rejects'))).toBe(false);
  });
});
