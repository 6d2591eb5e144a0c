import { expect, it } from 'vitest';
import { expectFault } from '../../support/answers/answer.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };

type Query = Record<string, string | number | readonly string[] | undefined>;

/** Lists as a new caller. */
async function list(query: Query) {
  const { call } = await portal.newCaller();
  return call('list-invoices', { query: { ...march, ...query } });
}

it.each<[name: string, value: Query[string], constraint: string, rule: string]>([
  ['startdate', undefined, 'required', 'list-invoices/rule-1'],
  ['enddate', '', 'minLength', 'codes/VALIDATION_ERROR/missing'],
  ['status', 'pen', 'enum', 'codes/VALIDATION_ERROR'],
  ['search', 's'.repeat(121), 'maxLength', 'codes/VALIDATION_ERROR'],
  ['limit', 101, 'maximum', 'codes/VALIDATION_ERROR/range'],
  ['limit', ['', '5'], 'single', 'codes/VALIDATION_ERROR'],
  ['offset', 'ten', 'type', 'codes/VALIDATION_ERROR/type'],
])(
  'list-invoices names the parameter %s if it is %j, and does not check the range [list-invoices/$0] [$3]',
  async (...wrong) => {
    const [name, value, constraint] = wrong;
    expectFault(await list({ enddate: '2026-12-31', [name]: value }), name, constraint);
  },
);

it('list-invoices names all invalid parameters [error-envelope/always-details]', async () => {
  const { body } = await list({ startdate: undefined, enddate: '', limit: 101, offset: -1, status: 'X' });
  const properties = body.error?.details?.map(({ property }) => property);
  expect(properties?.toSorted()).toEqual(['enddate', 'limit', 'offset', 'startdate', 'status']);
});

it('list-invoices ignores unknown parameters, such as a generic sort [list-invoices/rule-5]', async () => {
  const { account, call } = await portal.newCaller();
  const invoices = ['2026-03-02', '2026-03-03'].map((invoiceDate) => anInvoice({ invoiceDate }));
  await seedInvoices(portal.engine, account.scope, invoices);
  const sorted = await call('list-invoices', { query: { ...march, sort: 'invoice_date', sort_by: 'city' } });
  expect(sorted.body).toEqual((await call('list-invoices', { query: march })).body);
  expect(sorted.body.data.rows).toHaveLength(2);
});

it('list-invoices rejects a range that ends before its start [list-invoices/rule-3] [codes/INVALID_DATE_RANGE]', async () => {
  const { status, body } = await list({ startdate: '2026-03-02', enddate: '2026-03-01' });
  expect([status, body.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
});
