import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { declareAlone } from '../../support/data/declare-one.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { rightCounters, storedInvoices, storedStateChanges } from '../../support/data/stored-invoices.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const directory = useDirectory();
const engine = useEngine();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = await seedAccount(engine));
  rmSync(join(directory, 'rejects'), { force: true });
});

type Fields = Readonly<Record<string, unknown>>;

const aRecord = (fields: Fields) => ({ supplier_id: scope.supplierId, service_id: '5', system_amount: 100, ...fields });
const lines = (records: readonly Fields[]) => records.map((record) => `${JSON.stringify(aRecord(record))}\n`).join('');

/** Imports records from a file of this test, or a text from standard input. */
async function importAll(records: readonly Fields[] | string, ...options: string[]) {
  const input = typeof records === 'string' ? records : lines(records);
  const file = typeof records === 'string' ? '-' : 'some.ndjson';
  if (file !== '-') writeFileSync(join(directory, file), input);
  const args = ['import-invoices', file, '--tenant', scope.tenant, '--local', '--rejects', 'rejects', ...options];
  return runCli(args, { env: { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint }, input });
}

/** The reasons in the file of rejected records, by line. */
function rejects() {
  const text = readFileSync(join(directory, 'rejects'), 'utf8');
  const entries = text.trimEnd().split('\n');
  return entries.map((entry) => {
    const { line, reasons } = JSON.parse(entry) as { line: number; reasons: string[] };
    return [line, ...reasons];
  });
}

const ids = async () => [...(await storedInvoices(engine, scope)).keys()];
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ invoice_id: `${1000 + index}` }));

describe('records of one file about the same invoice', () => {
  it.each(['a file', 'standard input'])(
    'are all rejected if they differ, also when a thousand others of %s are between them, and imported once if they are equal',
    async (source) => {
      const between = Array.from({ length: 1000 }, () => ({ invoice_id: 'x' }));
      const [one, two] = [{ invoice_id: '1' }, { invoice_id: '2' }];
      const records = [one, two, ...between, { ...one, city: 'Salta' }, two, two];
      const { code, stdout } = await importAll(source === 'a file' ? records : lines(records));
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/^1 created, .* 1002 rejected\n2 repetitions of equal records skipped\n/),
      ]);
      const different = 'invoice_id: the file contains this invoice with different values in lines 1, 1003';
      expect([rejects().at(0), rejects().at(-1)]).toEqual([
        [1, different],
        [1003, different],
      ]);
      expect(await ids()).toEqual(['2']);
    },
  );
});

it('a truncated document is an error although its last record repeats another one', async () => {
  const record = JSON.stringify(aRecord({ invoice_id: '1' }), null, 2).replaceAll(/^/gm, '    ');
  const { stdout } = await importAll(`{\n  "invoices": [\n${record},\n${record},\n`);
  expect(stdout).toMatch(/^1 created, 0 changed, 0 unchanged, 1 rejected\n1 repetition/);
});

describe('ids that differ only in leading zeros', () => {
  it('are rejected if one of them is stored, with the stored id, unless --allow-zeros accepts both', async () => {
    await importAll([{ invoice_id: '0080101' }, { invoice_id: '7' }, ...many(30)]);
    const others = [{ invoice_id: '80101' }, { invoice_id: '00000000000000000007' }, { invoice_id: '8' }];
    expect((await importAll(others)).stdout).toMatch(/^1 created, 0 changed, 0 unchanged, 2 rejected\n/);
    const hint = 'leading zeros may have been removed; to accept both ids, pass --allow-zeros';
    expect(rejects()).toEqual([
      [1, `invoice_id: the supplier already has 0080101: ${hint}`],
      [2, `invoice_id: the supplier already has 7: ${hint}`],
    ]);
    // The supplier has more than a few new ids: the ids with zeros are read together.
    const mixed = [...many(60).slice(30), { invoice_id: '80101' }, { invoice_id: '007' }];
    expect((await importAll(mixed)).stdout).toMatch(/^30 created, 0 changed, 0 unchanged, 2 rejected\n/);
    expect((await importAll(others, '--allow-zeros')).stdout).toMatch(/^2 created, 0 changed, 1 unchanged, 0 rejected/);
    // An id that is stored exactly like this is no longer new.
    expect((await importAll(others)).stdout).toMatch(/^0 created, 0 changed, 3 unchanged, 0 rejected/);
  });
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
  ])('%j that the file does not have end with 2 and write nothing', async (options, message) => {
    writeFileSync(join(directory, 'rejects'), 'earlier\n');
    const expected = { code: 2, stdout: '', stderr: `${message}\nNothing was imported.\n` };
    expect(await importAll(records, ...options)).toEqual(expected);
    expect(await importAll(records, ...options, '--dry-run')).toEqual(expected);
    expect(await ids()).toEqual([]);
    expect(readFileSync(join(directory, 'rejects'), 'utf8')).toBe('earlier\n');
  });

  it('of a file that breaks off end with 2 and write nothing', async () => {
    const csv = `invoice_id,supplier_id,service_id,system_amount\n1,${scope.supplierId},5,1\n2,"`;
    const { code, stderr } = await importAll(csv, '--format', 'csv', '--expect-records', '1');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/is never closed\. The control totals need the whole file/),
    ]);
    expect(await ids()).toEqual([]);
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

  const ignoredState =
    '1 state ignored, because the supplier has declared (1: LIQ, stays REV). To change them, run decide.\n';

  beforeEach(async () => {
    const states = ['PEN', 'APR', 'LIQ', 'PEN'];
    await importAll(states.map((state_code, index) => ({ invoice_id: `${index + 1}`, state_code })));
    await declareAlone(engine, scope, { invoiceId: '1', amount: 105 });
  });

  it('is changed with --force, which keeps the declaration and its state, and its history says who did so and why', async () => {
    const { code, stdout } = await importAll(changed, '--force', '--reason', 'Corrected', '--by', 'carol');
    expect([code, stdout]).toEqual([
      0,
      '0 created, 4 changed, 0 unchanged, 0 rejected\n' +
        '3 system amounts changed: 300 → 311.5 in total (net +11.5, absolute 30.5)\n' +
        ignoredState,
    ]);
    const stored = await storedInvoices(engine, scope);
    expect(stored.get('1')).toMatchObject({ system_amount: 120, declared_amount: 105, state_code: 'REV', version: 3 });
    expect(stored.get('3')).toMatchObject({ state_code: 'PEN' });
    await rightCounters(engine, scope);
    const by = { changed_by: `${userInfo().username} (carol)`, reason: 'Corrected' };
    const amounts = (from: number | null, to: number | null) => ({ from_system_amount: from, to_system_amount: to });
    expect(await storedStateChanges(engine, scope, '1')).toMatchObject([
      { from_state: 'REV', to_state: 'REV', ...amounts(100, 120), ...by },
    ]);
    expect(await storedStateChanges(engine, scope, '3')).toMatchObject([
      { from_state: 'LIQ', to_state: 'PEN', ...amounts(null, null), ...by },
    ]);
    expect(await storedStateChanges(engine, scope, '4')).toEqual([]);
    const { stdout: history } = await runOps(engine.endpoint, 'history', scope.tenant, '2');
    expect(history).toMatch(/ {2}system amount {2,}100 -> 90\.5 {2,}Corrected {2,}\S+ \(carol\)/);
    // The same file again changes nothing, also without force.
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
