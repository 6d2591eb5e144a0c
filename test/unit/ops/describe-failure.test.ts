import { expect, it } from 'vitest';
import { describeFailure, OperatorError } from '../../../infra/ops/operator-errors.ts';

const causes = ['::1:1', '127.0.0.1:1'].map((address) => new Error(`connect ECONNREFUSED ${address}`));

it.each<[what: string, error: unknown, lines: string[]]>([
  ['a usage error', new OperatorError('The map:\n  a: is wrong'), ['The map:', '  a: is wrong']],
  ['an AggregateError', new AggregateError(causes), ['AggregateError: connect ECONNREFUSED ::1:1']],
  ['a thrown string', 'stopped', ['stopped']],
])('describeFailure describes %s without a stack trace', (_, error, lines) => {
  expect(describeFailure(error)).toEqual(lines);
});
