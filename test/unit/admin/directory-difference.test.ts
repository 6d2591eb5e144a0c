import { expect, it } from 'vitest';
import { toLine } from '../../../infra/ops/directory/result-texts.ts';
import { findDifferences } from '../../../infra/ops/directory/change-directory.ts';
import { decimal } from '../../../lib/domain/money.ts';

const key = { kind: 'user', ids: ['t.example', '100'] } as const;
const tolerance = { mode: 'PCT', tolerance_pct: decimal('5'), auto_approve: true };

const changed = { ...tolerance, tolerance_pct: decimal('7.5') };
const gone = (field: string) => `tolerance.${field} -> (none)`;

/** The difference as people read it. */
const linesOf = (before: object | null, after: object | null) =>
  findDifferences({ key, before: before as never, after: after as never }).map(toLine);

it.each([
  ['a text', { name: 'A' }, { name: 'B' }, ['name: A -> B']],
  ['a flag', { active: true }, { active: false }, ['active: true -> false']],
  ['what goes', { username: 'ana' }, { username: undefined }, ['username: ana -> (none)']],
  ['a list', { permissions: ['A', 'B'] }, { permissions: [] }, ['permissions: A, B -> (none)']],
  ['one number', { tolerance }, { tolerance: changed }, ['tolerance.tolerance_pct: 5 -> 7.5']],
  ['a whole tolerance', { tolerance }, {}, ['mode: PCT', 'tolerance_pct: 5', 'auto_approve: true'].map(gone)],
  ['what stays', { name: 'A', tolerance }, { name: 'A', tolerance: { ...tolerance } }, []],
  ['a new record', null, { name: 'A' }, []],
])('the difference of a record tells %s', (_, before, after, lines) => {
  expect(linesOf(before, after)).toEqual(lines);
});
