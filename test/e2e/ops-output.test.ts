import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { formatCursor } from '../../infra/ops/export/cursor-file.ts';
import { createCursor } from '../../infra/ops/export/export-cursor.ts';
import { decimal } from '../../lib/domain/money.ts';
import { declareAt } from '../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../support/data/seed-invoices.ts';
import { applyFile, lists } from '../support/ops/apply-lists.ts';
import { startEngineProxy } from '../support/engine/engine-proxy.ts';
import { runOpsProcess } from '../support/ops/run-ops.ts';
import { useEngine } from '../support/setup/use-engine.ts';

const engine = useEngine();
const tenant = 'output.example';
const cursor = formatCursor(tenant, createCursor('2026-07-31T00:00:00.000Z'));
const cursorFiles = ['demo.cursor', 'demo.cursor.lock', 'demo.cursor.previous'];
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'ops-output-'))));

// The export has more than 40 KB, so that it exceeds the size limit of a file in a test below.
beforeAll(async () => {
  await applyFile(engine, tenant, lists);
  const ids = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
  const scope = { tenant, supplierId: '10' };
  await seedInvoices(
    engine,
    scope,
    ids.map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) })),
  );
  await Promise.all(
    ids.map((invoiceId) => declareAt(engine, scope, { invoiceId, amount: 1, notes: 'x'.repeat(2000) })),
  );
});

/** Runs a shell script in which `ops` runs a command and writes its exit code to the file `code`. Returns stderr. */
function runShell(script: string): Promise<string> {
  const ops = `ops() { "${process.execPath}" "${join(process.cwd(), 'infra/ops/cli.ts')}" "$@" --local; echo $? > code; }`;
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint, NODE_DISABLE_COMPILE_CACHE: '1' };
  return new Promise((resolve) => {
    execFile('sh', ['-c', `${ops}\n${script}`], { cwd: folder, env }, (_error, _stdout, stderr) => resolve(stderr));
  });
}
const readOutput = (name: string) => readFileSync(join(folder, name), 'utf8');

it.each([
  ['a file that cannot grow', '(ulimit -f 8; ops $EXPORT > out)', 'EFBIG'],
  ['a reader that ends', 'ops $EXPORT | true', 'EPIPE: the reader has closed the pipe'],
])('an export to %s ends with 3 and one line, and does not change the cursor file', async (_what, script, reason) => {
  writeFileSync(join(folder, 'demo.cursor'), cursor);
  const stderr = await runShell(`EXPORT="export-declarations ${tenant} --csv --cursor-file demo.cursor"\n${script}`);
  expect(stderr).toMatch(new RegExp(`^The output is incomplete: ${reason}.*\n$`));
  expect([readOutput('code'), readOutput('demo.cursor')]).toEqual(['3\n', cursor]);
  expect(readdirSync(folder).filter((name) => !['out', 'code'].includes(name))).toEqual(cursorFiles);
});

it('an export that a signal ends leaves no temporary file, and does not change the cursor file', async () => {
  const proxy = await startEngineProxy(engine);
  writeFileSync(join(folder, 'demo.cursor'), cursor);
  const { code, stderr } = await runOpsProcess(
    ['export-declarations', tenant, '--cursor-file', 'demo.cursor', '--out', 'out.csv', '--local'],
    {
      cwd: folder,
      env: { AWS_ENDPOINT_URL_DYNAMODB: proxy.engine.endpoint },
      started(child) {
        const exit = once(child, 'exit');
        const endCommand = async () => {
          child.kill('SIGTERM');
          await exit;
        };
        proxy.injectFault({ how: 'delay-request', operation: 'Query', wait: endCommand });
      },
    },
  );
  await proxy.close();
  expect([code, stderr]).toEqual([130, '']);
  expect([readdirSync(folder), readOutput('demo.cursor')]).toEqual([cursorFiles, cursor]);
});

it.skipIf(process.platform === 'win32')(
  'an export that is killed between its complete output and the new cursor exports the same rows again',
  async () => {
    writeFileSync(join(folder, 'demo.cursor'), cursor);
    // The command waits at the file of the totals, because nothing reads the pipe.
    execFileSync('mkfifo', [join(folder, 'totals')]);
    const args = ['export-declarations', tenant, '--cursor-file', 'demo.cursor', '--out', 'out.csv', '--local'];
    const setting = { cwd: folder, env: { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint } };
    const killWithOutput = async (child: ChildProcess) => {
      await vi.waitUntil(() => existsSync(join(folder, 'out.csv')), { timeout: 60_000 });
      child.kill('SIGKILL');
    };
    await runOpsProcess([...args, '--totals', 'totals'], {
      ...setting,
      started: (child) => void killWithOutput(child),
    });
    const rows = readOutput('out.csv');
    expect([rows.split('\n').length, readOutput('demo.cursor')]).toEqual([22, cursor]);
    expect(await runOpsProcess(args, setting)).toMatchObject({ code: 0 });
    expect(readOutput('out.csv')).toBe(rows);
    expect(readOutput('demo.cursor')).not.toBe(cursor);
  },
);
