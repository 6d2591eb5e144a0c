import { beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { IMPORTER } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;
const fivePercent = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true } as const;

const portal = usePortal();
let tenant: string;
let ana: SupplierScope;
let bruno: SupplierScope;

// The tenant has a global tolerance of 5 %, which applies to ana. bruno has a tolerance of 5 % of his own.
beforeEach(async () => {
  tenant = `t${newId()}.example`;
  const overrides = { tenant: { tenant, tolerance: fromTolerance(fivePercent) } };
  ana = (await seedAccount(portal.engine, overrides)).scope;
  bruno = (await seedAccount(portal.engine, { ...overrides, supplier: { tolerance: fromTolerance(fivePercent) } }))
    .scope;
});

/** Declares these amounts on one new invoice, one after the other, with a tolerance of 5 %. */
async function declare(
  scope: SupplierScope,
  system: string,
  amounts: readonly number[],
  { at = NOW_MS - HOUR_MS, by = '1', state = 'PEN' }: { at?: number; by?: string; state?: StateCode } = {},
) {
  const [invoice] = await seedInvoices(portal.engine, scope, [buildInvoice({ systemAmount: decimal(system), state })]);
  const context = { tolerance: selectTolerance(null, fivePercent), userId: by, now: new Date(at) };
  for (const amount of amounts)
    await declareInNewStore(portal.engine, scope, { invoiceId: invoice?.invoiceId ?? '', amount }, context);
}

const simulate = (...args: string[]) => runOps(portal.engine.endpoint, 'simulate-tolerance', tenant, ...args);

it('simulate-tolerance shows what a lower global limit would change, with exact totals', async () => {
  // Differences of 5 %, 5.001 % and 0.01 %: approved, reviewed, approved.
  await declare(ana, '1000', [1050, 1050.01, 1000.1]);
  // Differences of exactly 3 %, and of 200 %.
  await declare(ana, '0.2', [0.206, 0.6]);
  // A difference of -4 %.
  await declare(ana, '100', [96]);
  await declare(bruno, '1000', [1040, 1]);

  const { code, stdout, stderr } = await simulate('--mode', 'PCT', '--pct', '3');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(
      /^Proposed: PCT 3 %, auto-approve \(global\)\. Declarations since \d{4}-\d\d-\d\dT[\d:.]{12}Z:$/,
    ),
    'was           would be      declarations  declared  difference',
    'AUTO_APPROVE  REVIEW        2             1146      46',
    'REVIEW        AUTO_APPROVE  0             0         0',
    'AUTO_APPROVE  AUTO_APPROVE  2             1000.306  0.106',
    'REVIEW        REVIEW        2             1050.61   50.41',
    '',
  ]);
});

it('simulate-tolerance --supplier replays a supplier with its own tolerance, and keeps declarations held for review', async () => {
  await declare(ana, '1000', [1040]);
  await declare(bruno, '1000', [1040]);
  await declare(bruno, '1000', [1010, 1060], { state: 'REC' });
  const rule = ['--mode', 'AMB', '--pct', '8', '--abs', '70'];
  const { code, stdout } = await simulate(...rule, '--supplier', bruno.supplierId, '--json');
  expect(code).toBe(0);
  const { outcomes, ...document } = JSON.parse(stdout);
  expect(document).toMatchObject({
    tenant,
    supplier_id: bruno.supplierId,
    tolerance: { mode: 'AMB', tolerance_pct: 8, tolerance_abs: 70, auto_approve: true, source: 'proveedor' },
  });
  const sums = { before: 'REVIEW', after: 'REVIEW', declarations: 2, declared_amount: 2070, difference: 70 };
  expect(outcomes).toContainEqual(sums);
});

it('simulate-tolerance replays every revision of --days or 93 days, without imported declarations', async () => {
  await declare(ana, '1000', [1040], { at: NOW_MS - 10 * DAY_MS + HOUR_MS });
  await declare(ana, '1000', [1041], { at: NOW_MS - 10 * DAY_MS - HOUR_MS });
  await declare(ana, '1000', [1042], { at: NOW_MS - LIMITS.rangeDays * DAY_MS + HOUR_MS });
  await declare(ana, '1000', [1043], { at: NOW_MS - LIMITS.rangeDays * DAY_MS - HOUR_MS });
  await declare(ana, '1000', [1044], { by: IMPORTER });
  const replay = async (...options: string[]) => {
    const { stdout } = await simulate('--mode', 'PCT', '--pct', '3', '--json', ...options);
    return JSON.parse(stdout).outcomes[0];
  };
  const reviewed = { before: 'AUTO_APPROVE', after: 'REVIEW' };
  expect(await replay('--days', '10')).toEqual({ ...reviewed, declarations: 1, declared_amount: 1040, difference: 40 });
  expect(await replay()).toEqual({ ...reviewed, declarations: 3, declared_amount: 3123, difference: 123 });
});

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);

/** Reads the tolerance that the service applies to a caller. */
async function readTolerance(call: Invoke): Promise<unknown> {
  const { body } = await call('list-invoices', { query: { startdate: '2026-06-01', enddate: '2026-06-30' } });
  return body.data.tolerance;
}

it('set-tolerance and clear-tolerance change the tolerance that applies, and show the difference', async () => {
  const { account, call } = await portal.newCaller();
  const { supplierId } = account.scope;
  ({ tenant } = account.scope);
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

it.each([
  [['--mode', 'PCT', '--pct', '5'], 'Pass --auto-approve or --no-auto-approve.'],
  [['--mode', 'PCT', '--abs', '5', '--auto-approve'], 'tenant.tolerance.tolerance_pct: is required in mode PCT'],
  [['--mode', 'PCT', '--pct', '', '--auto-approve'], 'The value must be a number.'],
  [['--mode', 'ABS', '--abs', '1.0000001', '--auto-approve'], 'with at most 6 decimals'],
])('set-tolerance rejects a tolerance that a file could not contain (%j)', async (options, reason) => {
  const run = await runCommand('set-tolerance', tenant, ...options);
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
});
