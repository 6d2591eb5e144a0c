import { expect, it } from 'vitest';
import type { LineResult } from '../../../lib/declare-csv/declare-lines.ts';
import { formatExpectation, formatSummary } from '../../../lib/declare-csv/results.ts';
import { buildResults, NOT_FOUND, RESULTS } from '../../support/data/line-results.ts';

const SUMMARY = `
                                              Lines                Amount
Approved automatically                            2                  0.30
Rejected                                          1               1050.00
Not known if declared: run the command again      1       999999999999.99
Not declared                                      1              0.000001
Total                                             5  1000000001050.290001

Line  Invoice   Amount  Reason
   4  9003     1050.00  NOT_FOUND  Not "here"; gone.
`;

it('the summary has counts and exact sums by outcome, and every rejected line', () => {
  expect(`\n${formatSummary(RESULTS, 'en').join('\n')}\n`).toBe(SUMMARY);
});

const check = (difference: number): Omit<LineResult, 'line' | 'declaration'> => {
  const isWithin = Math.abs(difference) <= 10;
  const action = isWithin ? 'AUTO_APPROVE' : 'REVIEW';
  return {
    outcome: 'not_declared',
    tolerance: { action, difference, difference_pct: 1.0049, within_tolerance: isWithin },
  };
};

it('the expected results have totals, the amounts outside the tolerance, and the five largest differences', () => {
  const checked = [0, -1, 2, -30, 4, 5, 6].map((difference) => [100, check(difference)] as const);
  const rejected = [100, { outcome: 'rejected', error: NOT_FOUND }] as const;
  expect(formatExpectation(buildResults([...checked, rejected]), 'es').join('\n')).toBe(
    `
                               Líneas  Importe
Se aprobarían automáticamente       6   600,00
Se enviarían a revisión             1   100,00
Rechazadas                          1   100,00
Total                               8   800,00

Línea  Factura  Importe  Motivo del rechazo
    9  9008      100,00  NOT_FOUND           Not "here"; gone.

Importes fuera de la tolerancia: 1

Las mayores diferencias:
Línea  Factura  Importe  Diferencia     %
    5  9004      100,00      -30,00  1,00
    8  9007      100,00        6,00  1,00
    7  9006      100,00        5,00  1,00
    6  9005      100,00        4,00  1,00
    4  9003      100,00        2,00  1,00`.slice(1),
  );
});

it('the expected results without a difference have no table of differences', () => {
  expect(formatExpectation(buildResults([[100, check(0)]]), 'en').at(-1)).toBe('Amounts outside the tolerance: 0');
});
