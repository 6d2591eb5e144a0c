import { expect, it } from 'vitest';
import { usePortal } from '../../support/setup/use-portal.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { runOps } from '../../support/ops/run-ops.ts';

const portal = usePortal();

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);

/** Reads the tolerance that the service applies to a caller. */
async function readTolerance(call: Invoke): Promise<unknown> {
  const { body } = await call('list-invoices', { query: { startdate: '2026-06-01', enddate: '2026-06-30' } });
  return body.data.tolerance;
}

it('set-tolerance and clear-tolerance change the tolerance that applies, and show the difference', async () => {
  const { account, call } = await portal.newCaller();
  const { tenant, supplierId } = account.scope;
  const supplierArgs = [tenant, '--supplier', supplierId];

  await runCommand('set-tolerance', tenant, '--mode', 'PCT', '--pct', '10', '--no-auto-approve');
  const applied = { mode: 'PCT', tolerance_pct: 10, tolerance_abs: null, auto_approve: false, source: 'global' };
  expect(await readTolerance(call)).toEqual(applied);

  const both = ['--mode', 'AMB', '--pct', '2.5', '--abs', '40', '--auto-approve'];
  await runCommand('set-tolerance', ...supplierArgs, ...both);
  const own = { mode: 'AMB', tolerance_pct: 2.5, tolerance_abs: 40, auto_approve: true, source: 'proveedor' };
  expect(await readTolerance(call)).toEqual(own);
  const { stdout } = await runCommand('set-tolerance', ...supplierArgs, ...both.with(3, '7.5'));
  expect(stdout).toBe(`changed   supplier ${supplierId} of ${tenant}\n    tolerance.tolerance_pct: 2.5 -> 7.5\n`);

  const cleared = await runCommand('clear-tolerance', ...supplierArgs);
  expect(cleared.stdout).toContain('    tolerance.mode: AMB -> (none)\n');
  expect(await readTolerance(call)).toEqual(applied);
  await runCommand('clear-tolerance', tenant);
  expect(await readTolerance(call)).toMatchObject({ mode: null, source: 'ninguna' });
});

it('set-tolerance warns only of a percentage above 100 that applies', async () => {
  const { tenant } = (await portal.newCaller()).account.scope;
  const limits = ['--abs', '1', '--auto-approve', '--pct'];
  const runs = [
    ['PCT', '100.5'],
    ['PCT', '100'],
    ['ABS', '100.5'],
  ].map(([mode = '', pct = '']) => runCommand('set-tolerance', tenant, ...limits, pct, '--mode', mode));
  const warnings = (await Promise.all(runs)).map(({ stderr }) => stderr);
  expect(warnings).toEqual([expect.stringMatching(/^Warning: a percentage above 100 includes the amount 0/), '', '']);
});

it.each([
  [['--mode', 'PCT', '--pct', '5'], 'Pass --auto-approve or --no-auto-approve.'],
  [['--mode', 'PCT', '--abs', '5', '--auto-approve'], 'tenant.tolerance.tolerance_pct: is required in mode PCT'],
  [['--mode', 'PCT', '--pct', '', '--auto-approve'], 'The value must be a number.'],
  [['--mode', 'ABS', '--abs', '1.0000001', '--auto-approve'], 'with at most 6 decimals'],
])('set-tolerance rejects a tolerance that a file could not contain (%j)', async (options, reason) => {
  const { tenant } = (await portal.newCaller()).account.scope;
  const run = await runCommand('set-tolerance', tenant, ...options);
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
});
