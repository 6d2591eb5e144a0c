import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, it } from 'vitest';
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
const cursor = JSON.stringify(createCursor(tenant, '2026-07-31T00:00:00.000Z'));
const cursorFiles = ['demo.cursor', 'demo.cursor.lock', 'demo.cursor.previous'];
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'ops-output-'))));

// The export has more than 40 KB, so that the reader has ended before it is complete.
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

const readOutput = (name: string) => readFileSync(join(folder, name), 'utf8');

it('an export whose reader ends is ended with 3 and one line, and does not change the cursor file', async () => {
  writeFileSync(join(folder, 'demo.cursor'), cursor);
  const command = `export-declarations ${tenant} --json --cursor-file demo.cursor --local`;
  const ops = `"${process.execPath}" "${join(process.cwd(), 'infra/ops/cli.ts')}"`;
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
  const { stderr } = await promisify(exec)(`{ ${ops} ${command}; echo $? > code; } | true`, { cwd: folder, env });
  expect(stderr).toMatch(/^The output is incomplete: EPIPE: the reader has closed the pipe.*\n$/);
  expect([readOutput('code'), readOutput('demo.cursor')]).toEqual(['3\n', cursor]);
  expect(readdirSync(folder).filter((name) => name !== 'code')).toEqual(cursorFiles);
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
