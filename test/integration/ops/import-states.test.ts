import { beforeEach, expect, it, vi } from 'vitest';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { createDocumentClient } from '../../../lib/tables/dynamodb/document-client.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredStateChanges } from '../../support/data/stored-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;
beforeEach(async () => void (company = await createOpsTenant(engine)));

/** Imports the invoices 1, 2 and so on with these states. */
const importStates = (states: readonly string[], ...options: readonly string[]) =>
  company.importRecords(
    states.map((state_code, index) => ({ invoice_id: `${index + 1}`, state_code })),
    ...options,
  );
const readStates = async () => {
  const invoices = await readStoredInvoices(engine, company.scope);
  return [...invoices.values()].map((invoice) => invoice['state_code']);
};

it('an import prints which states it changes, also in a dry run and in JSON', async () => {
  await importStates(['ENV', 'PEN', 'PEN', 'APR']);
  const changed = ['PEN', 'LIQ', 'LIQ', 'APR'];
  const line = 'states changed: ENV → PEN 1, PEN → LIQ 2\n';
  expect((await importStates(changed, '--dry-run')).stdout).toContain(line);
  const { stdout } = await importStates(changed, '--dry-run', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ states_changed: { 'ENV → PEN': 1, 'PEN → LIQ': 2 } });
  expect(await readStates()).toEqual(['ENV', 'PEN', 'PEN', 'APR']);
  expect((await importStates(changed)).stdout).toContain(line);
  expect(await readStates()).toEqual(changed);
});

it('an import undoes a settlement, a rejection or an adjustment only with --force, and records the reason', async () => {
  await importStates(['LIQ', 'REC', 'AJU', 'APR']);
  const rejected = await importStates(['PEN', 'PEN', 'PEN', 'PEN']);
  expect([rejected.code, rejected.stdout]).toEqual([
    1,
    expect.stringContaining('0 created, 1 changed, 0 unchanged, 3 rejected\nstates changed: APR → PEN 1\n'),
  ]);
  expect(rejected.stdout).toContain('state_code: LIQ → PEN, but the company has set LIQ; to change it, pass --force');
  expect(await readStates()).toEqual(['LIQ', 'REC', 'AJU', 'PEN']);
  const forced = await importStates(['PEN', 'PEN', 'PEN', 'PEN'], '--force', '--reason', 'The ERP is right');
  expect(forced.stdout).toContain('states changed: AJU → PEN 1, LIQ → PEN 1, REC → PEN 1\n');
  const changes = await readStoredStateChanges(engine, company.scope, '1');
  expect(changes).toMatchObject([{ from_state: 'LIQ', to_state: 'PEN', reason: 'The ERP is right' }]);
});

it('an invoice contains the id of the command that created it, and a later import does not change this id', async () => {
  await importStates(['PEN']);
  const commandId = await company.readLastCommandId();
  await importStates(['ENV', 'PEN']);
  const stored = await readStoredInvoices(engine, company.scope);
  expect(stored.get('1')).toMatchObject({ created_by: commandId, version: 2 });
  expect(stored.get('2')).toMatchObject({ created_by: await company.readLastCommandId(), version: 1 });
});

it('a command never sends a change that is older than five minutes, but has it planned again', async () => {
  for (const [name, value] of Object.entries(buildEngineEnvironment(engine.endpoint))) vi.stubEnv(name, value);
  const client = createDocumentClient();
  const { commit } = createAdminPorts({ ...engine, client });
  const buildChange = (ageMs: number) => {
    return { before: null, after: buildInvoice({ changedAt: new Date(Date.now() - ageMs).toISOString() }) };
  };
  const [recent, old] = [buildChange(0), buildChange(5 * 60_000)];
  expect(await commit(company.scope, [recent, old])).toEqual({ kind: 'replan', current: new Map() });
  expect((await readStoredInvoices(engine, company.scope)).size).toBe(0);
  expect(await commit(company.scope, [recent])).toEqual({ kind: 'committed' });
  client.destroy();
  vi.unstubAllEnvs();
});
