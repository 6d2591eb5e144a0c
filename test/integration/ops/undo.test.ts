import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { buildEvents } from '../../../lib/contracts/events.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { readStoredHistory, readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;

const concept = { concept_id: '1', description: 'Tow', unit_amount: 1, quantity: 1, tax_pct: 0, total: 1 };
/** A wrong import: other names, dates and concepts, a state, an amount, and two new invoices. */
const WRONG_RECORDS = [
  { invoice_id: '1', account_name: 'Wrong', invoice_date: '2026-01-31', concepts: [concept] },
  { invoice_id: '2', city: null, state_code: 'LIQ' },
  { invoice_id: '3', system_amount: 1 },
  { invoice_id: '4' },
  { invoice_id: '5', declared_amount: 7 },
] as const;

beforeEach(async () => {
  company = await createOpsTenant(engine);
  await company.importRecords([
    { invoice_id: '1', account_name: 'Right', invoice_date: '2026-08-01' },
    { invoice_id: '2', city: 'Salta', state_code: 'ENV' },
    { invoice_id: '3' },
  ]);
});

/** Runs a command, expects that it is done, and returns its id. */
async function runAndGetId(run: () => Promise<{ code: unknown }>): Promise<string> {
  expect(await run()).toMatchObject({ code: 0 });
  return company.readLastCommandId();
}
const setState = (id: string, state: string) =>
  runAndGetId(() => company.run('set-state', id, state, '--reason', 'Checked', '--force'));
const undo = (id: string, ...options: string[]) => runAndGetId(() => company.undo(id, ...options));

/** Reads the invoices without their versions and times. */
async function readInvoices(): Promise<Map<string, object>> {
  const items = await readStoredInvoices(engine, company.scope);
  return new Map(Array.from(items, ([id, { version: _version, changed_ms: _time, ...item }]) => [id, item]));
}

/** Returns the state and the withdrawal of each invoice, such as `REV` or `PEN withdrawn`. */
async function readStates(): Promise<string[]> {
  const invoices = [...(await readStoredInvoices(engine, company.scope)).values()];
  return invoices.map(({ state_code: state, list_position: position }) => {
    return `${String(state)}${String(position).startsWith('WITHDRAWN#') ? ' withdrawn' : ''}`;
  });
}

it('undo of an import restores all values, withdraws the created invoices, and makes changes with events', async () => {
  const before = await readInvoices();
  const commandId = await runAndGetId(() => company.importRecords(WRONG_RECORDS));
  const settled = 'left alone: invoice 2 of supplier 10: the invoice is settled (LIQ); to change it, pass --force\n';
  const dry = await company.undo(commandId, '--dry-run');
  expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining('4 invoices undone, 1 left'), stderr: settled });
  const stdout = '5 invoices undone, 0 left alone\n';
  expect(await company.undo(commandId, '--force')).toEqual({ code: 0, stdout, stderr: '' });
  const after = await readInvoices();
  for (const [id, invoice] of before) expect(after.get(id)).toEqual(invoice);
  for (const id of ['4', '5']) expect(after.get(id)).toMatchObject({ list_position: expect.stringMatching(/^WITHDR/) });
  expect((await company.run('verify')).code).toBe(0);

  const { histories } = createAdminPorts(engine);
  const ids = [...after.keys()].toSorted();
  const lastChanges = await Promise.all(ids.map(async (id) => (await histories.read(company.scope, id)).at(-1)!));
  const state = { from_state: 'LIQ', to_state: 'ENV', reason: 'A mistake' };
  expect(lastChanges.map((change) => buildEvents(change))).toMatchObject([
    [],
    [{ type: 'InvoiceStateChanged', detail: state }],
    [{ type: 'InvoiceStateChanged', detail: { from_system_amount: 1, to_system_amount: 1000 } }],
    [{ type: 'InvoiceWithdrawn', detail: { invoice_version: 2 } }],
    [{ type: 'InvoiceWithdrawn', detail: { invoice_version: 2 } }],
  ]);
});

it('undo leaves an invoice that its supplier has declared since, and names who changed it and when', async () => {
  const commandId = await runAndGetId(() => company.importRecords(WRONG_RECORDS));
  await company.declare('3', 900);
  await company.declare('4', 900);
  const before = await readInvoices();
  const { code, stdout, stderr } = await company.undo(commandId, '--force');
  expect([code, stdout]).toEqual([1, '3 invoices undone, 2 left alone\n']);
  expect(stderr).toMatch(
    /^left alone: invoice 3 of supplier 10: it has changed since, by 7 at 20.+Z \(declaration\)$/m,
  );
  for (const id of ['3', '4']) expect((await readInvoices()).get(id)).toEqual(before.get(id));
  const repeated = JSON.parse((await company.undo(commandId, '--force', '--json')).stdout) as { left: object[] };
  expect(repeated).toMatchObject({ command_id: commandId, undone: 0, left_alone: 5, interrupted: false });
  expect(repeated.left).toContainEqual({ supplier_id: '10', invoice_id: '3', error: expect.stringMatching('by 7') });
});

it('undo leaves an invoice that was declared since, also if later commands have restored the state', async () => {
  const commandId = await setState('1', 'ENV');
  await company.declare('1', 900);
  const [state = ''] = await readStates();
  await setState('1', 'REC');
  await setState('1', state);
  const { code, stderr } = await company.undo(commandId);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^left alone: invoice 1 .*: it has changed since, by /)]);
});

it('a repeated undo reports who made the first one and when, and writes nothing', async () => {
  const commandId = await setState('1', 'APR');
  await undo(commandId, '--by', 'carol');
  const before = await readStoredInvoices(engine, company.scope);
  const { code, stdout, stderr } = await company.undo(commandId);
  expect([code, stdout]).toEqual([1, '0 invoices undone, 1 left alone\n']);
  expect(stderr).toMatch(
    /^left alone: invoice 1 of supplier 10: it has changed since, by \S+ \(carol\) at 20\S+Z \(state\)\n$/,
  );
  expect(await readStoredInvoices(engine, company.scope)).toEqual(before);
});

it('undo leaves an invoice on which the import declared an amount, because its revision remains', async () => {
  const commandId = await runAndGetId(() => company.importRecords([{ invoice_id: '1', declared_amount: 900 }]));
  const { code, stderr } = await company.undo(commandId);
  const error = 'the command declared an amount; to correct it, import another amount';
  const expectedResult = [1, `left alone: invoice 1 of supplier 10: ${error}\n`];
  expect([code, stderr]).toEqual(expectedResult);
  // The import then changes the invoice again without a declaration.
  await changeAgain(commandId, '1');
  const secondResult = await company.undo(commandId);
  expect([secondResult.code, secondResult.stderr]).toEqual(expectedResult);
});

it('undo of an import that was killed finds its changes, although its entry has no end', async () => {
  const commandId = await runAndGetId(() => company.importRecords(WRONG_RECORDS));
  const { operatorEntries } = createAdminPorts(engine);
  for await (const page of operatorEntries.pages(company.tenant)) {
    for (const { ended_at: _end, ...entry } of page.filter(({ id }) => id === commandId)) {
      const Item = { pk: `OPERATOR#${company.tenant}`, sk: `${entry.time}#${commandId}`, ...entry, status: 'started' };
      await engine.client.send(new PutCommand({ TableName: engine.tables.Directory, Item }));
    }
  }
  expect((await company.undo(commandId, '--force')).stdout).toBe('5 invoices undone, 0 left alone\n');
});

it('undo reverts the decisions of a sheet, with the review that they ended', async () => {
  await company.declare('1', 1200);
  const before = await readInvoices();
  const rows = [
    { invoice_id: '1', revision: 1, version: 2, decision: 'REC' },
    { invoice_id: '2', revision: 0, version: 1, decision: 'APR' },
    { invoice_id: '3', revision: 0, version: 1, decision: 'WITHDRAW' },
  ];
  const commandId = await runAndGetId(() => company.decide(rows));
  expect(await readStates()).toEqual(['REC', 'APR', 'PEN withdrawn']);
  await undo(commandId);
  expect(await readInvoices()).toEqual(before);
  expect((await company.run('verify')).code).toBe(0);
});

it('undo reverts set-state, a withdrawal and a restore, and an undo can be undone', async () => {
  const settled = await setState('2', 'LIQ');
  const withdrawn = await runAndGetId(() => company.run('withdraw-invoice', '3', '--reason', 'Twice'));
  expect(await readStates()).toEqual(['PEN', 'LIQ', 'PEN withdrawn']);
  const undone = [await undo(settled, '--force'), await undo(withdrawn)];
  expect(await readStates()).toEqual(['PEN', 'ENV', 'PEN']);
  for (const id of undone) await undo(id);
  expect(await readStates()).toEqual(['PEN', 'LIQ', 'PEN withdrawn']);
  await undo(await runAndGetId(() => company.run('restore-invoice', '3', '--reason', 'Not twice')));
  expect(await readStates()).toEqual(['PEN', 'LIQ', 'PEN withdrawn']);
  const kinds = (await readStoredHistory(engine, company.scope, '3')).map(({ kind }) => kind);
  expect(kinds).toEqual(['withdrawal', 'restore', 'withdrawal', 'restore', 'withdrawal']);
});

it('two commands on one invoice are undone in the reverse order, and the first one is left alone before', async () => {
  const [first, second] = [await setState('1', 'APR'), await setState('1', 'REC')];
  const tooEarly = await company.undo(first);
  const error = /^left alone: invoice 1 .*: it has changed since, by .+ at 20.+Z \(state\)\n$/;
  expect([tooEarly.code, tooEarly.stderr]).toEqual([1, expect.stringMatching(error)]);
  await undo(second);
  expect((await readStates())[0]).toBe('APR');
  await undo(first);
  expect((await readStates())[0]).toBe('PEN');
});

it('undo ends with 2 for the id of another tenant, and for a command that changed no invoice', async () => {
  const other = await createOpsTenant(engine);
  await other.importRecords([{ invoice_id: '1' }]);
  const otherId = await other.readLastCommandId();
  const { tenant } = company;
  const unknown = `No command of ${tenant} has the id ${otherId}. To list the commands, run audit ${tenant}.\n`;
  expect(await company.undo(otherId)).toEqual({ code: 2, stdout: '', stderr: unknown });
  const { users } = await company.runJson<{ users: { user_id: string }[] }>('list-users');
  const endId = await runAndGetId(() => company.run('end-sessions', users[0]!.user_id));
  const nothing = 'Nothing was undone: the command (end-sessions) has changed no invoice, or they were erased.\n';
  expect(await company.undo(endId)).toEqual({ code: 2, stdout: '', stderr: nothing });
});

/** Changes an invoice again with the id of an earlier command, as a command does that has several records of it. */
async function changeAgain(commandId: string, invoiceId: string): Promise<void> {
  const { commit, invoices } = createAdminPorts(engine);
  const before = (await invoices.getMany(company.scope, [invoiceId])).get(invoiceId) as Invoice;
  const after = buildNextVersion(before, { city: 'Jujuy' }, new Date());
  const author = { changedBy: 'carol', reason: null };
  expect(await commit(company.scope, [{ before, after, author }], commandId)).toEqual({ kind: 'committed' });
}

it('two changes of one invoice by one command are undone together, unless there is another change between them', async () => {
  const together = await setState('3', 'ENV');
  await changeAgain(together, '3');
  await undo(together);
  expect(await readStates()).toEqual(['PEN', 'ENV', 'PEN']);

  const separate = await setState('3', 'ENV');
  await setState('3', 'REC');
  await changeAgain(separate, '3');
  const creation = await runAndGetId(() => company.importRecords([{ invoice_id: '4' }]));
  await company.declare('4', 900);
  await changeAgain(creation, '4');
  const results = [await company.undo(separate), await company.undo(creation)];
  const error = expect.stringMatching(/: another change was made between two changes of the command\n$/);
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, error],
    [1, error],
  ]);
});
