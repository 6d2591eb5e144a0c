import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { buildEvents } from '../../../lib/contracts/events.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;

const RECORDS = [
  { invoice_id: '1', account_name: 'Right', invoice_date: '2026-08-01' },
  { invoice_id: '2', city: 'Salta', state_code: 'ENV' },
  { invoice_id: '3' },
] as const;
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
  await company.importRecords(RECORDS);
});

/** Reads the invoices without their versions and times. */
async function readInvoices(): Promise<Map<string, object>> {
  const items = await readStoredInvoices(engine, company.scope);
  return new Map(Array.from(items, ([id, { version: _version, changed_at: _time, ...item }]) => [id, item]));
}

async function importWrongRecords(): Promise<string> {
  await company.importRecords(WRONG_RECORDS);
  return company.readLastCommandId();
}

it('undo of an import restores all values, and withdraws the invoices that the import created', async () => {
  const before = await readInvoices();
  const commandId = await importWrongRecords();
  expect(await company.undo(commandId, '--force')).toEqual({
    code: 0,
    stdout: '5 invoices undone, 0 left alone\n',
    stderr: '',
  });
  const after = await readInvoices();
  for (const [id, invoice] of before) expect(after.get(id)).toEqual(invoice);
  for (const id of ['4', '5']) expect(after.get(id)).toMatchObject({ list_position: expect.stringMatching(/^WITHDR/) });
  expect((await company.run('verify')).code).toBe(0);
});

it('undo of an import publishes the events of the changes that it makes, with its reason', async () => {
  await company.undo(await importWrongRecords(), '--force');
  const { histories } = createAdminPorts(engine);
  const events = [];
  for (const id of ['1', '2', '3', '4', '5'])
    events.push(buildEvents((await histories.read(company.scope, id)).at(-1)!));
  const state = { from_state: 'LIQ', to_state: 'ENV', reason: 'A mistake' };
  expect(events).toMatchObject([
    [],
    [{ type: 'InvoiceStateChanged', detail: state }],
    [{ type: 'InvoiceStateChanged', detail: { from_system_amount: 1, to_system_amount: 1000 } }],
    [{ type: 'InvoiceWithdrawn', detail: { invoice_version: 2 } }],
    [{ type: 'InvoiceWithdrawn', detail: { invoice_version: 2 } }],
  ]);
});

it('undo leaves an invoice that a supplier has declared since, and names who changed it and when', async () => {
  const commandId = await importWrongRecords();
  await company.declare('3', 900);
  await company.declare('4', 900);
  const before = await readInvoices();
  const { code, stdout, stderr } = await company.undo(commandId, '--force');
  expect([code, stdout]).toEqual([1, '3 invoices undone, 2 left alone\n']);
  const reason = String.raw`it has changed since, by 7 at 20\S+Z \(declaration\)`;
  for (const id of ['3', '4'])
    expect(stderr).toMatch(new RegExp(`^left alone: invoice ${id} of supplier 10: ${reason}$`, 'm'));
  for (const id of ['3', '4']) expect((await readInvoices()).get(id)).toEqual(before.get(id));
});

it('undo needs --force for a settled invoice', async () => {
  const { code, stderr } = await company.undo(await importWrongRecords());
  const error = 'the invoice is settled (LIQ); to change it, pass --force';
  expect([code, stderr]).toEqual([1, `left alone: invoice 2 of supplier 10: ${error}\n`]);
});

it('undo leaves an invoice on which the import declared an amount, because its revision remains', async () => {
  await company.importRecords([{ invoice_id: '1', declared_amount: 900 }]);
  const { code, stderr } = await company.undo(await company.readLastCommandId());
  const error = 'the command declared an amount; to correct it, import another amount';
  expect([code, stderr]).toEqual([1, `left alone: invoice 1 of supplier 10: ${error}\n`]);
});

it('undo --dry-run writes nothing, and prints what undo would print, also as JSON', async () => {
  const commandId = await importWrongRecords();
  const before = await readStoredInvoices(engine, company.scope);
  const dry = await company.undo(commandId, '--dry-run');
  const document = JSON.parse((await company.undo(commandId, '--dry-run', '--json')).stdout) as object;
  const left = [{ supplier_id: '10', invoice_id: '2', error: expect.stringContaining('settled') }];
  const counts = { undone: 4, left_alone: 1, left, interrupted: false };
  expect(document).toEqual({ tenant: company.tenant, command_id: commandId, ...counts, dry_run: true });
  expect(await readStoredInvoices(engine, company.scope)).toEqual(before);
  const real = await company.undo(commandId);
  expect({ ...dry, stdout: dry.stdout.replace('Dry run: nothing was written.\n', '') }).toEqual(real);
});

it('undo of an import that was killed finds its changes, although its entry has no end', async () => {
  const commandId = await importWrongRecords();
  const { operatorEntries } = createAdminPorts(engine);
  for await (const page of operatorEntries.pages(company.tenant, '0')) {
    for (const { ended_at: _end, ...entry } of page.filter(({ id }) => id === commandId)) {
      const Item = { pk: `OPERATOR#${company.tenant}`, sk: `${entry.time}#${commandId}`, ...entry, status: 'started' };
      await engine.client.send(new PutCommand({ TableName: engine.tables.Directory, Item }));
    }
  }
  expect((await company.undo(commandId, '--force')).stdout).toBe('5 invoices undone, 0 left alone\n');
});
