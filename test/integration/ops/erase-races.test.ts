import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import type { Fault } from '../../support/engine/engine-faults.ts';
import { company } from '../../support/ops/apply-lists.ts';
import { createErasableTenant, type ErasableTenant } from '../../support/ops/erasable-tenant.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import type { ScriptRun } from '../../support/processes/run-script.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
const WRITES = /^(?:Transact?Write|Put|Update|Delete)/;
let fixture: ErasableTenant;
beforeEach(async () => void (fixture = await createErasableTenant(portal)));

it.each(['close-connection', 'lose-response'] as const)(
  'an erasure that ends at any write (%s) is continued by another run, and each run leaves an entry',
  { tags: 'long' },
  async (how) => {
    const { run, exportAmounts, readItems, tenant } = fixture;
    const codes: unknown[] = [];
    // If the last response is lost, another run no longer finds the supplier.
    while (codes.at(-1) !== 0 && codes.at(-1) !== 2) {
      let writes = 0;
      portal.proxy.onCall = (operation) => {
        // Each run erases more than the run before. WRITES does not match the entry of the operator record.
        if (WRITES.test(operation) && writes++ === 1) portal.proxy.injectFault({ how });
      };
      codes.push((await run('erase-supplier', '5001')).code);
      portal.proxy.onCall = () => undefined;
      portal.proxy.reset();
      expect(await exportAmounts()).toContain(800);
      expect((await run('verify')).code).toBe(0);
    }
    expect(codes.length).toBeGreaterThan(2);
    expect(await readItems(`${tenant}#5001`)).toEqual([]);
    expect(await exportAmounts()).toEqual([800]);
    const { entries } = JSON.parse((await run('audit', '--json')).stdout) as { entries: OperatorEntry[] };
    const erasures = entries.filter(({ command }) => command === 'erase-supplier');
    expect(erasures).toHaveLength(codes.filter((code) => code !== 2).length);
  },
);

it.each(['BatchGetItem', 'TransactWriteItems', 'DeleteItem'])(
  'two erasures of a tenant at the same time erase everything, and each ends or prints what to do (%s)',
  { tags: 'long' },
  async (operation) => {
    const { run, tenant } = fixture;
    let otherRun: Promise<ScriptRun> | undefined;
    const wait = () => (otherRun ??= runOps(portal.engine.endpoint, 'erase-tenant', tenant));
    portal.proxy.injectFault({ how: 'delay-request', operation, times: 1, wait });
    const own = await run('erase-tenant');
    expect([(await otherRun)?.code, own.stderr]).toEqual([0, expect.stringMatching(/^$|does not exist\.$|again\.$/m)]);
    expect((await run('erase-tenant')).stderr).toBe(`Tenant ${tenant} does not exist.\n`);
    expect(await fixture.readItems(tenant)).toEqual([]);
  },
);

it.each<[what: string, fault: Fault, isDone: boolean]>([
  ['some calls are throttled', { how: 'throttle', share: 0.2 }, true],
  ['some transactions are throttled', { how: 'throttled-item', table: 'Invoices', times: 5 }, true],
  ['all transactions are throttled', { how: 'throttle', operation: 'TransactWriteItems' }, false],
])(
  'withdraw-invoice and erase-supplier complete, or fail and another run completes, if %s',
  { tags: 'long' },
  async (_, fault, isDone) => {
    const { run } = fixture;
    const withdraw = () => run('withdraw-invoice', '7', '--supplier', '6001', '--revision', '1', '--reason', 'x');
    for (const command of [withdraw, () => run('erase-supplier', '5001')]) {
      portal.proxy.injectFault(fault);
      const { code, stderr } = await command();
      const error = 'The level is exceeded.';
      expect([code, stderr]).toEqual([isDone ? 0 : 3, isDone ? '' : expect.stringContaining(error)]);
      portal.proxy.reset();
      // After a run that completed, the invoice or supplier is no longer found.
      expect((await command()).code).toBe(isDone ? 2 : 0);
    }
  },
);

it('Ctrl-C ends an erasure after the current invoices, and another run continues it', async () => {
  const host = new EventEmitter();
  portal.proxy.onCall = (operation) => void (operation === 'TransactWriteItems' && host.emit('SIGINT'));
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint };
  const stopped = await runCli(['erase-tenant', fixture.tenant, '--yes', '--local'], { env, host });
  expect([stopped.code, stopped.stdout.split('\n')[1]]).toEqual([
    130,
    'Interrupted. To continue, run the command again.',
  ]);
  expect((await fixture.run('erase-tenant')).code).toBe(0);
  expect(await fixture.readItems(fixture.tenant)).toEqual([]);
});

it('a declaration that is committed during an erasure is erased, too', async () => {
  const wait = () => fixture.declare(fixture.erased, '7', 903);
  portal.proxy.injectFault({ how: 'delay-request', operation: 'TransactWriteItems', times: 1, wait });
  await fixture.run('erase-supplier', '5001');
  expect(await fixture.readItems(`${fixture.tenant}#5001`)).toEqual([]);
  expect(await fixture.exportAmounts()).toEqual([800]);
});

/** Runs a function before the transaction that erases the record of the supplier. */
function runBeforeSupplierIsErased(wait: () => Promise<unknown>): void {
  const call = { operation: 'TransactWriteItems', mentioning: 'SUPPLIER#5001', times: 1 } as const;
  portal.proxy.injectFault({ how: 'delay-request', ...call, wait });
}

it('an invoice that an import creates before the record of the supplier is erased is erased, too', async () => {
  runBeforeSupplierIsErased(() => fixture.create('9'));
  const { code, stdout } = await fixture.run('erase-supplier', '5001');
  expect([code, stdout]).toEqual([0, expect.stringContaining(': 4 invoices with their histories')]);
  expect(await fixture.readItems(`${fixture.tenant}#5001`)).toEqual([]);
});

it('erase-supplier keeps the only supplier of a company that is resumed meanwhile, and another run erases it', async () => {
  const { run, tenant, readItems } = fixture;
  await run('deactivate-user', '200');
  await run('erase-supplier', '6001');
  runBeforeSupplierIsErased(() => run('resume-company', company.company_id));
  const { code, stderr } = await run('erase-supplier', '5001');
  expect([code, stderr]).toEqual([3, expect.stringContaining('Others have changed the supplier')]);
  await run('suspend-company', company.company_id);
  expect((await run('erase-supplier', '5001')).code).toBe(0);
  expect(await readItems(`${tenant}#5001`)).toEqual([]);
});
