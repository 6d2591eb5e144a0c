import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { changeRecord, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDate } from '../../support/setup/use-date.ts';

const NOW = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';
const declaration = { invoice_id: '4711', amount: 1 };

const portal = usePortal();
useDate(NOW);

const errorOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.message];
// The invoice that is asked for does not exist: NOT_FOUND says that every check was passed.
const PASSED = [404, 'NOT_FOUND', 'The invoice was not found.'];
const BAD_KEY = [401, 'UNAUTHORIZED', 'The API key is missing or not valid.'];
const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];
const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];

describe('a change of the configuration takes effect at once, both ways, on a token that was issued before', () => {
  const stopped = { status: 'SUSPENDED' };
  it.each([
    ['the user is deactivated', 'user', { active: false }, INACTIVE, 'auth/rule-2/deactivated'],
    ["the user's company is suspended", 'company', stopped, SUSPENDED, 'auth/rule-4/tokens'],
    ['the key is revoked', 'apiKey', { status: 'INACTIVE' }, BAD_KEY, 'api-key/status'],
  ] as const)('%s [auth/rule-2/at-once] [$4]', async (_what, record, fields, refusal, _rule) => {
    const { account, call } = await portal.newCaller();
    expect(errorOf(await call('get-invoice', { path }))).toEqual(PASSED);
    await changeRecord(portal.engine, account.keys[record], fields);
    expect(errorOf(await call('get-invoice', { path }))).toEqual(refusal);
    expect(errorOf(await call('declare-invoice', { body: declaration }))).toEqual(refusal);
    await changeRecord(portal.engine, account.keys[record], { active: true, status: 'ACTIVE' });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(PASSED);
  });

  it("the user moves to another supplier: that supplier's invoices and tolerance apply, whatever the token says", async () => {
    const { account, call } = await portal.newCaller();
    const pct = { mode: 'PCT', pct: decimal('3'), abs: null, autoApprove: false } as const;
    const other = await seedAccount(portal.engine, {
      tenant: { tenant: account.scope.tenant },
      supplier: { company_id: account.reference.companyId, tolerance: fromTolerance(pct) },
    });
    const [mine] = await seedInvoices(portal.engine, account.scope, [anInvoice()]);
    const [theirs] = await seedInvoices(portal.engine, other.scope, [anInvoice()]);
    await changeRecord(portal.engine, account.keys.user, { supplier_id: other.scope.supplierId });

    const range = { startdate: '2026-03-01', enddate: '2026-03-31' };
    const { data } = (await call('list-invoices', { query: range })).body;
    expect(data.rows.map((row: { invoice_id: string }) => row.invoice_id)).toEqual([theirs?.invoiceId]);
    expect(data.tolerance).toMatchObject({ mode: 'PCT', tolerance_pct: 3, source: 'proveedor' });
    const old = await call('get-invoice', { path: path.replace('4711', mine?.invoiceId ?? '') });
    expect(errorOf(old)).toEqual(PASSED);
  });
});
