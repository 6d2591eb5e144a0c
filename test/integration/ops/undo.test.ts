import { beforeEach, expect, it } from 'vitest';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { readStoredHistory, readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;

// The invoice 1 is declared and in review (REV). The invoices 2 and 3 are pending (PEN).
beforeEach(async () => {
  company = await createOpsTenant(engine);
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '2' }, { invoice_id: '3' }]);
  await company.declare('1', 1200);
});

/** Runs a command, expects that it is done, and returns its id. */
async function runAndGetId(run: () => Promise<{ code: unknown }>): Promise<string> {
  expect(await run()).toMatchObject({ code: 0 });
  return company.readLastCommandId();
}
const setState = (id: string, state: string) =>
  runAndGetId(() => company.run('set-state', id, state, '--reason', 'Checked', '--force'));
const undo = (id: string, ...options: string[]) => runAndGetId(() => company.undo(id, ...options));

/** Returns the state and the withdrawal of each invoice, such as `REV` or `PEN withdrawn`. */
async function readStates(): Promise<string[]> {
  const invoices = [...(await readStoredInvoices(engine, company.scope)).values()];
  return invoices.map(({ state_code: state, list_position: position }) => {
    return `${String(state)}${String(position).startsWith('WITHDRAWN#') ? ' withdrawn' : ''}`;
  });
}

it('undo reverts the decisions of a sheet, with the review that they ended', async () => {
  const before = (await readStoredInvoices(engine, company.scope)).get('1');
  const rows = [
    { invoice_id: '1', revision: 1, version: 2, decision: 'REC' },
    { invoice_id: '2', revision: 0, version: 1, decision: 'APR' },
    { invoice_id: '3', revision: 0, version: 1, decision: 'WITHDRAW' },
  ];
  const commandId = await runAndGetId(() => company.decide(rows));
  expect(await readStates()).toEqual(['REC', 'APR', 'PEN withdrawn']);
  await undo(commandId);
  expect(await readStates()).toEqual(['REV', 'PEN', 'PEN']);
  expect((await readStoredInvoices(engine, company.scope)).get('1')).toEqual({
    ...before,
    version: 4,
    changed_at: expect.anything(),
  });
  expect((await company.run('verify')).code).toBe(0);
});

it('undo reverts set-state, a withdrawal and a restore, and an undo can be undone', async () => {
  const settled = await setState('2', 'LIQ');
  const withdrawn = await runAndGetId(() => company.run('withdraw-invoice', '3', '--reason', 'Twice'));
  expect(await readStates()).toEqual(['REV', 'LIQ', 'PEN withdrawn']);
  const undone = [await undo(settled, '--force'), await undo(withdrawn)];
  expect(await readStates()).toEqual(['REV', 'PEN', 'PEN']);
  for (const id of undone) await undo(id);
  expect(await readStates()).toEqual(['REV', 'LIQ', 'PEN withdrawn']);
  const restored = await runAndGetId(() => company.run('restore-invoice', '3', '--reason', 'Not twice'));
  await undo(restored);
  expect(await readStates()).toEqual(['REV', 'LIQ', 'PEN withdrawn']);
  const kinds = (await readStoredHistory(engine, company.scope, '3')).map(({ kind }) => kind);
  expect(kinds).toEqual(['withdrawal', 'restore', 'withdrawal', 'restore', 'withdrawal']);
});

it('two commands on one invoice are undone in the reverse order, and the first one is left alone before', async () => {
  const [first, second] = [await setState('1', 'APR'), await setState('1', 'REC')];
  const tooEarly = await company.undo(first);
  expect([tooEarly.code, tooEarly.stderr]).toEqual([
    1,
    expect.stringMatching(/^left alone: invoice 1 .*: it has changed since, by .+ at 20.+Z \(state\)\n$/),
  ]);
  expect(await readStates()).toEqual(['REC', 'PEN', 'PEN']);
  await undo(second);
  expect(await readStates()).toEqual(['APR', 'PEN', 'PEN']);
  await undo(first);
  expect(await readStates()).toEqual(['REV', 'PEN', 'PEN']);
});

it('undo ends with 2 for an unknown id, the id of another tenant, and a command that changed no invoice', async () => {
  const other = await createOpsTenant(engine);
  await other.importRecords([{ invoice_id: '1' }]);
  await company.run('set-tolerance', '--mode', 'PCT', '--pct', '3', '--auto-approve');
  const commandIds = ['404', await other.readLastCommandId(), await company.readLastCommandId()];
  const { tenant } = company;
  const errors = [
    `No command of ${tenant} has the id 404. To list the commands, run audit ${tenant}.\n`,
    `No command of ${tenant} has the id ${commandIds[1]}. To list the commands, run audit ${tenant}.\n`,
    'Nothing was undone: the command (set-tolerance) has changed no invoice, or they were erased.\n',
  ];
  for (const [index, id] of commandIds.entries())
    expect(await company.undo(id)).toEqual({ code: 2, stdout: '', stderr: errors[index] });
  expect((await readStoredInvoices(engine, other.scope)).get('1')).toMatchObject({ version: 1 });
});

/** Changes the invoice 2 twice with the id of the same command, and runs `between` between both changes. */
async function changeTwice(between: () => Promise<unknown>): Promise<string> {
  const commandId = await setState('2', 'ENV');
  await between();
  const { commit, invoices } = createAdminPorts(engine);
  const before = (await invoices.getMany(company.scope, ['2'])).get('2') as Invoice;
  const after = buildNextVersion(before, { state: 'APR' }, new Date());
  const author = { changedBy: 'carol', reason: null };
  expect(await commit(company.scope, [{ before, after, author }], commandId)).toEqual({ kind: 'committed' });
  return commandId;
}

it('two changes of one invoice by one command are undone together, unless there is another change between them', async () => {
  await undo(await changeTwice(async () => undefined));
  expect(await readStates()).toEqual(['REV', 'PEN', 'PEN']);
  const { code, stderr } = await company.undo(await changeTwice(() => setState('2', 'REC')));
  const error = 'another change was made between two changes of the command';
  expect([code, stderr]).toEqual([1, `left alone: invoice 2 of supplier 10: ${error}\n`]);
});

it('an invoice is left alone if its supplier declared between its creation and another change by the import', async () => {
  await company.importRecords([{ invoice_id: '4' }]);
  const commandId = await company.readLastCommandId();
  await company.declare('4', 900);
  const { commit, invoices } = createAdminPorts(engine);
  const before = (await invoices.getMany(company.scope, ['4'])).get('4') as Invoice;
  const after = buildNextVersion(before, { city: 'Salta' }, new Date());
  await commit(company.scope, [{ before, after, author: { changedBy: 'import', reason: null } }], commandId);
  const { code, stderr } = await company.undo(commandId);
  expect([code, stderr]).toEqual([1, expect.stringContaining('another change was made between two changes')]);
});
