import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findEngine } from '../../../infra/local/engine.ts';

const nothing = { endpoint: undefined, binary: undefined };
const freebsd = { ...process, platform: 'freebsd', arch: 'x64' } as const;

it('an engine that is not installed is said with what to do: the line to paste has the version of DynamoDB Local that is tested', () => {
  const pom = readFileSync(new URL('../../dynamodb-local/pom.xml', import.meta.url), 'utf8');
  const [, version] = /<version>(.+)<\/version>\s*<\/dependency>/.exec(pom) ?? [];
  const image = `amazon/dynamodb-local:${version} -jar DynamoDBLocal.jar -sharedDb -inMemory`;
  const failing = () => findEngine(nothing, freebsd);
  expect(failing).toThrow('The engine @dynoxide/freebsd-x64 is not installed: run npm ci');
  const start = 'AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start';
  expect(failing).toThrow(new RegExp(`\\ndocker run --rm -d -p 8100:8000 ${image} && ${start}$`));
});

it.each([{ endpoint: 'http://127.0.0.1:8000' }, { binary: '/opt/dynoxide' }])(
  'the engine %j is used everywhere',
  (set) => {
    expect(findEngine({ ...nothing, ...set }, freebsd)).toEqual({ ...nothing, ...set });
  },
);
