import { expect, it } from 'vitest';
import { describeFailure, OperatorError, OutputError } from '../../../infra/ops/operator-errors.ts';

const named = (name: string, message: string, code?: string) =>
  Object.assign(new Error(message), { name, ...(code && { code }) });
const refused = (address: string) => named('Error', `connect ECONNREFUSED ${address}`, 'ECONNREFUSED');

it.each<[what: string, error: unknown, lines: string[]]>([
  ['wrong use', new OperatorError('The map:\n  a: is wrong'), ['The map:', '  a: is wrong']],
  ['a lost output', new OutputError('The output is incomplete: ENOSPC'), ['The output is incomplete: ENOSPC']],
  [
    'a missing table',
    named('ResourceNotFoundException', 'Requested resource not found'),
    [
      'ResourceNotFoundException: Requested resource not found. ' +
        'A table is missing: check the target (--local or --stack).',
    ],
  ],
  [
    'a refused connection to several addresses, whose message is empty',
    Object.assign(new AggregateError([refused('::1:1'), refused('127.0.0.1:1')]), { code: 'ECONNREFUSED' }),
    [
      'AggregateError: connect ECONNREFUSED ::1:1. ' +
        'Check the network connection and the address, then run the command again.',
    ],
  ],
  [
    'an error without a message',
    named('TimeoutError', ''),
    [expect.stringMatching(/^TimeoutError: Check the network/)],
  ],
  ['what is not an error', 'stopped', ['stopped']],
])('the message about %s is one line without a stack trace', (_, error, lines) => {
  expect(describeFailure(error)).toEqual(lines);
});
