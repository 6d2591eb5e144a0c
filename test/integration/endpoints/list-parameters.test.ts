import { describe, expect, it } from 'vitest';
import { usePortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

const portal = usePortal();

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };

type Query = Record<string, string | number | readonly string[] | undefined>;

/** Lists as a new caller, so that no test meets another's rate limit. */
async function list(query: Query) {
  const { call } = await portal.newCaller();
  return call('list-invoices', { query });
}

/** A query of March without one of its parameters. */
function without(name: keyof typeof march): Query {
  return Object.fromEntries(Object.entries(march).filter(([parameter]) => parameter !== name));
}

describe('GET /apidev/v1/supplier-portal/invoices', () => {
  it('answers the rows of the range, the tolerance and the page [service/list] [auth/flow-3] [list-invoices/response] [envelope/data-list] [envelope/meta-list]', async () => {
    const { account, call } = await portal.newCaller();
    const [invoice] = await seedInvoices(portal.engine, account.scope, [anInvoice()]);
    const { status, body } = await call('list-invoices', { query: march });
    expect(status).toBe(200);
    expect(body.data.rows).toMatchObject([
      { invoice_id: invoice?.invoiceId, state_code: 'PEN', state_name: 'Pendiente' },
    ]);
    expect(body.data.tolerance).toEqual({
      mode: null,
      tolerance_pct: null,
      tolerance_abs: null,
      auto_approve: false,
      source: 'ninguna',
    });
    expect(body.meta).toEqual({ total: 1, limit: 25, offset: 0 });
  });

  it('tells the total of all pages, and the limit and offset of this one [envelope/meta-list] [meta/total] [meta/limit] [meta/offset]', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice(), anInvoice(), anInvoice()]);
    const { body } = await call('list-invoices', { query: { ...march, limit: 2, offset: 1 } });
    expect([body.data.rows.length, body.meta]).toEqual([2, { total: 3, limit: 2, offset: 1 }]);
  });

  it('answers a range without invoices with success, no rows and total 0 [meta/empty]', async () => {
    const { status, body } = await list(march);
    expect(status).toBe(200);
    expect(body.data.rows).toEqual([]);
    expect(body.meta).toEqual({ total: 0, limit: 25, offset: 0 });
  });

  it.each([
    ['startdate', 'list-invoices/rule-1'],
    ['enddate', 'codes/VALIDATION_ERROR/missing'],
  ] as const)('needs %s [list-invoices/$0] [$1]', async (name, _rule) => {
    expectFault(await list(without(name)), name, 'required');
    expectFault(await list({ ...march, [name]: '' }), name, 'minLength');
  });

  it.each([
    ['status', 'enum', 'pen'],
    ['status', 'single', ['PEN', 'ENV']],
    ['limit', 'single', ['', '5']],
    ['limit', 'type', 'ten'],
    ['limit', 'type', '1.5'],
    ['limit', 'minimum', 0],
    ['limit', 'maximum', 101],
    ['offset', 'type', 'ten'],
    ['offset', 'maximum', '9007199254740992'],
  ])(
    'rejects %s that breaks %s: %j [list-invoices/$0] [codes/VALIDATION_ERROR]',
    async (property, constraint, value) => {
      expectFault(await list({ ...march, [property]: value }), property, constraint);
    },
  );

  it.each([
    ['limit', 1],
    ['limit', 100],
    ['offset', 0],
    ['offset', Number.MAX_SAFE_INTEGER],
  ])('accepts %s at its bound %i and reports it in meta [list-invoices/$0] [meta/$0]', async (name, value) => {
    const { status, body } = await list({ ...march, [name]: value });
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ [name]: value });
  });

  it.each(['PEN', 'ENV', 'APR', 'REV', 'REC', 'AJU', 'LIQ'])(
    'accepts the status %s [list-invoices/status] [states/$0] [errors/rule-2]',
    async (status) => {
      expect((await list({ ...march, status })).status).toBe(200);
    },
  );

  it.each(['', 's'.repeat(120), 'ñ'.repeat(120), '%_*"\'#$'])(
    'accepts the search %j [list-invoices/search] [errors/rule-2]',
    async (search) => {
      expect((await list({ ...march, search })).status).toBe(200);
    },
  );

  it.each(['status', 'search', 'limit', 'offset'])(
    'counts an empty %s as not sent [list-invoices/$0]',
    async (name) => {
      const { account, call } = await portal.newCaller();
      await seedInvoices(portal.engine, account.scope, [anInvoice()]);
      const { status, body } = await call('list-invoices', { query: { ...march, [name]: '' } });
      expect([status, body.meta]).toEqual([200, { total: 1, limit: 25, offset: 0 }]);
    },
  );

  it('names every invalid parameter at once [error-envelope/always-details]', async () => {
    const { body } = await list({ limit: 101, offset: -1, status: 'X', search: 's'.repeat(121) });
    const properties = body.error?.details?.map(({ property }) => property);
    expect(properties?.toSorted()).toEqual(['enddate', 'limit', 'offset', 'search', 'startdate', 'status']);
  });

  it.each([
    ['is longer than 93 days', '2026-03-01', '2026-06-03', 'list-invoices/rule-2'],
    ['ends before its start', '2026-03-02', '2026-03-01', 'list-invoices/rule-3'],
    ['starts with no date', 'yesterday', '2026-03-01', 'list-invoices/rule-2'],
    ['ends on a day that does not exist', '2026-02-01', '2026-02-30', 'list-invoices/rule-2'],
  ])(
    'answers 400 INVALID_DATE_RANGE when the range %s [$3] [codes/INVALID_DATE_RANGE]',
    async (_fault, startdate, enddate) => {
      const { status, body } = await list({ startdate, enddate });
      expect([status, body.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
    },
  );

  it('judges bad parameters before the range', async () => {
    expectFault(await list({ startdate: '2026-03-02', enddate: '2026-03-01', limit: 0 }), 'limit', 'minimum');
  });

  it('accepts a range of exactly 93 days [limits/date-range]', async () => {
    expect((await list({ startdate: '2026-03-01', enddate: '2026-06-02' })).status).toBe(200);
  });

  it('ignores unknown parameters, a generic sort among them [list-invoices/rule-5]', async () => {
    const { account, call } = await portal.newCaller();
    const invoices = ['2026-03-02', '2026-03-03'].map((invoiceDate) => anInvoice({ invoiceDate }));
    await seedInvoices(portal.engine, account.scope, invoices);
    const sorted = await call('list-invoices', { query: { ...march, sort: 'invoice_date', sort_by: 'city' } });
    expect(sorted.body).toEqual((await call('list-invoices', { query: march })).body);
    expect(sorted.body.data.rows).toHaveLength(2);
  });
});

describe('the parameters of the list', () => {
  it.each([
    [{ startdate: undefined }, 'startdate', 'required'],
    [{ startdate: '' }, 'startdate', 'minLength'],
    [{ enddate: undefined }, 'enddate', 'required'],
    [{ limit: 0 }, 'limit', 'minimum'],
    [{ limit: 101 }, 'limit', 'maximum'],
    [{ limit: '1.5' }, 'limit', 'type'],
    [{ offset: -1 }, 'offset', 'minimum'],
    [{ offset: 'x' }, 'offset', 'type'],
    [{ status: 'NON' }, 'status', 'enum'],
    [{ search: 'x'.repeat(121) }, 'search', 'maxLength'],
    [{ limit: ['1', '2'] }, 'limit', 'single'],
  ])('%j is a VALIDATION_ERROR that names %s', async (query, property, constraint) => {
    // The range is wrong as well, which is not judged before every parameter is right.
    const { body } = await list({ ...march, startdate: '2026-12-31', ...query });
    expect(body.error?.code).toBe('VALIDATION_ERROR');
    expect(body.error?.details).toMatchObject([{ property, constraints: { [constraint]: expect.any(String) } }]);
  });

  it.each([
    ['2026-03-01', '2026-06-03', 'a range of 94 days'],
    ['2026-03-01T00:00:00Z', '2026-06-02T00:00:00.001Z', 'a range of a moment more than 93 days'],
    ['2026-03-02', '2026-03-01', 'an end before the start'],
    ['2026-02-30', '2026-03-01', 'a day that does not exist'],
    ['01/03/2026', '2026-03-01', 'a start that is not ISO'],
    ['2026-03-01', 'today', 'an end that is not ISO'],
  ])('%s to %s is INVALID_DATE_RANGE: %s', async (startdate, enddate) => {
    const { status, body } = await list({ startdate, enddate });
    expect([status, body.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
  });

  it('allow a range of exactly 93 days and limits of 1 and 100', async () => {
    expect((await list({ startdate: '2026-03-01', enddate: '2026-06-02', limit: 1 })).status).toBe(200);
    expect((await list({ ...march, limit: 100, offset: 1_000_000 })).status).toBe(200);
  });
});
