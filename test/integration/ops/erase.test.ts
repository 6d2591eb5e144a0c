import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { applyFile, company, supplier } from '../../support/ops/apply-lists.ts';
import { createErasableTenant, type ErasableTenant } from '../../support/ops/erasable-tenant.ts';
import { KEYS, runOnTerminal } from '../../support/ops/run-ops.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
let fixture: ErasableTenant;
beforeEach(async () => void (fixture = await createErasableTenant(portal)));

it('erase-supplier erases all data of a supplier, and leaves other suppliers and the cursors of exports', async () => {
  const { run, exportAmounts, readItems, tenant } = fixture;
  const cursor = ['--cursor-file', join(await mkdtemp(join(tmpdir(), 'erase-')), 'cursor')];
  expect(await exportAmounts(...cursor)).toEqual([800, 900, 901, 902]);
  const { code, stdout } = await run('erase-supplier', '5001');
  expect([code, stdout.split('\n')[0]]).toEqual([
    0,
    `Erased from supplier 5001 (Supplier) of ${tenant}: 3 invoices with their histories, 1 users.`,
  ]);
  expect(await readItems(`${tenant}#5001`)).toEqual([]);
  const erasedUser = expect.objectContaining({ user_id: '100', erased_at: expect.anything() });
  expect((await readItems(`TENANT#${tenant}#USER#`))[0]).toEqual(erasedUser);
  expect(JSON.stringify(await readItems(tenant))).not.toMatch(/Ana@x|request-5001/i);
  expect((await run('export')).stdout).not.toContain('5001');

  expect(await exportAmounts()).toEqual([800]);
  await fixture.declare(fixture.other, '70', 801);
  expect(await exportAmounts(...cursor)).toEqual([801]);
  expect((await run('verify')).stdout).toContain('3 invoices compared with their histories, 0 differ.');
  const again = await run('erase-supplier', '5001');
  expect([again.code, again.stderr]).toEqual([2, `The supplier 5001 of ${tenant} does not exist.\n`]);
});

it('erase-tenant erases all data of a tenant', async () => {
  const { run, tenant, readItems, exportAmounts } = fixture;
  // A user that is already erased does not count.
  await run('erase-user', '200');
  const { code, stdout } = await run('erase-tenant');
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`tenant ${tenant}: 6 invoices with their histories, 1 users.\n`),
  ]);
  expect(await readItems(tenant)).toEqual([]);
  expect(JSON.stringify(await readItems('APIKEY#'))).not.toContain(tenant);
  // A tenant that is created again has only its new data.
  await applyFile(portal.engine, tenant, { companies: [company], suppliers: [{ ...supplier, supplier_id: '5001' }] });
  await fixture.create('7');
  await fixture.declare(fixture.erased, '7', 5);
  expect(await exportAmounts()).toEqual([5]);
});

it('erase-supplier requires that the users of the supplier are inactive, or that its company is suspended', async () => {
  const { run, tenant, readItems } = fixture;
  await run('resume-company', company.company_id);
  const before = await readItems(tenant);
  const { code, stderr } = await run('erase-supplier', '6001');
  const error = `Nothing was erased: user 200 of the supplier is active. Run deactivate-user ${tenant} 200 first.\n`;
  expect([code, stderr]).toEqual([2, error]);
  expect(await readItems(tenant)).toEqual(before);
  expect((await run('erase-supplier', '5001')).code).toBe(0);
  await run('suspend-company', company.company_id);
  expect((await run('erase-supplier', '6001')).code).toBe(0);
});

it('erase-supplier asks for the typed id, and erases nothing without it', async () => {
  const { tenant, readItems } = fixture;
  const before = await readItems(tenant);
  const ask = (answer: string) => {
    const answers = { 'type 5001:': `${answer}${KEYS.enter}` };
    return runOnTerminal(portal.engine.endpoint, ['erase-supplier', tenant, '5001'], '', { answers });
  };
  const no = await ask('y');
  expect([no.code, no.stderr]).toEqual([
    130,
    expect.stringMatching(/ with all its invoices and 1 user\? No command can undo it\./),
  ]);
  expect(await readItems(tenant)).toEqual(before);
  expect((await ask('5001')).code).toBe(0);
});

it('erase-tenant requires that all companies are suspended', async () => {
  const { run, tenant } = fixture;
  await run('resume-company', company.company_id);
  const { code, stderr } = await run('erase-tenant');
  const error = `Nothing was erased: company 1 is not suspended. Run suspend-company ${tenant} 1 first.\n`;
  expect([code, stderr]).toEqual([2, error]);
});
