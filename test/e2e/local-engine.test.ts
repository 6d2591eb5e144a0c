import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { engineDocumentClient } from '../../infra/local/engine-client.ts';
import { startEngine as startOwnEngine } from '../../infra/local/engine.ts';
import { findPort } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { CommandError } from '../../infra/terminal.ts';
import { startEngine } from '../support/engine/engine.ts';
import { startEngineProxy } from '../support/engine/engine-proxy.ts';
import { processTree, survivorsOf } from '../support/processes/process-tree.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useProcesses } from '../support/processes/use-processes.ts';
import { startLocalService } from '../support/service/local-service.ts';

const script = 'infra/start/start.ts';
// Each process has started the next one.
const parts = ['service', 'supervisor', 'engine'];
const directory = mkdtempSync(join(tmpdir(), 'local-engine-'));
const item = { pk: 'TENANT#kept.example', sk: 'TENANT' };

describe('npm start', () => {
  const startProcess = useProcesses();
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
    ['service', null, /^$/],
  ] as const)(
    'npm start ends and leaves no process if its %s is killed, and has its data when it starts again',
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

  const run = (data: string) => runScript(script, optionsFor(data, 0));
  const oneLine = (reason: string) => expect.stringMatching(new RegExp(String.raw`^[^\n]*${reason}[^\n]*\n$`));

  it('npm start prints one line if the data cannot be kept in the folder', async () => {
    writeFileSync(join(directory, 'file'), '');
    expect(await run('file')).toEqual({ code: 1, stdout: '', stderr: oneLine('file: that is a file. Use another') });
  });

  it('npm start prints one line if the engine ends while the data are prepared', { tags: 'long' }, async () => {
    // A file may not grow beyond 100 kB: less than the tables need.
    const command = ['-c', 'ulimit -f 200; exec "$0" "$@"', process.execPath, script, ...optionsFor('small', 0)];
    const { code, stderr } = await startProcess(['sh', ...command]).exit;
    // Either its end or a call without a response is noticed first.
    const words = /^The engine (has ended with code 1\. It was ended by SIGXFSZ\.|cannot keep the data: .+)\n$/;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
  });
});

describe('the engine', () => {
  it('only the owner can read the files of the engine in a folder that others can read', async () => {
    const folder = join(directory, 'shared');
    mkdirSync(folder, { mode: 0o755 });
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await (await startOwnEngine(0, folder)).close();
    stderr.mockRestore();
    const files = readdirSync(folder);
    expect(files).toContain('dynamodb.sqlite');
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(files.map(() => 0o600));
  });

  it('startEngine rejects with the reason if the engine cannot open its database', async () => {
    const folder = join(directory, 'taken');
    mkdirSync(join(folder, 'dynamodb.sqlite'), { recursive: true, mode: 0o700 });
    await expect(startOwnEngine(0, folder)).rejects.toThrow('unable to open database file');
  });

  it('the start of the service rejects with the reason if the engine cannot write', async () => {
    const engine = await startEngine();
    const proxy = await startEngineProxy(engine);
    proxy.fail({ operation: 'CreateTable', how: 'error' });
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', proxy.engine.endpoint);
    const words = 'The engine cannot keep the data: secret detail of the engine';
    await expect(startLocalService({ demo: false })).rejects.toEqual(new CommandError(words));
    vi.unstubAllEnvs();
    await proxy.close();
    await engine.close();
  });
});
