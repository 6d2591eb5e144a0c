import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { createErasableTenant, type ErasableTenant } from '../../support/ops/erasable-tenant.ts';
import { runCli } from '../../support/ops/run-ops.ts';
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

it('erase-supplier completes if the first transactions are throttled', { tags: 'long' }, async () => {
  portal.proxy.injectFault({ how: 'throttled-item', table: 'Invoices', times: 5 });
  expect(await fixture.run('erase-supplier', '5001')).toMatchObject({ code: 0, stderr: '' });
});

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

it('an invoice that an import creates before the record of the supplier is erased is erased, too', async () => {
  const call = { operation: 'TransactWriteItems', mentioning: 'SUPPLIER#5001', times: 1 } as const;
  portal.proxy.injectFault({ how: 'delay-request', ...call, wait: () => fixture.create('9') });
  const { code, stdout } = await fixture.run('erase-supplier', '5001');
  expect([code, stdout]).toEqual([0, expect.stringContaining(': 4 invoices with their histories')]);
  expect(await fixture.readItems(`${fixture.tenant}#5001`)).toEqual([]);
});
