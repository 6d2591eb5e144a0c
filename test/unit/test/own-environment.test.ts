import { afterEach, expect, it, vi } from 'vitest';
import { forgetShell } from '../../support/setup/own-environment.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  'AWS_PROFILE',
  'AWS_ACCESS_KEY_ID',
  'AWS_USE_FIPS_ENDPOINT',
  'CI',
  'FORCE_COLOR',
  'NO_COLOR',
  'npm_lifecycle_event',
  'NODE_USE_ENV_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'LC_ALL',
  'LANGUAGE',
])('no test sees %s of the shell that runs it', (name) => {
  expect(process.env[name]).toBeUndefined();
  vi.stubEnv(name, '1');
  forgetShell();
  expect(process.env[name]).toBeUndefined();
});

it('the engine to test with, and all else, is left as it is', () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:8000');
  vi.stubEnv('DYNOXIDE_BIN', '/opt/dynoxide');
  forgetShell();
  expect(process.env).toMatchObject({
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000',
    DYNOXIDE_BIN: '/opt/dynoxide',
    LANG: 'C.UTF-8',
  });
});
