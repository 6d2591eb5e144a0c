import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineClient, engineDocumentClient } from '../../infra/local/engine-client.ts';
import { startEngine as startOwnEngine } from '../../infra/local/engine.ts';
import { findPort } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { startEngine } from '../support/engine/engine.ts';
import { startEngineProxy } from '../support/engine/engine-proxy.ts';
import { processTree, survivorsOf } from '../support/processes/process-tree.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useProcesses } from '../support/processes/use-processes.ts';

const script = 'infra/local/start.ts';
// Each has started the next.
const parts = ['service', 'supervisor', 'engine'];
const item = { pk: 'TENANT#kept.example', sk: 'TENANT' };

describe('npm start', () => {
  const startProcess = useProcesses();
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'local-engine-'));
  });

  const optionsFor = (data: string, enginePort: number) => [
    ...['--empty', '--quiet', '--port', '0'],
    ...['--dynamodb-port', String(enginePort), '--data', resolve(directory, data)],
  ];

  async function start(options: readonly string[]) {
    const { child, exit, ready } = startProcess([process.execPath, script, ...options]);
    await ready();
    return { child, exit };
  }

  it.each([
    ['engine', 1, /^The engine has ended with code 1\. It was ended by SIGKILL\.\n$/],
    ['supervisor', 1, /^The supervisor of the engine has ended \(SIGKILL\), and the engine with it\.\n$/],
    ['service', null, /^$/],
  ] as const)(
    'whose %s was killed ends, leaves nothing running, and has its data when it starts again',
    { tags: 'long' },
    async (killed, code, words) => {
      const enginePort = await findPort(0);
      const options = optionsFor(killed, enginePort);
      const client = engineDocumentClient(`http://127.0.0.1:${enginePort}`);
      const TableName = readStack().tableNames.Directory;

      const { child, exit } = await start(options);
      await client.send(new PutCommand({ TableName, Item: item }));
      const tree = await processTree(child.pid ?? 0);
      expect(tree.map(({ parentId }) => parentId)).toEqual([process.pid, tree[0]?.id, tree[1]?.id]);
      process.kill(tree[parts.indexOf(killed)]?.id ?? Number.NaN, 'SIGKILL');

      expect(await exit).toMatchObject({ code, stderr: expect.stringMatching(words) });
      await expect.poll(() => survivorsOf(tree), { timeout: 5_000 }).toEqual([]);
      expect(await findPort(enginePort)).toBe(enginePort);

      const again = await start(options);
      expect((await client.send(new GetCommand({ TableName, Key: item }))).Item).toEqual(item);
      client.destroy();
      again.child.kill('SIGTERM');
      expect(await again.exit).toMatchObject({ code: 0, stderr: '' });
    },
  );

  const modeOf = (...names: string[]) => (statSync(join(directory, ...names)).mode & 0o777).toString(8);

  it('makes a folder for the data that only its owner may look into', async () => {
    const { child, exit } = await start(optionsFor('new/own', 0));
    expect([modeOf('new'), modeOf('new/own')]).toEqual(['700', '700']);
    child.kill('SIGTERM');
    expect(await exit).toMatchObject({ code: 0, stderr: '' });
  });

  it('warns where others may look into the folder, leaves it as it is, and keeps its own files from them', async () => {
    mkdirSync(join(directory, 'shared'));
    chmodSync(join(directory, 'shared'), 0o755);
    const { child, exit } = await start(optionsFor('shared', 0));
    const files = readdirSync(join(directory, 'shared'));
    expect(files).toContain('dynamodb.sqlite');
    expect(files.map((name) => modeOf('shared', name))).toEqual(files.map(() => '600'));
    expect(modeOf('shared')).toBe('755');
    child.kill('SIGTERM');
    expect(await exit).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Warning: others .* chmod 700 .*shared\n$/),
    });
  });

  const run = (data: string, env = {}) => runScript(script, optionsFor(data, 0), { env });
  const oneLine = (reason: string) => expect.stringMatching(new RegExp(String.raw`^[^\n]*${reason}[^\n]*\n$`));

  it('says in one line that the data cannot be kept in a file', async () => {
    writeFileSync(join(directory, 'file'), '');
    expect(await run('file')).toEqual({ code: 1, stdout: '', stderr: oneLine('file: that is a file. Name another') });
    expect(await run('file/below')).toEqual({ code: 1, stdout: '', stderr: oneLine('file/below: that is a file.') });
  });

  it.runIf(existsSync('/proc'))(
    'says in one line that a folder cannot be made where the system has none to give',
    async () => {
      const reason = 'kept in /proc/x/data: ENOENT: .* Name another one: --data DIR';
      expect(await run('/proc/x/data')).toEqual({ code: 1, stdout: '', stderr: oneLine(reason) });
    },
  );

  // An administrator may write anywhere.
  it.skipIf(process.getuid?.() === 0)('says in one line that the folder of the data may not be written', async () => {
    mkdirSync(join(directory, 'closed'), { mode: 0o500 });
    expect(await run('closed')).toEqual({ code: 1, stdout: '', stderr: oneLine('You may not write into .*closed') });
  });

  it(
    'says in one line that the data are in use by another, who goes on; and takes them when it has ended',
    { tags: 'long' },
    async () => {
      const { child, exit } = await start(optionsFor('shared-data', 0));
      expect(await run('shared-data')).toEqual({ code: 1, stdout: '', stderr: oneLine('in use by another npm start') });
      child.kill('SIGKILL');
      await exit;
      const again = await start(optionsFor('shared-data', 0));
      again.child.kill('SIGTERM');
      expect(await again.exit).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('says in one line that the data are those of another version, with other tables', { tags: 'long' }, async () => {
    const first = await startOwnEngine(0, join(directory, 'old'));
    const client = engineClient(first.doorEndpoint);
    const { Invoices } = readStack().tableNames;
    const index = { IndexName: 'by-date', Projection: { ProjectionType: 'KEYS_ONLY' } } as const;
    const key = { AttributeName: 'pk', KeyType: 'HASH' } as const;
    const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' }) as const;
    const AttributeDefinitions = ['pk', 'sk', 'by_date'].map(
      (AttributeName) => ({ AttributeName, AttributeType: 'S' }) as const,
    );
    await client.send(
      new CreateTableCommand({
        TableName: Invoices,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions,
        KeySchema: [key, range('sk')],
        LocalSecondaryIndexes: [{ ...index, KeySchema: [key, range('by_date')] }],
      }),
    );
    client.destroy();
    await first.close();
    const words = `another version, with another table ${Invoices}. Name a new folder`;
    expect(await run('old')).toEqual({ code: 1, stdout: '', stderr: oneLine(words) });
  });

  it('says in one line that the engine cannot open its database', async () => {
    mkdirSync(join(directory, 'taken/dynamodb.sqlite'), { recursive: true, mode: 0o700 });
    expect(await run('taken')).toEqual({ code: 1, stdout: '', stderr: oneLine('unable to open database file') });
  });

  it('says in one line that the engine ended while the data were being prepared', { tags: 'long' }, async () => {
    // A file may not grow beyond 100 kB: less than the tables need.
    const command = ['-c', 'ulimit -f 200; exec "$0" "$@"', process.execPath, script, ...optionsFor('small', 0)];
    const { code, stderr } = await startProcess(['sh', ...command]).exit;
    // Whether its end or a call that it left unanswered is noticed first is a matter of chance.
    const words = /^The engine (has ended with code 1\. It was ended by SIGXFSZ\.|cannot keep the data: .+)\n$/;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
  });

  it('says in one line that the engine cannot write', { tags: 'long' }, async () => {
    const engine = await startEngine();
    const proxy = await startEngineProxy(engine);
    proxy.fail({ operation: 'CreateTable', how: 'error' });
    const { code, stderr } = await run('external', { AWS_ENDPOINT_URL_DYNAMODB: proxy.engine.endpoint });
    expect({ code, stderr }).toEqual({ code: 1, stderr: oneLine('The engine cannot keep the data: secret detail') });
    await proxy.close();
    await engine.close();
  });
});
