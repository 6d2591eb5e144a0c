import type { Family } from '../mutant.ts';

const DECLARATION = 'lib/domain/declaration.ts';
const WRITER = 'lib/services/declaration-writer.ts';

/** Which declarations are written, and which change nothing. */
export const unchanged: Family = {
  rules: ['declare-invoice/upsert', 'declare-batch/rule-1'],
  mutants: [
    ['what changes nothing is written', DECLARATION, 'if (current && isSame(invoice, declared))', 'if (false)'],
    ['a state that changes is not written', DECLARATION, 'before.state === after.state &&', ''],
    ['an amount that changes is not written', DECLARATION, 'isEqual(was?.amount, is?.amount) &&', ''],
    ['notes that change are not written', DECLARATION, 'was?.notes === is?.notes &&', ''],
    ['a tax that changes is not written', DECLARATION, 'isEqual(was?.taxPct, is?.taxPct) &&', ''],
    [
      'an invoice number that changes is not written',
      DECLARATION,
      'before.providerInvoice.number === after.providerInvoice.number &&',
      '',
    ],
    [
      'an invoice date that changes is not written',
      DECLARATION,
      'before.providerInvoice.date === after.providerInvoice.date &&',
      '',
    ],
    [
      'an outcome that changes is not written',
      DECLARATION,
      'isSameOutcome(before.declaredOutcome, after.declaredOutcome)',
      'true',
    ],
    ['an outcome is not kept', DECLARATION, 'declaredOutcome: outcome', 'declaredOutcome: null'],
    [
      'what changes nothing shares the fate of the others',
      WRITER,
      'if (changes.length < plans.length) {',
      'if (changes.length < 0) {',
    ],
    [
      'after an unknown outcome what changes nothing is not written',
      WRITER,
      '{ ...invoice, declaredOutcome: null }',
      'invoice',
    ],
  ],
};
