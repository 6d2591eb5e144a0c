import { expect, it } from 'vitest';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { newId, readRecord } from '../../support/data/seed.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = usePortal();
const range = { startdate: '2026-02-01', enddate: '2026-02-28' };

// The texts contain parts of expressions, separators of keys, and syntax of other query languages.
it.each([
  ':v',
  '#version',
  'attribute_exists(pk) OR version = :v',
  'STATE#1#2',
  'TENANT#demo.example',
  '{"S":"x"}',
  '" OR "1"="1',
  "'; DROP TABLE invoices; --",
])('the text %o is treated as data in every field, and changes nothing else', async (text) => {
  proves('list-invoices/search', 'errors/rule-2');
  const { account, call } = await portal.newCaller();
  const { engine } = portal;
  await seedInvoices(engine, account.scope, [
    buildInvoice({ invoiceId: '1', invoiceDate: '2026-02-01T10:00:00.000Z' }),
    buildInvoice({ invoiceId: '2', invoiceDate: '2026-02-01T10:00:00.000Z' }),
  ]);
  const readOther = async () => (await readStoredInvoices(engine, account.scope)).get('2');
  const other = await readOther();
  const body = { invoice_id: '1', amount: 1, notes: text, invoice_number: text };
  expect((await call('declare-invoice', { body })).status).toBe(200);
  expect(await readOther()).toEqual(other);

  const found = await call('list-invoices', { query: { ...range, search: text } });
  expect(found.body.data.rows).toEqual([
    expect.objectContaining({ invoice_id: '1', declared_notes: text, provider_invoice_number: text }),
  ]);
  expect((await call('list-invoices', { query: { ...range, status: text } })).status).toBe(400);
  expect((await call('get-invoice', { headers: { 'x-api-key': text }, path: '/x/1' })).status).toBe(401);

  const login = (credentials: object, tenant = account.scope.tenant) =>
    portal.invoke('login', { headers: { tenant }, body: credentials, sourceIp: newId() });
  const { email, password } = account;
  expect((await login({ email: text, password })).status).toBe(401);
  expect((await login({ email, password: text })).status).toBe(401);
  expect((await login({ email, password }, text)).status).toBe(401);
  expect((await login({ email, password, playerid: text })).status).toBe(200);
  expect((await readRecord(engine, account.keys.user))['player_ids']).toEqual([text]);
});
