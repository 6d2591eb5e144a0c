import { describe, expect, it } from 'vitest';
import { dateForms } from '../../../lib/domain/texts.ts';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { proves } from '../../rules/proves.ts';

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };

const portal = usePortal();

async function createCaller(invoices: readonly Parameters<typeof buildInvoice>[0][]) {
  const { account, call } = await portal.newCaller();
  const seeded = await seedInvoices(
    portal.engine,
    account.scope,
    invoices.map((invoice) => buildInvoice(invoice)),
  );
  const list = (query: NonNullable<TestRequest['query']> = {}) =>
    call('list-invoices', { query: { ...march, ...query } });
  return { account, call, seeded, list };
}

const readIds = ({ body }: EndpointResponse) => body.data.rows.map((row: { invoice_id: string }) => row.invoice_id);

describe('the list of invoices', () => {
  it('list-invoices returns rows, tolerance, and in meta the total, the limit (default 25) and the offset (default 0)', async () => {
    proves('list-invoices/response', 'list-invoices/limit', 'list-invoices/offset', 'envelope/data-list');
    proves('envelope/meta-list', 'auth/flow-3', 'limits/limit', 'limits/offset', 'meta/total', 'meta/limit');
    proves('meta/offset');
    const { call, list } = await createCaller(Array.from({ length: 27 }, () => ({})));
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.data.rows).toHaveLength(25);
    expect(body.data.tolerance).toMatchObject({ source: 'ninguna' });
    expect(body.meta).toEqual({ total: 27, limit: 25, offset: 0 });
    const [row] = body.data.rows;
    const detail = await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${row.invoice_id}` });
    expect(detail.body.data).toMatchObject(row);
    const last = (await list({ limit: 2, offset: 26 })).body;
    expect([last.data.rows.length, last.meta]).toEqual([1, { total: 27, limit: 2, offset: 26 }]);
  });

  it('a list without any matching invoice is a success with no rows and total 0', async () => {
    proves('meta/empty');
    const { list } = await createCaller([]);
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { rows: [] }, meta: { total: 0, limit: 25, offset: 0 } });
  });

  it('a search finds a provider invoice number directly after its declaration, and a list can be limited to the new state', async () => {
    proves('service/list', 'list-invoices/search', 'list-invoices/status');
    const { call, list } = await createCaller([{ invoiceId: '5' }, { invoiceId: '6' }]);
    expect(readIds(await list({ search: 'nueva' }))).toEqual([]);
    await call('declare-invoice', { body: { invoice_id: '6', amount: 1, invoice_number: 'NUEVA-1' } });
    expect(readIds(await list({ search: '  NUEVÁ ' }))).toEqual(['6']);
    expect((await list({ status: 'REV' })).body.data.rows).toMatchObject([{ provider_invoice_number: 'NUEVA-1' }]);
  });

  it('a list can be limited to the invoices that have changed since a time, together with all other parameters', async () => {
    proves('list-invoices/changed_since');
    const { call, list } = await createCaller([
      { invoiceId: '5', changedAt: '2026-03-15T11:59:59.999Z' },
      { invoiceId: '6', changedAt: '2026-03-15T12:00:00.000Z' },
      { invoiceId: '7', changedAt: '2026-03-16T00:00:00.000Z', state: 'LIQ' },
    ]);
    const readChanges = async (changed_since: string, query = {}) => {
      const response = await list({ changed_since, ...query });
      return [readIds(response), response.body.meta?.total];
    };
    expect(await readChanges('2026-03-15T09:00:00-03:00')).toEqual([['7', '6'], 2]);
    expect(await readChanges('2026-03-16')).toEqual([['7'], 1]);
    expect(await readChanges('2026-03-15T12:00Z', { limit: 1, offset: 1 })).toEqual([['6'], 2]);
    expect(await readChanges('2026-03-15T12:00Z', { status: 'PEN', search: 'cordoba' })).toEqual([['6'], 1]);
    expect(await readChanges('')).toEqual([['7', '6', '5'], 3]);
    await call('declare-invoice', { body: { invoice_id: '5', amount: 1 } });
    expect(await readChanges('2026-03-15T12:00Z')).toEqual([['7', '6', '5'], 3]);
  });

  it('a list has no invoices of another supplier or another tenant', async () => {
    proves('service/rule-1');
    const { account, list, seeded } = await createCaller([{}]);
    const { tenant, supplierId } = account.scope;
    const colleague = await portal.newCaller({ tenant: { tenant }, supplier: { supplier_id: `${supplierId}1` } });
    const namesake = await portal.newCaller({ supplier: { supplier_id: supplierId } });
    await seedInvoices(portal.engine, colleague.account.scope, [buildInvoice()]);
    await seedInvoices(portal.engine, namesake.account.scope, [buildInvoice()]);
    for (const query of [{}, { search: 'cordoba' }, { status: 'PEN' }]) {
      const response = await list(query);
      expect(readIds(response)).toEqual([seeded[0]?.invoiceId]);
      expect(response.body.meta).toMatchObject({ total: 1 });
    }
  });
});

describe('the parameters of a list', () => {
  it('list-invoices returns the errors of all invalid parameters, and does not check the range', async () => {
    proves('list-invoices/rule-1', 'error-envelope/always-details', 'codes/VALIDATION_ERROR');
    proves('codes/VALIDATION_ERROR/missing', 'codes/VALIDATION_ERROR/range', 'codes/VALIDATION_ERROR/type');
    const { list } = await createCaller([]);
    const invalid = { startdate: undefined, enddate: '', limit: 101, offset: 'ten', status: 'pen', changed_since: '1' };
    const { status, body } = await list({ ...invalid, search: 's'.repeat(121) });
    const named = body.error?.details?.map(({ property, constraints }) => [property, ...Object.keys(constraints)]);
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(named?.map((names) => names.join(' ')).toSorted()).toEqual([
      ...[
        'changed_since format',
        'enddate minLength',
        'limit maximum',
        'offset type',
        'search maxLength',
        'startdate required',
        'status enum',
      ],
    ]);
  });

  it('the error of changed_since explains a + that is not encoded', async () => {
    const { list } = await createCaller([]);
    const { body } = await list({ changed_since: '2026-08-31T10:30:00 03:00' });
    const format = `changed_since must be ${dateForms.en}; in a query, encode + as %2B`;
    expect(body.error?.details).toEqual([{ property: 'changed_since', constraints: { format } }]);
  });

  it('list-invoices ignores unknown parameters, such as a generic sort', async () => {
    proves('list-invoices/rule-5');
    const { list } = await createCaller(['2026-03-02', '2026-03-03'].map((invoiceDate) => ({ invoiceDate })));
    const sorted = await list({ sort: 'invoice_date', sort_by: 'city' });
    expect(sorted.body).toEqual((await list()).body);
    expect(sorted.body.data.rows).toHaveLength(2);
  });

  it('list-invoices rejects a range that ends before its start', async () => {
    proves('list-invoices/rule-3', 'codes/INVALID_DATE_RANGE');
    const { list } = await createCaller([]);
    const { status, body } = await list({ startdate: '2026-03-02', enddate: '2026-03-01' });
    expect([status, body.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
  });
});
