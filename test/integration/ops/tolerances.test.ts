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

/** Runs a simulation. Returns for each transition, such as TO_REVIEW, [declarations, declared amount, difference]. */
async function simulateTransitions(...args: string[]) {
  const { stdout } = await simulate(...args, '--json');
  const document = JSON.parse(stdout) as {
    not_affected: number;
    outcomes: { before: string; after: string; declarations: number; declared_amount: number; difference: number }[];
  };
  const rows = document.outcomes.map((row) => [
    `${row.before} -> ${row.after}`,
    [row.declarations, row.declared_amount, row.difference],
  ]);
  return { notAffected: document.not_affected, ...Object.fromEntries(rows) };
}

const TO_REVIEW = 'AUTO_APPROVE -> REVIEW';
const TO_APPROVAL = 'REVIEW -> AUTO_APPROVE';
const REVIEWED = 'REVIEW -> REVIEW';

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
    'Proposed: PCT 3 %, auto-approve (global)',
    'was           would be      declarations  declared  difference',
    'AUTO_APPROVE  REVIEW        2             1146      46',
    'REVIEW        AUTO_APPROVE  0             0         0',
    'AUTO_APPROVE  AUTO_APPROVE  2             1000.306  0.106',
    'REVIEW        REVIEW        2             1050.61   50.41',
    expect.stringMatching(/^6 declarations since \d{4}-\d\d-\d\dT[\d:.]{12}Z, 2 would change$/),
    '2 declarations of suppliers with their own tolerance are not affected',
    '',
  ]);
});

it('simulate-tolerance keeps declarations on rejected invoices in review', async () => {
  await declare(ana, '1000', [1010, 1060], { state: 'REC' });
  await declare(ana, '1000', [1060]);
  expect(await simulateTransitions('--mode', 'PCT', '--pct', '8')).toMatchObject({
    [TO_APPROVAL]: [1, 1060, 60],
    [REVIEWED]: [2, 2070, 70],
  });
});

it('simulate-tolerance --supplier replays the declarations of a supplier with its own tolerance', async () => {
  await declare(ana, '1000', [1040]);
  await declare(bruno, '1000', [1040]);
  const rule = ['--mode', 'AMB', '--pct', '3', '--abs', '50', '--no-auto-approve'];
  const { code, stdout } = await simulate(...rule, '--supplier', bruno.supplierId, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    tenant,
    supplier_id: bruno.supplierId,
    tolerance: { mode: 'AMB', tolerance_pct: 3, tolerance_abs: 50, auto_approve: false, source: 'proveedor' },
    declarations: 1,
    changing: 1,
    not_affected: 0,
  });
});

it('simulate-tolerance replays every revision of --days or 93 days, without imported declarations', async () => {
  await declare(ana, '1000', [1040], { at: NOW_MS - 10 * DAY_MS + HOUR_MS });
  await declare(ana, '1000', [1041], { at: NOW_MS - 10 * DAY_MS - HOUR_MS });
  await declare(ana, '1000', [1042], { at: NOW_MS - LIMITS.rangeDays * DAY_MS + HOUR_MS });
  await declare(ana, '1000', [1043], { at: NOW_MS - LIMITS.rangeDays * DAY_MS - HOUR_MS });
  await declare(ana, '1000', [1044], { by: IMPORTER });
  const rule = ['--mode', 'PCT', '--pct', '3'];
  expect(await simulateTransitions(...rule, '--days', '10')).toMatchObject({ [TO_REVIEW]: [1, 1040, 40] });
  expect(await simulateTransitions(...rule)).toMatchObject({ [TO_REVIEW]: [3, 3123, 123] });
  // These are more revisions than one read returns. All were reviewed.
  await declare(
    ana,
    '1000',
    Array.from({ length: 120 }, (_, index) => 1 + index),
  );
  expect(await simulateTransitions(...rule)).toMatchObject({
    [TO_REVIEW]: [3, 3123, 123],
    [REVIEWED]: [120, 7260, -112_740],
  });
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
  expect((await runCommand('set-tolerance', ...supplierArgs, ...both)).stdout).toContain(
    'The tolerance already has these values.\n',
  );
  const changed = await runCommand('set-tolerance', ...supplierArgs, ...both.with(3, '7.5'));
  expect(changed.stdout).toBe(
    `changed   supplier ${supplierId} of ${tenant}\n    tolerance.tolerance_pct: 2.5 -> 7.5\n`,
  );

  expect((await runCommand('clear-tolerance', ...supplierArgs)).stdout).toContain(
    '    tolerance.mode: AMB -> (none)\n',
  );
  expect(await readTolerance(call)).toEqual(applied);
  expect((await runCommand('clear-tolerance', ...supplierArgs)).stdout).toContain('There is no tolerance to remove.\n');
  await runCommand('clear-tolerance', tenant);
  expect(await readTolerance(call)).toMatchObject({ mode: null, source: 'ninguna' });
});

it.each([
  [['--mode', 'PCT', '--pct', '5'], 'Pass --auto-approve or --no-auto-approve.'],
  [['--mode', 'PCT', '--abs', '5', '--auto-approve'], '--pct is required in mode PCT.'],
  [['--mode', 'ABS', '--abs', '1.0000001', '--auto-approve'], 'with at most 6 decimals.'],
])('set-tolerance rejects a tolerance that a file could not contain (%j)', async (options, reason) => {
  const { account, call } = await portal.newCaller();
  const run = await runCommand('set-tolerance', account.scope.tenant, ...options);
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  expect(await readTolerance(call)).toMatchObject({ mode: null });
});
