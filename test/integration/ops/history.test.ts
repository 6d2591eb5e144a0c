import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { importInvoices } from '../../../lib/admin/import/import-invoices.ts';
import { readRecords } from '../../../lib/admin/import/read-records.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { printedRows } from '../../support/ops/printed-rows.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { changeRecord, deleteRecord } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedStateChanges } from '../../support/data/stored-invoices.ts';

const portal = usePortal();

const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

/** A caller with the invoice 77 of 1000, and the tolerance of 5 % that approves. */
async function aCaller() {
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true } as never;
  const { account, call } = await portal.newCaller({ supplier: { tolerance } });
  const { scope } = account;
  await seedInvoices(portal.engine, scope, [anInvoice({ invoiceId: '77' })]);
  const ops = (command: string, ...args: readonly string[]) =>
    runOps(portal.engine.endpoint, command, scope.tenant, '77', ...args);
  const declare = async (amount: number, notes?: string) => {
    const { headers } = await call('declare-invoice', { body: { invoice_id: '77', amount, notes } });
    return headers['X-Request-Id'];
  };
  return { account, scope, ops, declare };
}

describe('npm run ops -- history', () => {
  it('tells declarations and changes of state in the order of time, with rule, author and request', async () => {
    const { account, ops, declare } = await aCaller();
    const first = await declare(1050.25);
    await ops('set-state', 'REC', '--reason', 'Not as agreed', '--by', 'carol');
    await changeRecord(portal.engine, account.keys.supplier, { tolerance: undefined });
    const second = await declare(1000);

    const { code, stdout } = await ops('history');

    const who = `${account.reference.userId} ${account.email}`;
    const rule = 'PCT 5 %, auto-approve (proveedor)';
    expect(code).toBe(0);
    expect(printedRows(stdout)).toEqual([
      ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'],
      [when, 'revision 1', '1050.25', '1000', '50.25 (5.025 %)', 'REVIEW, outside', rule, who, first],
      [when, 'REV -> REC', 'Not as agreed', 'carol'],
      [when, 'revision 2', '1000', '1000', '0 (0 %)', 'REVIEW, within, held', 'none (ninguna)', who, second],
      [''],
    ]);
  });

  it('is one document for scripts, and knows no e-mail of a user who is gone', async () => {
    const { account, scope, ops, declare } = await aCaller();
    const request_id = await declare(1050, 'Tolls');
    await ops('set-state', 'LIQ', '--reason', 'Paid', '--by', 'carol');
    await deleteRecord(portal.engine, account.keys.user);
    expect(JSON.parse((await ops('history', '--json')).stdout)).toEqual({
      tenant: scope.tenant,
      supplier_id: scope.supplierId,
      invoice_id: '77',
      entries: [
        {
          type: 'declaration',
          declaration_id: expect.stringMatching(/^\d+$/),
          revision: 1,
          declared_amount: 1050,
          declared_notes: 'Tolls',
          declared_tax_pct: null,
          provider_invoice_number: null,
          provider_invoice_date: null,
          system_amount: 1000,
          within_tolerance: true,
          difference: 50,
          difference_pct: 5,
          action: 'AUTO_APPROVE',
          held_for_review: false,
          tolerance: { mode: 'PCT', tolerance_pct: 5, tolerance_abs: null, auto_approve: true, source: 'proveedor' },
          declared_by: account.reference.userId,
          declared_at: when,
          request_id,
          declared_by_email: null,
        },
        {
          type: 'state_change',
          from_state: 'APR',
          to_state: 'LIQ',
          changed_by: 'carol',
          reason: 'Paid',
          changed_at: when,
          version: 3,
        },
      ],
    });
  });

  it('says so when there is none', async () => {
    const { ops } = await aCaller();
    const stdout = 'Nothing was declared, and the state was never changed.\n';
    expect(await ops('history')).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('has the changes of state that an import made of invoices that were there', async () => {
    const { scope } = await aCaller();
    const record = { invoice_id: '78', supplier_id: scope.supplierId, service_id: '5', system_amount: 100 };
    const states = ['PEN', 'ENV', 'ENV', 'LIQ'];
    const lines = states.map((state_code) => `${JSON.stringify({ ...record, state_code })}\n`);
    await importInvoices(createAdminPorts(portal.engine), readRecords(Readable.from(lines), 'ndjson'), {
      tenant: scope.tenant,
      now: new Date(),
      reject: async () => {},
      progress: () => {},
    });
    const by = { changed_by: 'import', reason: null, changed_at: when };
    expect(await storedStateChanges(portal.engine, scope, '78')).toMatchObject([
      { version: 2, from_state: 'PEN', to_state: 'ENV', ...by },
      { version: 3, from_state: 'ENV', to_state: 'LIQ', ...by },
    ]);
  });
});
