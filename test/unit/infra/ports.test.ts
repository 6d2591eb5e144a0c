import { expect, it } from 'vitest';
import { parsePort } from '../../../infra/local/ports.ts';

it.each(['0', '3000', '65535'])('parsePort accepts %s', (text) => {
  expect(parsePort('--port', text)).toBe(Number(text));
});

it.each(['', 'x', '-1', '1.5', '65536', '100000'])('parsePort rejects %j', (text) => {
  expect(() => parsePort('--port', text)).toThrow('--port takes a number from 0 to 65535.');
});
