import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { listen } from '../../infra/local/ports.ts';
import { readProgram } from '../../infra/openapi/published-documents.ts';
import { runOps } from '../support/ops/run-ops.ts';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../support/service/local-service.ts';
import { moveClock } from '../support/service/service-client.ts';

/** The interpreter of each language. test/suite.ts sets PYTHON. */
const interpreters = { py: process.env['PYTHON'] ?? '', php: 'php' };

// A command moves the clock of this process to that of the service.
const MachineDate = Date;
afterEach(() => void (globalThis.Date = MachineDate));
const formatTime = (hours: number) => new Date(MachineDate.now() + hours * 3_600_000).toISOString();

/** The start of an export of all declarations. */
const since = ['--since', '2026-01-01'];

const LAST_INVOICE = '21000';

/**
 * Starts a gateway in front of the service that causes the errors of a month: a rate limit, an expired token, a response
 * that is lost after the commit, and an invoice that is settled meanwhile.
 */
async function startGateway(service: Awaited<ReturnType<typeof startLocalService>>) {
  const counts = { lists: 0, logins: 0, batches: 0 };
  const server = createServer((request, response) => {
    void (async () => {
      const { url: path = '', method = 'GET', headers } = request;
      const body = await text(request);
      if (path.endsWith('/login')) counts.logins++;
      if (path.includes('?') && ++counts.lists === 2)
        return response
          .writeHead(429, { 'Retry-After': '1' })
          .end('{"success": false, "error": {"code": "RATE_LIMITED"}}');
      if (path.includes('?') && counts.lists === 5) await moveClock(service.url, 3_601);
      const isBatch = path.endsWith('/declare-batch');
      if (isBatch && ++counts.batches === 4)
        await runOps(service.endpoint, 'set-state', 'demo.example', LAST_INVOICE, 'LIQ', '--reason', 'Paid');
      if (isBatch && counts.batches === 8) await moveClock(service.url, 61);
      const sent = Object.entries(headers).filter(([name]) => /^(authorization|content-|tenant|x-api-key)/.test(name));
      const reply = await fetch(service.url + path, {
        method,
        headers: sent.filter(([name]) => name !== 'content-length') as [string, string][],
        ...(method === 'POST' && { body }),
      });
      const replyBody = await reply.text();
      if (isBatch && counts.batches === 2) return request.socket.destroy();
      return response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(replyBody);
    })();
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  return { url, counts, close: () => server.close() };
}

it.each(['py', 'php'] as const)(
  'the program declare_month.%s of the guide declares a month despite a rate limit, an expired token and a lost response',
  async (language) => {
    const service = await startLocalService({ demo: 'full' });
    const gateway = await startGateway(service);
    const program = readProgram(`declare_month.${language}`);
    const code = program.replace('http://127.0.0.1:3000', gateway.url);
    expect(code).not.toBe(program);
    const file = join(mkdtempSync(join(tmpdir(), 'program-')), 'program');
    writeFileSync(file, code);
    const { stdout, stderr } = await promisify(execFile)(interpreters[language], [file]);
    gateway.close();
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(
        /^21000 VALIDATION_ERROR .*declarations\[\d+\]\.invoice_id.*\n999 of 1000 invoices declared\n$/,
      ),
      stderr: '',
    });
    expect(gateway.counts).toEqual({ lists: 12, logins: 2, batches: 11 });
    const exported = await runOps(service.endpoint, 'export-declarations', 'demo.example', '--json', ...since);
    expect(exported.stdout.match(/"supplier_id": "205"/g)).toHaveLength(999);
    await service.close();
  },
);

it.each(['py', 'php'] as const)('the program declare_month.%s declares the rows of a CSV', async (language) => {
  const service = await startLocalService({ demo: 'full' });
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  const program = join(folder, 'program');
  writeFileSync(program, readProgram(`declare_month.${language}`).replace('http://127.0.0.1:3000', service.url));
  const file = join(folder, 'amounts.csv');
  writeFileSync(file, 'invoice_id,amount\r\n20001,1755.5\r\n9101,5\r\n');
  const { stdout } = await promisify(execFile)(interpreters[language], [program, file]);
  expect(stdout).toBe('9101 NOT_FOUND The invoice was not found.\n1 of 2 invoices declared\n');
  const exported = await runOps(service.endpoint, 'export-declarations', 'demo.example', '--json', ...since);
  expect(exported.stdout).toMatch(/"invoice_id": "20001",[^{}]*"declared_amount": 1755\.5/);
  await service.close();
});

it.each(['py', 'php'] as const)(
  'the program changed_invoices.%s prints the invoices that have changed, and stores its time only after a success',
  async (language) => {
    const service = await startLocalService({ demo: 'full' });
    const folder = mkdtempSync(join(tmpdir(), 'program-'));
    const program = join(folder, 'program');
    writeFileSync(program, readProgram(`changed_invoices.${language}`).replace('http://127.0.0.1:3000', service.url));
    const run = () => promisify(execFile)(interpreters[language], [program], { cwd: folder });
    const timeFile = join(folder, 'changed_since.txt');

    const ids = Array.from({ length: 150 }, (_, index) => String(30_001 + index));
    const rows = ids.map((id) => `${id},205,1,${formatTime(0)},100`);
    const records = join(folder, 'invoices.csv');
    writeFileSync(records, ['invoice_id,supplier_id,service_id,invoice_date,system_amount', ...rows].join('\n'));
    await runOps(service.endpoint, 'import-invoices', records, '--tenant', 'demo.example');
    const lines = (await run()).stdout.split('\n');
    expect(lines).toEqual(expect.arrayContaining(ids.map((id) => expect.stringMatching(`^${id} PEN 100 `))));
    expect(Date.parse(readFileSync(timeFile, 'utf8'))).toBeLessThanOrEqual(MachineDate.now() - 60_000);

    await moveClock(service.url, 3_600);
    const decision = ['AJU', '--reason', 'Too much', '--approved-amount', '90', '--message', 'As agreed'];
    await runOps(service.endpoint, 'set-state', 'demo.example', '30150', ...decision);
    writeFileSync(timeFile, formatTime(0.5));
    expect((await run()).stdout).toMatch(/^30150 AJU 100 .*\n {2}90(\.0)? As agreed\n$/);

    const stored = readFileSync(timeFile, 'utf8');
    await service.close();
    await expect(run()).rejects.toThrow();
    expect(readFileSync(timeFile, 'utf8')).toBe(stored);
  },
);
