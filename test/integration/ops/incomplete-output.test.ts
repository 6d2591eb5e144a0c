import { EventEmitter } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it, vi } from 'vitest';
import { createCursor } from '../../../infra/ops/export/export-cursor.ts';
import { runOps as run } from '../../../infra/ops/run-ops.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareAt } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';
import { applyFile, lists } from '../../support/ops/apply-lists.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
useDirectory();
const tenant = 'output.example';
const cursor = JSON.stringify(createCursor(tenant, '2026-07-31T00:00:00.000Z'));

beforeAll(async () => {
  await applyFile(engine, tenant, lists);
  const scope = { tenant, supplierId: '10' };
  await seedInvoices(engine, scope, [buildInvoice({ invoiceId: '1', systemAmount: decimal(1000) })]);
  await declareAt(engine, scope, { invoiceId: '1', amount: 1020 });
});

/** Runs the command line with a standard output on which every write fails. */
async function runOnFullDisk(...args: string[]) {
  const stdout = new Writable({
    write: (_text, _encoding, done) => done(new Error('ENOSPC: no space left on device, write')),
  });
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
  const code = await run(args, Object.assign(new EventEmitter(), { env, stdin, stdout, stderr }) as never);
  return { code, stderr: await text(stderr.end()) };
}

it.each(['--help', `show ${tenant} 1 --local`])('%s ends with 3 if its output cannot be written', async (command) => {
  const stderr = 'The output is incomplete: ENOSPC: no space left on device, write\n';
  expect(await runOnFullDisk(...command.split(' '))).toEqual({ code: 3, stderr });
});

it('an export whose output is complete exports the same rows again if the disk is full before the new cursor', async () => {
  writeFileSync('full.cursor', cursor);
  const args = ['export-declarations', tenant, '--cursor-file', 'full.cursor', '--json'];
  // Enough for the copy of the cursor, but not for the new cursor.
  useSmallDisk(Buffer.byteLength(cursor) + 10);
  const failed = await runOps(engine.endpoint, ...args);
  vi.restoreAllMocks();
  expect(failed).toMatchObject({ code: 3, stdout: expect.stringContaining('"invoice_id": "1"') });
  expect(failed.stderr).toMatch(/full\.cursor cannot be written: ENOSPC/);
  expect(readFileSync('full.cursor', 'utf8')).toBe(cursor);
  expect(await runOps(engine.endpoint, ...args)).toMatchObject({ code: 0, stdout: failed.stdout });
});

it('--out writes the output of a command to a file', async () => {
  const args = ['list-invoices', tenant, '--json'];
  const printed = await runOps(engine.endpoint, ...args);
  expect(await runOps(engine.endpoint, ...args, '--out', 'out')).toEqual({ ...printed, stdout: '' });
  expect(readFileSync('out', 'utf8')).toBe(printed.stdout);
});

it('--out keeps an existing file if the command fails', async () => {
  writeFileSync('kept', 'kept');
  const { code } = await runOps(engine.endpoint, 'history', tenant, '404', '--out', 'kept');
  expect([code, readFileSync('kept', 'utf8')]).toEqual([2, 'kept']);
  expect(readdirSync('.').filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
