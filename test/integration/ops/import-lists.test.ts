import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runOps } from '../../support/ops/run-ops.ts';
import type { Account } from '../../support/data/seed.ts';
import { rightCounters } from '../../support/data/stored-invoices.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = usePortal();
let account: Account;
let call: Invoke;

beforeEach(async () => {
  ({ account, call } = await portal.newCaller());
});

/** Imports a file with this text into the tenant of the caller. */
async function importText(name: string, text: string, ...options: string[]) {
  writeFileSync(join(directory, name), text);
  const args = ['import-invoices', name, '--tenant', account.scope.tenant, ...options];
  const { code, stdout } = await runOps(portal.engine.endpoint, ...args);
  return { code, stdout };
}

const ndjson = (...records: object[]) =>
  records.map((record) => `${JSON.stringify({ supplier_id: account.scope.supplierId, ...record })}\n`).join('');

async function list(startdate: string, enddate: string) {
  const { status, body } = await call('list-invoices', { query: { startdate, enddate } });
  expect(status).toBe(200);
  return (body.data as { rows: { invoice_id: string }[] }).rows;
}

const idsOf = async (startdate: string, enddate: string) =>
  (await list(startdate, enddate)).map(({ invoice_id: id }) => id).toSorted();

describe('an invoice that a file with few columns changes', () => {
  it('keeps everything else, and its place in the list of its month', async () => {
    const { supplierId } = account.scope;
    const others = { invoice_date: '2026-08-24', service_number: 'OS-1', provider_invoice_number: 'A-1' };
    await importText('all.ndjson', ndjson({ invoice_id: '1', service_id: '5', system_amount: 90, ...others }));
    const states = `invoice_id,supplier_id,system_amount,state_code,city\n1,${supplierId},95,LIQ,\n`;
    expect((await importText('states.csv', states)).stdout).toContain('0 created, 1 changed, 0 unchanged');
    const changed = { ...others, system_amount: 95, state_code: 'LIQ' };
    expect(await list('2026-08-24', '2026-08-24')).toMatchObject([changed]);
    expect(await rightCounters(portal.engine, account.scope)).toEqual({ '2026-08-24 LIQ': 1 });
  });
});

describe('a day of Argentina', () => {
  const zonedDay = ['2026-08-31T00:00:00-03:00', '2026-08-31T23:59:59-03:00'] as const;
  const dates = ['2026-08-31', '2026-08-31T22:30:00', '2026-08-31T23:00:00Z', '2026-08-30', '2026-09-01'];
  const records = dates.map((invoice_date, index) => ({
    ...{ invoice_id: `${1 + index}`, invoice_date, service_id: '5', system_amount: 1 },
  }));

  it('has its invoices by its bare date and by its zone, once a file without one is imported again with it', async () => {
    const text = ndjson(...records);
    await importText('zone.ndjson', text);
    expect(await idsOf(...zonedDay)).toEqual(['2', '3', '5']);
    const { stdout } = await importText('zone.ndjson', text, '--zone', '-03:00');
    expect(stdout).toContain('0 created, 4 changed, 1 unchanged');
    await rightCounters(portal.engine, account.scope);
    // Late in the evening, it is the next day in UTC.
    expect(await idsOf('2026-08-31', '2026-08-31')).toEqual(['1', '3']);
    expect(await idsOf(...zonedDay)).toEqual(['1', '2', '3']);
    expect((await importText('zone.ndjson', text, '--zone', '-03:00')).stdout).toContain('5 unchanged');
  });
});

describe('a state that an import does not take over', () => {
  it('because the supplier has declared, is counted and named, also in a dry run', async () => {
    const invoices = ['1', '2', '3'].map((id) => ({ invoice_id: id, service_id: '5', system_amount: 90 }));
    await importText('new.ndjson', ndjson(...invoices));
    for (const id of ['1', '2']) await call('declare-invoice', { body: { invoice_id: id, amount: 95 } });
    const states = ndjson(
      { invoice_id: '1', state_code: 'LIQ', city: 'Salta' },
      { invoice_id: '2', state_code: 'REC' },
      { invoice_id: '3', state_code: 'LIQ' },
    );
    const said =
      '2 states not taken over: the supplier has declared (1: LIQ, stays REV; 2: REC, stays REV); decide moves them\n';
    const dryRun = await importText('states.ndjson', states, '--dry-run');
    expect(dryRun.stdout).toBe(`0 created, 2 changed, 1 unchanged, 0 rejected\n${said}Dry run: nothing was written.\n`);
    expect(await importText('states.ndjson', states)).toEqual({
      code: 0,
      stdout: `0 created, 2 changed, 1 unchanged, 0 rejected\n${said}`,
    });
    const stays = { supplier_id: account.scope.supplierId, stays: 'REV' };
    expect(JSON.parse((await importText('states.ndjson', states, '--json')).stdout)).toMatchObject({
      unchanged: 3,
      states_not_taken_over: {
        count: 2,
        first: [
          { ...stays, invoice_id: '1', state_code: 'LIQ' },
          { ...stays, invoice_id: '2', state_code: 'REC' },
        ],
      },
    });
  });
});
