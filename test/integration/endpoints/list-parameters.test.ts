import { expectFault } from '../../support/answers/answer.ts';
import { describe, expect, it } from 'vitest';
import { usePortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = usePortal();

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };

type Query = Record<string, string | number | readonly string[] | undefined>;

/** Lists as a new caller with one invoice, so that no test meets another's rate limit. */
async function list(query: Query) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, [anInvoice()]);
  return call('list-invoices', { query: { ...march, ...query } });
}

describe('the parameters of the list', () => {
  it.each<[name: string, value: Query[string], constraint: string, rule: string]>([
    ['startdate', undefined, 'required', 'list-invoices/rule-1'],
    ['enddate', '', 'minLength', 'codes/VALIDATION_ERROR/missing'],
    ['status', 'pen', 'enum', 'codes/VALIDATION_ERROR'],
    ['search', 's'.repeat(121), 'maxLength', 'codes/VALIDATION_ERROR'],
    ['limit', 101, 'maximum', 'codes/VALIDATION_ERROR/range'],
    ['limit', ['', '5'], 'single', 'codes/VALIDATION_ERROR'],
    ['offset', 'ten', 'type', 'codes/VALIDATION_ERROR/type'],
  ])('are named when one is wrong, before the range is judged: %s %j [list-invoices/$0] [$3]', async (...wrong) => {
    const [name, value, constraint] = wrong;
    expectFault(await list({ enddate: '2026-12-31', [name]: value }), name, constraint);
  });

  it('are named at once when many are wrong [error-envelope/always-details]', async () => {
    const { body } = await list({ startdate: undefined, enddate: '', limit: 101, offset: -1, status: 'X' });
    const properties = body.error?.details?.map(({ property }) => property);
    expect(properties?.toSorted()).toEqual(['enddate', 'limit', 'offset', 'startdate', 'status']);
  });

  it.each([
    ['limit', 1, 'limits/limit'],
    ['limit', 100, 'limits/limit'],
    ['offset', 0, 'limits/offset'],
    ['offset', Number.MAX_SAFE_INTEGER, 'limits/offset'],
  ])('may be at a bound, which meta reports: %s %i [list-invoices/$0] [meta/$0] [$2]', async (name, value, _rule) => {
    const { status, body } = await list({ [name]: value });
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ [name]: value });
  });

  it.each(['status', 'search', 'limit', 'offset'])(
    'count as not sent when they are empty: %s [list-invoices/$0]',
    async (name) => {
      const { status, body } = await list({ [name]: '' });
      expect([status, body.meta]).toEqual([200, { total: 1, limit: 25, offset: 0 }]);
    },
  );

  it('may have any text in the search [list-invoices/search] [errors/rule-2]', async () => {
    for (const search of ['ñ'.repeat(120), '%_*"\'#$']) expect((await list({ search })).status).toBe(200);
  });

  it('are ignored when they are unknown, a generic sort among them [list-invoices/rule-5]', async () => {
    const { account, call } = await portal.newCaller();
    const invoices = ['2026-03-02', '2026-03-03'].map((invoiceDate) => anInvoice({ invoiceDate }));
    await seedInvoices(portal.engine, account.scope, invoices);
    const sorted = await call('list-invoices', { query: { ...march, sort: 'invoice_date', sort_by: 'city' } });
    expect(sorted.body).toEqual((await call('list-invoices', { query: march })).body);
    expect(sorted.body.data.rows).toHaveLength(2);
  });
});

describe('the range of the list', () => {
  it.each([
    ['is longer than 93 days', '2026-03-01T00:00:00Z', '2026-06-02T00:00:00.001Z', 'list-invoices/rule-2'],
    ['ends before its start', '2026-03-02', '2026-03-01', 'list-invoices/rule-3'],
    ['ends on a day that does not exist', '2026-02-01', '2026-02-30', 'list-invoices/rule-2'],
  ])('is INVALID_DATE_RANGE when it %s [$3] [codes/INVALID_DATE_RANGE]', async (_fault, startdate, enddate) => {
    const { status, body } = await list({ startdate, enddate });
    expect([status, body.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
  });

  it('may have exactly 93 days [limits/date-range]', async () => {
    expect((await list({ startdate: '2026-03-01', enddate: '2026-06-02' })).status).toBe(200);
  });
});
