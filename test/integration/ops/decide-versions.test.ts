import { beforeEach, expect, it } from 'vitest';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;

// The invoice 1 has version 1. Each change of its state or its withdrawal increases the version by one.
beforeEach(async () => {
  company = await createOpsTenant(engine);
  await company.importRecords([{ invoice_id: '1' }]);
});

const setStates = async (...states: string[]) => {
  for (const state of states) await company.run('set-state', '1', state, '--reason', 'A later decision');
};
const withdraw = () => company.run('withdraw-invoice', '1', '--reason', 'Twice');
const restore = () => company.run('restore-invoice', '1', '--reason', 'Not twice');

it.each<[what: string, prepare: () => Promise<unknown>, row: object, error: string]>([
  ['another state', () => setStates('REC'), { state_code: 'PEN', decision: 'APR' }, 'state_code: PEN → REC'],
  [
    'an old version, although the state is the same again',
    () => setStates('REC', 'PEN'),
    { state_code: 'PEN', version: 1, decision: 'APR' },
    'version: 1 → 3: the invoice has changed since the sheet was exported',
  ],
  [
    'WITHDRAW and no version',
    async () => undefined,
    { decision: 'WITHDRAW' },
    'version: is required to withdraw or restore an invoice; export the sheet again',
  ],
  ['RESTORE and no version', withdraw, { decision: 'RESTORE' }, 'version: is required to withdraw or restore'],
  [
    'WITHDRAW and the version before another person withdrew and restored the invoice',
    async () => [await withdraw(), await restore()],
    { version: 1, decision: 'WITHDRAW' },
    'version: 1 → 3: ',
  ],
  [
    'RESTORE and the version before another person restored and withdrew the invoice again',
    async () => [await withdraw(), await restore(), await withdraw()],
    { version: 2, decision: 'RESTORE' },
    'version: 2 → 4: ',
  ],
])('decide rejects a row of an old sheet with %s', async (_, prepare, row, error) => {
  await prepare();
  const before = await readStoredInvoices(engine, company.scope);
  const { code, stdout } = await company.decide([{ invoice_id: '1', revision: 0, ...row }]);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`1 × ${error}`)]);
  expect(await readStoredInvoices(engine, company.scope)).toEqual(before);
});

it.each<[what: string, prepare: () => Promise<unknown>, row: object]>([
  ['APR', () => setStates('REC', 'APR'), { state_code: 'PEN', version: 1, decision: 'APR' }],
  ['WITHDRAW', withdraw, { version: 1, decision: 'WITHDRAW' }],
  ['RESTORE', async () => [await withdraw(), await restore()], { version: 2, decision: 'RESTORE' }],
])('decide accepts an old row whose decision %s is already in effect, and writes nothing', async (_, prepare, row) => {
  await prepare();
  const { code, stdout } = await company.decide([{ invoice_id: '1', revision: 0, ...row }]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 decided, 1 unchanged')]);
});
