import { expect, it } from 'vitest';
import { describeFailure, OperatorError, OutputError } from '../../../infra/ops/operator-errors.ts';

const createError = (name: string, message: string, code?: string) =>
  Object.assign(new Error(message), { name, ...(code && { code }) });
const createConnectionError = (address: string) =>
  createError('Error', `connect ECONNREFUSED ${address}`, 'ECONNREFUSED');

it.each<[what: string, error: unknown, lines: string[]]>([
  ['a usage error', new OperatorError('The map:\n  a: is wrong'), ['The map:', '  a: is wrong']],
  ['an output error', new OutputError('The output is incomplete: ENOSPC'), ['The output is incomplete: ENOSPC']],
  [
    'a missing table',
    createError('ResourceNotFoundException', 'Requested resource not found'),
    [
      'ResourceNotFoundException: Requested resource not found. ' +
        'A table is missing: check the target (--local or --stack).',
    ],
  ],
  [
    'a failed connection to several addresses, whose message is empty',
    Object.assign(new AggregateError([createConnectionError('::1:1'), createConnectionError('127.0.0.1:1')]), {
      code: 'ECONNREFUSED',
    }),
    [
      'AggregateError: connect ECONNREFUSED ::1:1. ' +
        'Check the network connection and the address, then run the command again.',
    ],
  ],
  ['a thrown string', 'stopped', ['stopped']],
])('describeFailure describes %s without a stack trace', (_, error, lines) => {
  expect(describeFailure(error)).toEqual(lines);
});
