import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { compareInvoice } from '../../../infra/ops/maintenance/verify.ts';
import { createStoredInvoices } from '../../../infra/ops/tables/stored-invoices.ts';
import { createHistoryTable } from '../../../lib/tables/history-table.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;

// The invoice 1 is declared twice (versions 2 and 3), settled (4) and withdrawn (5). The invoice 2 never changes. The
// invoice 3 is created with a declaration (1), and then its amount (2) and its city (3) change.
beforeEach(async () => {
  company = await createOpsTenant(engine);
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '2' }, { invoice_id: '3', declared_amount: 900 }]);
  await company.declare('1', 900);
  await company.declare('1', 901);
  await company.decide([{ invoice_id: '1', revision: 2, version: 3, decision: 'LIQ', message: 'Paid' }]);
  await company.run('withdraw-invoice', '1', '--reason', 'Twice', '--revision', '2', '--force');
  const force = ['--force', '--reason', 'Corrected'];
  await company.importRecords([{ invoice_id: '3', system_amount: 950 }], ...force);
  await company.importRecords([{ invoice_id: '3', system_amount: 950, city: 'Salta' }]);
});

it('verify finds no difference after all kinds of changes, and prints a document with --json', async () => {
  const stdout = '3 invoices compared with their histories, 0 differ.\n';
  expect(await company.run('verify')).toEqual({ code: 0, stdout, stderr: '' });
  await company.undo(await company.readLastCommandId());
  await company.run('restore-invoice', '1', '--reason', 'Once');
  await company.run('set-state', '1', 'REV', '--reason', 'Not paid', '--force');
  await company.declare('1', 902);
  await company.importRecords([{ invoice_id: '2', declared_amount: 7, state_code: 'ENV', system_amount: 8 }]);
  expect(await company.run('verify')).toEqual({ code: 0, stdout, stderr: '' });
  expect(await company.runJson('verify')).toEqual({ tenant: company.tenant, invoices: 3, differing: [] });
});

/** Sets an attribute of an invoice, as no program of the service does. */
const spoil = (invoiceId: string, attribute: string, value: unknown) =>
  engine.client.send(
    new UpdateCommand({
      TableName: engine.tables.Invoices,
      Key: { pk: `${company.tenant}#10`, sk: invoiceId },
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
/** Deletes the history item of a version. */
const removeChange = (invoiceId: string, version: number) => {
  const Key = { pk: `${company.tenant}#10#${invoiceId}`, sk: version };
  return engine.client.send(new DeleteCommand({ TableName: engine.tables.Declarations, Key }));
};

const POSITION = 'WITHDRAWN#2020-01-01T00:00:00.000Z#00000000000000000001';
it.each<[what: string, invoiceId: string, damage: () => Promise<unknown>, difference: string]>([
  ['a lower version', '3', () => spoil('3', 'version', 2), 'version is 2, not 3'],
  ['a state', '1', () => spoil('1', 'state_code', 'APR'), 'state_code is APR, not LIQ'],
  ['a system amount', '3', () => spoil('3', 'system_amount', 951), 'system_amount is 951, not 950'],
  ['a declared amount', '1', () => spoil('1', 'declared_amount', 1), 'declared_amount is 1, not 901'],
  ['a message', '1', () => spoil('1', 'message', 'x'), 'message is x, not Paid'],
  ['an approved amount', '2', () => spoil('2', 'approved_amount', 5), 'approved_amount is 5, not null'],
  ['a revision', '1', () => spoil('1', 'declaration_revision', 1), 'revision is 1, not 2'],
  ['a time', '3', () => spoil('3', 'changed_ms', Date.UTC(2026, 0, 1)), 'changed_at is 2026-01-01T00:00:00.000Z'],
  ['a list position', '1', () => spoil('1', 'list_position', POSITION), 'list_position does not follow from the date'],
  ['a search text', '2', () => spoil('2', 'search_text', 'x'), 'search_text does not follow from the fields'],
  ['no latest change', '1', () => removeChange('1', 5), 'version is 5, not 4'],
  ['no first change', '1', () => removeChange('1', 2), 'first version of the history is 3, not 2'],
])('verify names an invoice with %s, and ends with 1', async (_, invoiceId, damage, difference) => {
  await damage();
  const { code, stdout } = await company.run('verify');
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^differs .+\n3 invoices compared with their histories, 1 differ\.\n$/),
  ]);
  expect(stdout).toContain(`differs  invoice ${invoiceId} of supplier 10: `);
  expect(stdout).toContain(difference);
  const document = await company.runJson('verify');
  expect(document).toMatchObject({ differing: [{ supplier_id: '10', invoice_id: invoiceId }] });
});

it('verify names an invoice whose creation with a declaration is missing in its history', async () => {
  await removeChange('3', 1);
  expect((await company.run('verify')).stdout).toContain('invoice 3 of supplier 10: revision is 1, not 0');
  await company.declare('3', 950);
  expect((await company.run('verify')).stdout).toContain('invoice 3 of supplier 10: revision is 2, not 1');
});

it('verify finds no difference in an invoice that changes or is erased after verify has listed it', async () => {
  const { client, tables } = engine;
  const invoices = createStoredInvoices(client, tables.Invoices);
  const histories = createHistoryTable(client, tables.Declarations);
  const scope = { tenant: company.tenant, supplierId: '10' };
  const listedItem = (await invoices.getItem(scope, '2'))!;
  const compare = () => compareInvoice({ invoices, histories }, scope, listedItem);
  await company.declare('2', 900);
  expect(await compare()).toEqual([]);
  await client.send(new DeleteCommand({ TableName: tables.Invoices, Key: { pk: listedItem.pk, sk: '2' } }));
  await removeChange('2', 2);
  expect(await compare()).toEqual([]);
});
