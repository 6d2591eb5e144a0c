import { describe, expect, it } from 'vitest';
import { decimal, normaliseDecimal } from '../../../lib/domain/money.ts';
import {
  selectTolerance,
  evaluateTolerance,
  findMissingLimit,
  isSameOutcome,
  type Tolerance,
  type ToleranceConfig,
  type ToleranceMode,
  type ToleranceOutcome,
} from '../../../lib/domain/tolerance.ts';
import vectors from '../../fixtures/tolerance-vectors.json' with { type: 'json' };
import { proves } from '../../rules/proves.ts';

const decimalOrNull = (text: string | null) => (text === null ? null : decimal(text));

function toTolerance({ mode, pct, abs, autoApprove, source }: (typeof vectors)[number]['tolerance']): Tolerance {
  const limits = { pct: decimalOrNull(pct), abs: decimalOrNull(abs) };
  return { mode: mode as ToleranceMode | null, ...limits, autoApprove, source: source as Tolerance['source'] };
}

function toText({ difference, differencePct, differenceAbs, ...outcome }: ToleranceOutcome) {
  const [signed, pct, abs] = [difference, differencePct, differenceAbs].map((value) => value.toFixed());
  return { ...outcome, difference: signed, differencePct: pct, differenceAbs: abs };
}

describe('evaluateTolerance', () => {
  it.each(vectors)(
    'evaluateTolerance returns the outcome of the test vector: $name',
    ({ tolerance, declared, system, expected }) => {
      proves('service/rule-3');
      const outcome = evaluateTolerance(normaliseDecimal(Number(declared)), decimal(system), toTolerance(tolerance));
      expect(toText(outcome)).toEqual(expected);
    },
  );
});

describe('isSameOutcome', () => {
  const one = { isWithinTolerance: true, difference: decimal(4), action: 'REVIEW', source: 'global' } as const;

  it('isSameOutcome is true only for two known outcomes with equal fields', () => {
    expect(isSameOutcome(one, { ...one, difference: decimal('4.00') })).toBe(true);
    expect([isSameOutcome(null, one), isSameOutcome(one, null), isSameOutcome(null, null)]).not.toContain(true);
  });

  it.each([
    ...[{ isWithinTolerance: false }, { difference: decimal(5) }],
    ...[{ action: 'AUTO_APPROVE' as const }, { source: 'ninguna' as const }],
  ])('isSameOutcome is false for outcomes that differ in %o', (other) => {
    expect(isSameOutcome(one, { ...one, ...other })).toBe(false);
  });
});

const supplierTolerance: ToleranceConfig = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true };
const tenantTolerance: ToleranceConfig = { mode: 'ABS', pct: null, abs: decimal(10), autoApprove: false };

const none = { mode: null, pct: null, abs: null, autoApprove: false };
it.each([
  ["the supplier's if it has one", 'proveedor', supplierTolerance, tenantTolerance, supplierTolerance],
  ["the tenant's if the supplier has none", 'global', null, tenantTolerance, tenantTolerance],
  ['none, without automatic approval, if neither is configured', 'ninguna', null, null, none],
])('effectiveTolerance returns %s: %s', (_, source, supplier, tenant, expected) => {
  proves('service/rule-3', 'tolerance/source');
  expect(selectTolerance(supplier, tenant)).toEqual({ ...expected, source });
});

it.each<[ToleranceMode, pct: string | null, abs: string | null, missing: ReturnType<typeof findMissingLimit>]>([
  ['PCT', null, '10', 'pct'],
  ['ABS', '5', null, 'abs'],
  ['AMB', null, '10', 'pct'],
  ['AMB', '5', null, 'abs'],
  ['AMB', '5', '10', null],
  ['PCT', '0', null, null],
  ['ABS', null, '0', null],
])(
  'findMissingLimit returns a null limit that the mode needs, but no limit of 0: %s with pct %s and abs %s',
  (mode, pct, abs, missing) => {
    expect(findMissingLimit(mode, decimalOrNull(pct), decimalOrNull(abs))).toBe(missing);
  },
);
