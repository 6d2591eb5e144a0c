import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, it } from 'vitest';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;
beforeEach(async () => {
  company = await createOpsTenant(engine);
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '2' }]);
});

interface Change {
  readonly invoice_id: string;
  readonly kind: string;
  readonly changed_at: string;
  readonly fields: readonly { field: string; before: unknown; after: unknown }[];
}
async function readChanges(...args: string[]): Promise<Change[]> {
  const { changes } = await company.runJson<{ changes: Change[] }>('changes', ...SINCE_YESTERDAY, ...args);
  return changes;
}

/** Returns the fields of each change, such as `{ city: [null, 'Salta'] }`. */
const readFields = async (...args: string[]) =>
  (await readChanges(...args)).map(({ fields }) =>
    Object.fromEntries(fields.map(({ field, before, after }) => [field, [before, after]])),
  );

const concept = { concept_id: '1', description: 'Tow', unit_amount: 0.1, quantity: 2, tax_pct: 21, total: 0.242 };
const setState = (state: string) => company.run('set-state', '1', state, '--reason', 'Paid', '--by', 'Carol');

it('changes prints the values of each kind of change before and after', async () => {
  await company.importRecords([{ invoice_id: '1', city: 'Salta', concepts: [concept] }]);
  await company.importRecords([{ invoice_id: '1', system_amount: 1000.5 }]);
  await company.declare('1', 900);
  await setState('LIQ');
  await company.run('withdraw-invoice', '1', '--reason', 'Twice', '--revision', '1', '--force');
  await company.run('restore-invoice', '1', '--reason', 'Once');
  const changes = await readChanges();
  expect(changes.map(({ kind }) => kind)).toEqual([
    ...['fields', 'amount', 'declaration', 'state', 'withdrawal', 'restore'],
  ]);
  expect(await readFields()).toEqual([
    { city: [null, 'Salta'], concepts: [[], [concept]] },
    { system_amount: [1000, 1000.5] },
    { declared_amount: [null, 900], state_code: ['PEN', 'REV'] },
    { state_code: ['REV', 'LIQ'] },
    {},
    {},
  ]);
  const author = `${userInfo().username} (Carol)`;
  expect(changes[3]).toMatchObject({ version: 5, changed_by: author, reason: 'Paid', from_state: 'REV' });
  expect(changes[2]).toMatchObject({ changed_by: '7', request_id: 'r', declaration: { revision: 1 } });
});

it('a new value that a later change has replaced is printed with the change that set it', async () => {
  const records = [
    { city: 'Salta', provider_invoice_number: 'A-1', concepts: [concept] },
    { city: 'Jujuy', provider_invoice_number: 'A-2', concepts: [] },
  ];
  for (const record of records) await company.importRecords([{ invoice_id: '1', ...record }]);
  await company.declare('1', 900, { invoiceNumber: 'A-3' });
  await company.importRecords([{ invoice_id: '1', city: null }]);
  expect(await readFields('--by', 'import')).toEqual([
    { city: [null, 'Salta'], provider_invoice_number: [null, 'A-1'], concepts: [[], [concept]] },
    { city: ['Salta', 'Jujuy'], provider_invoice_number: ['A-1', 'A-2'], concepts: [[concept], []] },
    { city: ['Jujuy', null] },
  ]);
});

it('a declaration that an import replaced has its own time, although the supplier has declared since', async () => {
  for (const declared_amount of [900, 901]) await company.importRecords([{ invoice_id: '1', declared_amount }]);
  await company.declare('1', 902);
  const [first, second, third] = await readChanges();
  const fields = Object.fromEntries(second!.fields.map(({ field, before, after }) => [field, [before, after]]));
  expect(fields).toMatchObject({
    declared_amount: [900, 901],
    declaration_revision: [1, 2],
    declared_at: [first!.changed_at, second!.changed_at],
  });
  expect(third!.fields[0]).toEqual({ field: 'declared_amount', before: 901, after: 902 });
});

it('changes lists only the changes of a command, an author, a kind or a time, also as a CSV', async () => {
  await company.importRecords(['1', '2'].map((invoice_id) => ({ invoice_id, city: 'Salta' })));
  await company.declare('1', 900);
  await setState('APR');
  await company.importRecords([{ invoice_id: '2', city: 'Jujuy' }]);
  const list = async (...args: string[]) =>
    (await readChanges(...args)).map(({ invoice_id: id, kind }) => `${id} ${kind}`);

  const all = await list();
  expect(all.slice(0, 2).toSorted()).toEqual(['1 fields', '2 fields']);
  expect(all.slice(2)).toEqual(['1 declaration', '1 state', '2 fields']);
  expect(await list('--command', await company.readLastCommandId())).toEqual(['2 fields']);
  expect(await list('--command', '404')).toEqual([]);
  expect(await list('--by', 'CAROL')).toEqual(['1 state']);
  const [, , declaration, stateChange] = await readChanges();
  const range = ['--since', declaration!.changed_at, '--until', stateChange!.changed_at];
  expect(await list(...range)).toEqual(['1 declaration', '1 state']);
  expect(await list('--until', SINCE_YESTERDAY[1])).toEqual([]);

  const file = join(await mkdtemp(join(tmpdir(), 'changes-')), 'changes.csv');
  await company.run('changes', ...SINCE_YESTERDAY, '--kind', 'declaration', '--out', file);
  const csv = parse(await readFile(file, 'utf8'));
  const header = ['changed_at', 'kind', 'supplier_id', 'invoice_id', 'changed_by', 'change', 'reason'];
  const values = 'declared_amount: - → 900; state_code: PEN → REV';
  const rule = 'REVIEW, outside none (ninguna)';
  expect(csv).toEqual([
    [...header, 'command_id', 'request_id'],
    [declaration!.changed_at, 'declaration', '10', '1', '7', values, rule, '', 'r'],
  ]);
});

it('changes ends with 2 if --until is before --since, and prints nothing', async () => {
  const run = await company.run('changes', ...SINCE_YESTERDAY, '--until', '2020-12-31');
  expect(run).toEqual({ code: 2, stdout: '', stderr: '--until is before --since.\n' });
});
