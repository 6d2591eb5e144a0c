import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findEngine } from '../../../infra/local/engine.ts';

const freebsd = { ...process, platform: 'freebsd', arch: 'x64' } as const;

it('without an engine, the error of findEngine contains a command with the DynamoDB Local of the tests', () => {
  const pom = readFileSync(new URL('../../dynamodb-local/pom.xml', import.meta.url), 'utf8');
  const [, version] = /<version>(.+)<\/version>\s*<\/dependency>/.exec(pom) ?? [];
  const image = `amazon/dynamodb-local:${version} -jar DynamoDBLocal.jar -sharedDb -inMemory`;
  const find = () => findEngine({}, freebsd);
  expect(find).toThrow('The engine @dynoxide/freebsd-x64 is not installed: run npm ci');
  const start = 'AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start';
  expect(find).toThrow(new RegExp(`\\ndocker run --rm -d -p 8100:8000 ${image} && ${start}$`));
});

it.each([
  [{ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' }, { endpoint: 'http://127.0.0.1:8000' }],
  [{ DYNOXIDE_BIN: '/opt/dynoxide' }, { binary: '/opt/dynoxide' }],
])('findEngine uses the engine of the environment %j on every system', (variables, expected) => {
  expect(findEngine(variables, freebsd)).toEqual(expected);
});
