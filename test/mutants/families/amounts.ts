import type { Family } from '../mutant.ts';

const MONEY = 'lib/domain/money.ts';
const TOLERANCE = 'lib/domain/tolerance.ts';
const STATES = 'lib/domain/invoice-states.ts';
const DECLARATION = 'lib/domain/declaration.ts';
const WIRE = 'lib/contracts/wire.ts';

/** The comparison of an amount with the system amount. */
export const outcomes: Family = {
  rules: ['service/rule-3', 'tolerance-outcome/', 'tolerance/'],
  mutants: [
    ['the difference is system minus declared', MONEY, 'declared.minus(system)', 'system.minus(declared)'],
    ['a percentage has 2 decimals', MONEY, 'PERCENTAGE_DECIMALS = 4', 'PERCENTAGE_DECIMALS = 2'],
    ['a percentage of zero is zero', MONEY, 'difference.eq(0) ? 0 : 100', '0'],
    ['a percentage is cut off', MONEY, 'Percentage.RM = Big.roundHalfUp', 'Percentage.RM = Big.roundDown'],
    ['the limit in percent is not within', TOLERANCE, 'numerator.abs().lte(', 'numerator.abs().lt('],
    ['the absolute limit is not within', TOLERANCE, 'difference.abs().lte(', 'difference.abs().lt('],
    [
      'one of both limits is enough',
      TOLERANCE,
      'isWithinPct(difference, system, pct) && ',
      'isWithinPct(difference, system, pct) || ',
    ],
    ['without a tolerance everything is within', TOLERANCE, 'return difference.eq(0);', 'return true;'],
    [
      'approval does not need to be configured',
      TOLERANCE,
      'withinTolerance && tolerance.autoApprove',
      'withinTolerance',
    ],
    ['the absolute difference has a sign', TOLERANCE, 'differenceAbs: difference.abs()', 'differenceAbs: difference'],
    ['the tenant comes before the supplier', TOLERANCE, 'if (supplier) return', 'if (supplier && !tenant) return'],
    ["the tenant's tolerance says proveedor", TOLERANCE, "source: 'global' }", "source: 'proveedor' }"],
    [
      'no tolerance approves automatically',
      TOLERANCE,
      "autoApprove: false, source: 'ninguna'",
      "autoApprove: true, source: 'ninguna'",
    ],
    [
      'the limits change places',
      WIRE,
      'tolerance_pct: toNumber(tolerance.pct)',
      'tolerance_pct: toNumber(tolerance.abs)',
    ],
    ['the flag is always true', WIRE, 'within_tolerance: outcome.withinTolerance', 'within_tolerance: true'],
  ],
};

/** States and what a declaration leaves behind. */
export const declarations: Family = {
  rules: ['states/', 'declaration-result/', 'declare-invoice/'],
  mutants: [
    ['approved and reviewed change places', STATES, "? 'APR' : 'REV'", "? 'REV' : 'APR'"],
    ['ENV has another name', STATES, "name: 'Enviada'", "name: 'Sent'"],
    ['APR has the id of REV', STATES, 'APR: { id: 3', 'APR: { id: 4'],
    ['a tax that is not sent is lost', DECLARATION, '(current?.taxPct ?? null)', 'null'],
    [
      'every declaration has a new id',
      DECLARATION,
      'current?.declarationId ?? context.newDeclarationId()',
      'context.newDeclarationId()',
    ],
    ['amounts are cut to integers', MONEY, 'KEPT_DECIMALS = 6', 'KEPT_DECIMALS = 0'],
    ['the state id is another', WIRE, 'state_id: INVOICE_STATES[state].id', 'state_id: INVOICE_STATES.PEN.id'],
    [
      'the declared amount is the difference',
      WIRE,
      'declared_amount: declaration.amount.toNumber()',
      'declared_amount: declaration.outcome.difference.toNumber()',
    ],
  ],
};

/** The fields of rows and concepts. */
export const fields: Family = {
  rules: ['invoice-row/', 'concept/'],
  mutants: [
    ['the city is the account', WIRE, 'city: row.city', 'city: row.accountName'],
    ['the name is the code', WIRE, 'state_name: INVOICE_STATES[row.state].name', 'state_name: row.state'],
    [
      'no notes are an empty text',
      WIRE,
      'declared_notes: declaration?.notes ?? null',
      "declared_notes: declaration?.notes ?? ''",
    ],
    [
      'nothing declared is zero',
      WIRE,
      'declared_amount: declaration?.amount.toNumber() ?? null',
      'declared_amount: declaration?.amount.toNumber() ?? 0',
    ],
    [
      'a row has the difference the other way round',
      WIRE,
      'differenceOf(declaration.amount, systemAmount)',
      'differenceOf(systemAmount, declaration.amount)',
    ],
    [
      'the file name is the URL',
      WIRE,
      'attachment_filename: row.attachmentFilename',
      'attachment_filename: row.attachmentUrl',
    ],
    ['the quantity is the amount', WIRE, 'quantity: concept.quantity', 'quantity: concept.unitAmount'],
    ['the total is the amount', WIRE, 'total: concept.total', 'total: concept.unitAmount'],
  ],
};
