import { expect, it } from 'vitest';
import { findEngine } from '../../../infra/local/engine.ts';

const freebsd = { ...process, platform: 'freebsd', arch: 'x64' } as const;

it.each([
  [{ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' }, { endpoint: 'http://127.0.0.1:8000' }],
  [{ DYNOXIDE_BIN: '/opt/dynoxide' }, { binary: '/opt/dynoxide' }],
])('findEngine uses the engine of the environment %j on every system', (variables, expected) => {
  expect(findEngine(variables, freebsd)).toEqual(expected);
});
