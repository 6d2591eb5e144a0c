import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findEngine } from '../../../infra/local/engine.ts';

const nothing = { endpoint: undefined, binary: undefined };
const on = (platform: NodeJS.Platform, arch: NodeJS.Architecture) => ({ ...process, platform, arch });

it.each([
  ['freebsd', 'x64'],
  ['win32', 'arm64'],
] as const)('an engine that is not installed, as on %s with %s, is said with what to do', (system, arch) => {
  expect(() => findEngine(nothing, on(system, arch))).toThrow(
    `The engine @dynoxide/${system}-${arch} is not installed: run npm ci with a registry that has it, or set DYNOXIDE_BIN to a binary of dynoxide. Or use`,
  );
});

it('the line to paste starts the version of DynamoDB Local that is tested, and the service on it', () => {
  const pom = readFileSync(new URL('../../dynamodb-local/pom.xml', import.meta.url), 'utf8');
  const [, version] = /<version>(.+)<\/version>\s*<\/dependency>/.exec(pom) ?? [];
  const image = `amazon/dynamodb-local:${version} -jar DynamoDBLocal.jar -sharedDb -inMemory`;
  expect(() => findEngine(nothing, on('freebsd', 'x64'))).toThrow(
    new RegExp(
      `\\ndocker run --rm -d -p 8100:8000 ${image} && AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start$`,
    ),
  );
});

it.each([{ endpoint: 'http://127.0.0.1:8000' }, { binary: '/opt/dynoxide' }])(
  'the engine %j is used everywhere',
  (set) => {
    expect(findEngine({ ...nothing, ...set }, on('freebsd', 'x64'))).toEqual({ ...nothing, ...set });
  },
);
