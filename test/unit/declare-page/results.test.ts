import { expect, it } from 'vitest';
import { PortalError } from '../../../lib/client/index.ts';
import type { LineResult } from '../../../lib/declare-page/line-result.ts';
import { describeFailure } from '../../../lib/declare-page/describe-failure.ts';
import { computeTotals, formatAmount } from '../../../lib/declare-page/totals.ts';
import { buildOpenWorkbook, buildReport } from '../../../lib/declare-page/workbooks.ts';
import { readInvoices } from '../../../lib/declare-page/read-invoices.ts';
import { wrongLogin } from '../../../lib/domain/texts.ts';
import { readFirstSheet } from '../../support/data/read-workbook.ts';

const tolerance = { action: 'AUTO_APPROVE', difference: -0.000001, difference_pct: -1.5 } as LineResult['tolerance'];
const approved = { outcome: 'approved', tolerance, requestId: 'request-1' } as const;
const NOT_FOUND = { code: 'NOT_FOUND', message: '\u202eNot "here"; gone.' };
const entries: readonly (readonly [amount: number, result: Omit<LineResult, 'line' | 'declaration'>])[] = [
  [0.1, { ...approved, declarationId: '1795243070161803765' }],
  [0.2, { ...approved, declarationId: '78' }],
  [1050, { outcome: 'rejected', error: NOT_FOUND, requestId: 'request-2' }],
  [999_999_999_999.99, { outcome: 'unknown' }],
  [0.000_001, { outcome: 'not_checked' }],
];
const RESULTS = entries.map(([amount, result], index): LineResult => {
  return { line: index + 2, declaration: { invoice_id: `${9001 + index}`, amount }, ...result };
});

it('the totals have counts and exact sums by outcome', () => {
  const totals = computeTotals(RESULTS).map(({ outcome, count, sum }) => [outcome, count, sum.toFixed()]);
  expect(totals).toEqual([
    ['not_checked', 1, '0.000001'],
    ['approved', 2, '0.3'],
    ['rejected', 1, '1050'],
    ['unknown', 1, '999999999999.99'],
  ]);
});

it.each([
  [999_999_999_999.99, '999,999,999,999.99', '999.999.999.999,99'],
  [0.000001, '0.000001', '0,000001'],
  [-1050.5, '-1,050.50', '-1.050,50'],
])('the amount %s is formatted as %s in English and %s in Spanish', (amount, en, es) => {
  expect([formatAmount(amount, 'en'), formatAmount(amount, 'es')]).toEqual([en, es]);
});

it('the report has a row for each line and for each row that was left out, in the order of the file', async () => {
  const declaration = { invoice_id: 'Total', amount: '=1' };
  const error = { message: 'debe tener solo dígitos' };
  const leftOut = { line: 3.5, declaration, outcome: 'left_out', error } as const;
  const { rows } = await readFirstSheet(await buildReport([...RESULTS, leftOut], 'es'));
  const text = (row: readonly unknown[] = []) =>
    row.map((cell) => (typeof cell === 'object' && cell !== null && 'number' in cell ? Number(cell.number) : cell));
  expect(rows.map(text)).toEqual([
    ...[
      [
        'Fila',
        'Id de factura',
        'Importe',
        'Resultado',
        'Diferencia',
        'Diferencia %',
        'Declaración',
        'Motivo',
        'Solicitud',
      ],
    ],
    [2, '9001', 0.1, 'Aprobada', -0.000001, -1.5, '1795243070161803765', '', 'request-1'],
    [3, '9002', 0.2, 'Aprobada', -0.000001, -1.5, '78', '', 'request-1'],
    [3.5, 'Total', '=1', 'Omitida', '', '', '', 'debe tener solo dígitos', ''],
    [4, '9003', 1050, 'Rechazada', '', '', '', 'Not "here"; gone.', 'request-2'],
    [5, '9004', 999999999999.99, 'Desconocido', '', '', '', '', ''],
    [6, '9005', 0.000001, 'Sin verificar', '', '', '', '', ''],
  ]);
});

it.each(['en', 'es'] as const)(
  'the workbook of open invoices is read without a choice of columns (%s)',
  async (language) => {
    const invoice = {
      ...{ invoice_id: '9001', service_id: '1', account_name: 'A', city: 'B', invoice_date: '2026-08-31' },
      ...{ system_amount: 1000, declared_amount: 990, state_code: 'REC' },
    };
    const workbook = await buildOpenWorkbook([invoice as Parameters<typeof buildOpenWorkbook>[0][number]], language);
    const { detected, rows } = await readInvoices(workbook, { fieldByHeading: {}, isDayFirst: false });
    expect(detected.fields).toEqual([
      ...['invoice_id', null, null, null, null, null, null, null],
      ...['amount', 'invoice_number', 'invoice_date', 'tax_pct', 'notes'],
    ]);
    expect(rows).toMatchObject([{ declaration: { invoice_id: '9001' }, errors: [{ column: 8 }] }]);
  },
);

it('a failure is described in Spanish, with the request, and without its code', () => {
  const failure = { code: 'UNAUTHORIZED', message: wrongLogin.en, status: 401, requestId: 'r-1' } as const;
  expect(describeFailure(new PortalError(failure)).es).toBe(
    'El correo o la contraseña no son válidos. (solicitud r-1)',
  );
  const noResponse = {
    code: 'NETWORK_ERROR',
    message: 'No response (ECONNREFUSED).',
    status: null,
    requestId: null,
  } as const;
  expect(describeFailure(new PortalError(noResponse)).es).toBe('El servicio no respondió. Revise la conexión.');
});
