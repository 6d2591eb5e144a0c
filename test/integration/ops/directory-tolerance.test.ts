import { describe, expect, it } from 'vitest';
import type { Invoke } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { runOps } from '../../support/ops/run-ops.ts';

const portal = usePortal();

const ops = (...args: string[]) => runOps(portal.engine.endpoint, ...args);

/** The tolerance that the service applies to a caller. */
async function toleranceOf(call: Invoke): Promise<unknown> {
  const { body } = await call('list-invoices', { query: { startdate: '2026-06-01', enddate: '2026-06-30' } });
  return body.data.tolerance;
}

describe('set-tolerance and clear-tolerance', () => {
  it('change what applies to a supplier, and show the difference', async () => {
    const { account, call } = await portal.newCaller();
    const { tenant, supplierId } = account.scope;
    const mine = [tenant, '--supplier', supplierId];

    const global = await ops('set-tolerance', tenant, '--mode', 'PCT', '--pct', '10', '--no-auto-approve');
    expect(global).toEqual({
      code: 0,
      stdout: [
        `changed   tenant ${tenant}`,
        '    tolerance.mode: (none) -> PCT',
        '    tolerance.tolerance_pct: (none) -> 10',
        '    tolerance.auto_approve: (none) -> false',
        '',
      ].join('\n'),
      stderr: '',
    });
    const applied = { mode: 'PCT', tolerance_pct: 10, tolerance_abs: null, auto_approve: false, source: 'global' };
    expect(await toleranceOf(call)).toEqual(applied);

    const both = ['--mode', 'AMB', '--pct', '2.5', '--abs', '40', '--auto-approve'];
    await ops('set-tolerance', ...mine, ...both);
    const own = { mode: 'AMB', tolerance_pct: 2.5, tolerance_abs: 40, auto_approve: true, source: 'proveedor' };
    expect(await toleranceOf(call)).toEqual(own);
    expect((await ops('set-tolerance', ...mine, ...both)).stdout).toContain('It has this tolerance already.\n');
    const changed = await ops(
      'set-tolerance',
      ...mine,
      '--mode',
      'AMB',
      '--pct',
      '7.5',
      '--abs',
      '40',
      '--auto-approve',
    );
    expect(changed.stdout).toBe(
      `changed   supplier ${supplierId} of ${tenant}\n    tolerance.tolerance_pct: 2.5 -> 7.5\n`,
    );

    expect((await ops('clear-tolerance', ...mine)).stdout).toContain('    tolerance.mode: AMB -> (none)\n');
    expect(await toleranceOf(call)).toEqual(applied);
    expect((await ops('clear-tolerance', ...mine)).stdout).toContain('It has no tolerance of its own.\n');
    await ops('clear-tolerance', tenant);
    expect(await toleranceOf(call)).toMatchObject({ mode: null, source: 'ninguna' });
  });

  it.each([
    [['--mode', 'PCT', '--pct', '5'], 'Say one: --auto-approve or --no-auto-approve.'],
    [['--pct', '5', '--auto-approve'], "required option '--mode <mode>' not specified"],
    [['--mode', 'XYZ', '--auto-approve'], 'Allowed choices are PCT, ABS, AMB.'],
    [['--mode', 'PCT', '--abs', '5', '--auto-approve'], '--pct is required in mode PCT.'],
    [['--mode', 'ABS', '--abs', '1.0000001', '--auto-approve'], 'with at most 6 decimals.'],
  ])('take no tolerance that a file could not configure (%j)', async (options, reason) => {
    const { account, call } = await portal.newCaller();
    const run = await ops('set-tolerance', account.scope.tenant, ...options);
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await toleranceOf(call)).toMatchObject({ mode: null });
  });
});
