import { expect, it } from 'vitest';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { declareAt } from '../../support/data/declare-one.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = useWatchedPortal();

const findRequest = (requestId: string, ...options: readonly string[]) =>
  runOps(portal.proxy.engine.endpoint, 'find-request', requestId, ...options);

async function createCallerWithInvoices(...invoices: readonly ReturnType<typeof buildInvoice>[]) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, invoices);
  return { account, call };
}

it('find-request lists only the declarations that a batch wrote', async () => {
  const invoices = [
    buildInvoice({ invoiceId: '9' }),
    buildInvoice({ invoiceId: '10' }),
    buildInvoice({ state: 'LIQ' }),
  ];
  const { account, call } = await createCallerWithInvoices(...invoices);
  const { tenant, supplierId } = account.scope;
  await call('declare-invoice', { body: { invoice_id: '9', amount: 1 } });
  const ids = ['10', '9', invoices[2]?.invoiceId];
  const body = { declarations: ids.map((id) => ({ invoice_id: id, amount: 1000.5 })) };
  const { headers } = await call('declare-batch', { body });
  const requestId = headers['X-Request-Id'] ?? '';

  const { code, stdout } = await findRequest(requestId);

  expect(code).toBe(0);
  expect(stdout).toContain(`Request ${requestId} was saved. Declarations: 2.\n`);
  expect(parsePrintedRows(stdout).map((cells) => cells.slice(0, 11))).toEqual([
    expect.anything(),
    expect.arrayContaining(['tax %', 'action']),
    [tenant, supplierId, '10', '1', '1000.5', '-', '1000', '0.5', '0.05', 'REVIEW', 'REV'],
    [tenant, supplierId, '9', '2', '1000.5', '-', '1000', '0.5', '0.05', 'REVIEW', 'REV'],
    [''],
  ]);
  const document = JSON.parse((await findRequest(requestId, '--json')).stdout);
  expect(document).toMatchObject({ landed: true, declarations: [{ request_id: requestId }, { revision: 2 }] });
});

it('find-request ends with 1 if no declaration has the id, because the request failed, only read or changed nothing', async () => {
  const invoice = buildInvoice();
  const { call } = await createCallerWithInvoices(invoice);
  const declare = () => call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount: 1 } });
  portal.proxy.injectFault({ operation: 'TransactWriteItems', how: 'error' });
  const failed = await declare();
  portal.proxy.reset();
  expect(failed.status).toBe(500);
  await declare();
  const read = await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${invoice.invoiceId}` });
  for (const { headers } of [failed, read, await declare()]) {
    const requestId = headers['X-Request-Id'] ?? '';
    const { code, stdout } = await findRequest(requestId);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`No declaration has the request id ${requestId}.`)]);
    const json = await findRequest(requestId, '--json');
    const nothing = { request_id: requestId, landed: false, declarations: [] };
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, nothing]);
  }
});

it('find-request reads today and yesterday or the days around --at, of all tenants or of --tenant', async () => {
  const { scope } = (await createCallerWithInvoices(buildInvoice({ invoiceId: '9' }))).account;
  const other = (await createCallerWithInvoices()).account.scope.tenant;
  await declareAt(portal.engine, scope, { invoiceId: '9', amount: 1, at: '2026-08-01T10:00Z' });
  const day = ['--at', '2026-08-02T03:00'];
  const runs = [[], day, [...day, '--tenant', scope.tenant], [...day, '--tenant', other], ['--at', '2026-08-03']];
  const codes = [];
  for (const options of runs) codes.push((await findRequest('request-9', ...options)).code);
  expect(codes).toEqual([1, 0, 0, 1, 1]);
  const stderr = 'Tenant absent.example does not exist.\n';
  expect(await findRequest('request-9', '--tenant', 'absent.example')).toMatchObject({ code: 2, stderr });
});
