import type { Family } from '../mutant.ts';

const ROW_ITEMS = 'lib/storage/items/invoice-row-items.ts';
const REPAIR = 'lib/storage/audit/row-repair.ts';
const COUNTERS = 'lib/storage/audit/counter-audit.ts';
const SUMS = 'lib/admin/counters/sum-rows.ts';
const SUSPECTS = 'lib/admin/counters/suspect-invoices.ts';
const AUDITED = 'lib/storage/audit/audited-rows.ts';

/** What lists are made of, and the audit that holds it against the invoices. */
export const audits: Family = {
  rules: ['service/list', 'meta/total'],
  mutants: [
    ['rows stay where an invoice was', ROW_ITEMS, 'rowKeysOf(scope, before).filter(({ sk }) => !kept.has(sk))', '[]'],
    ['a stray row is none', REPAIR, "return stored ? 'stray' : null", 'return null'],
    ['what a row holds is not compared', REPAIR, "contentOf(stored) === contentOf(right) ? null : 'differing'", 'null'],
    [
      'a repair does not mind a change',
      REPAIR,
      "{ ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }",
      "{ ConditionExpression: 'attribute_exists(pk)' }",
    ],
    [
      'a repair does not mind a new invoice',
      REPAIR,
      "{ ConditionExpression: 'attribute_not_exists(pk)' }",
      "{ ConditionExpression: 'attribute_not_exists(no_such_attribute)' }",
    ],
    ['wrong rows are counted', COUNTERS, 'if (!distrusted.has(invoiceOfRow(row))) ', ''],
    ['invoices with wrong rows are not counted', COUNTERS, 'if (monthOf(entry.place) === month) count(entry)', ''],
    ['an audit minds only how many rows there are', SUMS, ' || fingerprint !== NO_FINGERPRINT', ''],
    [
      'an audit finds only rows that are missing',
      SUSPECTS,
      'if (!awaited.delete(fingerprint)) others.push(key);',
      'awaited.delete(fingerprint);',
    ],
    [
      'a row is believed to be of the invoice that it names',
      AUDITED,
      ' && placeOf({ sortDate, invoiceId: claimed }) === place',
      '',
    ],
  ],
};
