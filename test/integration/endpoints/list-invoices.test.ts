import { describe, expect, it } from 'vitest';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
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
const buildDated = (date: string, invoiceId: string) => ({ invoiceId, invoiceDate: date });

describe('the list of invoices', () => {
  it('list-invoices returns rows, tolerance, and in meta the total, the limit (default 25) and the offset (default 0)', async () => {
    proves('list-invoices/response', 'list-invoices/limit', 'list-invoices/offset', 'envelope/data-list');
    proves('envelope/meta-list', 'auth/flow-3', 'limits/limit', 'limits/offset');
    const { call, list } = await createCaller(Array.from({ length: 27 }, () => ({})));
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.data.rows).toHaveLength(25);
    expect(body.data.tolerance).toMatchObject({ source: 'ninguna' });
    expect(body.meta).toEqual({ total: 27, limit: 25, offset: 0 });
    const [row] = body.data.rows;
    const detail = await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${row.invoice_id}` });
    expect(detail.body.data).toMatchObject(row);
  });

  it('a list without any matching invoice is a success with no rows and total 0', async () => {
    proves('meta/empty');
    const { list } = await createCaller([]);
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { rows: [] }, meta: { total: 0, limit: 25, offset: 0 } });
  });

  it('a list includes both ends of its range: the whole day of a date, and the instant of a date-time', async () => {
    proves('service/list', 'list-invoices/startdate', 'list-invoices/enddate');
    const { list } = await createCaller([
      buildDated('2026-03-04T23:59:59.999Z', '1'),
      buildDated('2026-03-05T00:00:00.000Z', '2'),
      buildDated('2026-03-06T23:59:59.999Z', '3'),
      buildDated('2026-03-07T00:00:00.000Z', '4'),
    ]);
    const listIds = async (startdate: string, enddate: string) => readIds(await list({ startdate, enddate }));
    expect(await listIds('2026-03-05', '2026-03-06')).toEqual(['3', '2']);
    expect(await listIds('2026-03-04T23:59:59.999Z', '2026-03-07T00:00:00Z')).toEqual(['4', '3', '2', '1']);
    expect(await listIds('2026-03-05T00:00:00.001', '2026-03-06T23:59:59.998')).toEqual([]);
    expect(await listIds('2026-03-05T01:00:00+01:00', '2026-03-05T00:00:00Z')).toEqual(['2']);
  });

  it('a list has the page of limit and offset, and the total, without a filter, with a search and with a state', async () => {
    proves('list-invoices/limit', 'list-invoices/offset', 'meta/total', 'meta/limit', 'meta/offset');
    const days = ['01', '02', '03', '04', '05'];
    const { list } = await createCaller([
      ...days.map((day) => buildDated(`2026-03-${day}`, day)),
      buildDated('2026-04-01', '6'),
    ]);
    for (const query of [{}, { search: 'srv' }, { status: 'PEN' }]) {
      const readPage = async (limit: number, offset: number) => {
        const response = await list({ ...query, limit, offset });
        expect(response.body.meta).toEqual({ total: 5, limit, offset });
        return readIds(response);
      };
      expect([await readPage(2, 0), await readPage(2, 4), await readPage(1, 5)]).toEqual([['05', '04'], ['01'], []]);
    }
  });

  it('a list is filtered by status before paging and counting', async () => {
    proves('service/list', 'list-invoices/status', 'list-invoices/rule-4', 'meta/total');
    const { list } = await createCaller([...STATE_CODES, ...STATE_CODES].map((code) => ({ state: code })));
    for (const state of STATE_CODES) {
      const { body } = await list({ status: state, limit: 1 });
      expect(body.data.rows).toMatchObject([{ state_code: state }]);
      expect(body.meta).toEqual({ total: 2, limit: 1, offset: 0 });
    }
  });

  it('a search finds a provider invoice number as soon as it is declared', async () => {
    proves('service/list', 'list-invoices/search');
    const { call, list } = await createCaller([{ invoiceId: '5' }, { invoiceId: '6' }]);
    expect(readIds(await list({ search: 'nueva' }))).toEqual([]);
    await call('declare-invoice', { body: { invoice_id: '6', amount: 1, invoice_number: 'NUEVA-1' } });
    expect(readIds(await list({ search: '  NUEVÁ ' }))).toEqual(['6']);
    expect((await list({ status: 'REV' })).body.data.rows).toMatchObject([{ provider_invoice_number: 'NUEVA-1' }]);
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
    const invalid = { startdate: undefined, enddate: '', limit: 101, offset: 'ten', status: 'pen' };
    const { status, body } = await list({ ...invalid, search: 's'.repeat(121) });
    const named = body.error?.details?.map(({ property, constraints }) => [property, ...Object.keys(constraints)]);
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(named?.map((names) => names.join(' ')).toSorted()).toEqual([
      ...['enddate minLength', 'limit maximum', 'offset type', 'search maxLength', 'startdate required', 'status enum'],
    ]);
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
