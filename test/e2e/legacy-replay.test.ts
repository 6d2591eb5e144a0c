import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { withServer } from '../support/service/with-server.ts';

const recordings = fileURLToPath(new URL('../../lib/legacy/recordings', import.meta.url));
const secrets = { LEGACY_GUID: demoAccount.apiKey, LEGACY_PASSWORD: demoAccount.password };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  cpSync(recordings, folder, { recursive: true });
});

const replay = (address: string, args: readonly string[] = []) =>
  runScript('infra/legacy-replay/replay.ts', [folder, '--address', address, ...args], { env: secrets });

/** Changes a file of the folder. */
function edit(file: string, change: (text: string) => string | Buffer): void {
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('recorded legacy calls', () => {
  const service = useLocalService();

  it('of the guide are answered as recorded, with credentials from the environment', async () => {
    expect(await replay(`${service.url}/`)).toEqual({
      code: 0,
      stdout:
        'declarar-liquidada: as recorded\nobtener-factura: as recorded\nvalidar-factura: as recorded\n' +
        '3 of 3 answers are as recorded.\n',
      stderr: '',
    });
  });

  it('are compared in status and in every field: another value, another type, missing, more', async () => {
    edit('obtener-factura.answer.http', (text) =>
      text
        .replace('200 OK', '201 Created')
        .replace('"Ciudad": "San Juan"', '"Ciudad": "Salta"')
        .replace('"IdConcepto": "10"', '"IdConcepto": 10')
        .replace('"ToleranciaAbsoluta": null', '"Moneda": "ARS"')
        .replace('"Observaciones": null', '"Observaciones": ""')
        .replace('"Origen": "proveedor"', '"Origen": "proveedor", "constructor": {}'),
    );
    const { code, stdout, stderr } = await replay(service.url);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'declarar-liquidada: as recorded',
      'obtener-factura: 7 differences',
      '  status is 200, recorded 201',
      '  Ciudad is "San Juan", recorded "Salta"',
      '  Observaciones is null, recorded ""',
      '  Conceptos[0].IdConcepto is "10", recorded 10',
      '  Tolerancia.Moneda is missing, recorded "ARS"',
      '  Tolerancia.constructor is missing, recorded {}',
      '  Tolerancia.ToleranciaAbsoluta is not recorded, but is null',
      'validar-factura: as recorded',
      '2 of 3 answers are as recorded.',
      '',
    ]);

    const ignored = ['status', 'Ciudad', 'Observaciones', 'IdConcepto', 'Moneda', 'constructor'];
    const args = [...ignored, 'Tolerancia.ToleranciaAbsoluta'].flatMap((field) => ['--ignore', field]);
    expect((await replay(service.url, args)).code).toBe(0);
  });

  it('report no credential, be it recorded or of the environment, wherever it stands', { tags: 'long' }, async () => {
    const { apiKey, password } = demoAccount;
    const placed = (text: string) => text.replace('{{LEGACY_GUID}}', apiKey).replace('ana', 'nobody@demo.example');
    edit('obtener-factura.request.http', placed);
    edit('validar-factura.request.http', placed);
    edit('validar-factura.answer.http', (text) =>
      text.replace('"9003"', `"${apiKey} nobody@demo.example {{LEGACY_PASSWORD}} ${'x'.repeat(500)}"`),
    );
    const { code, stdout, stderr } = await replay(service.url);
    expect(code).toBe(1);
    expect(stdout).toContain('IdFactura is missing, recorded "*** *** *** xxx');
    expect(stdout).toContain('Resultado.Codigo is "UNAUTHORIZED", recorded "OK"');
    for (const secret of [apiKey, password, 'nobody']) expect(stdout + stderr).not.toContain(secret);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(210);
  });
});

describe('wrong use', { tags: 'long' }, () => {
  const nowhere = ['--address', 'http://127.0.0.1:9'];
  it.each([
    [nowhere, 'Name one folder.'],
    [['a', 'b', ...nowhere], 'Name one folder.'],
    [['a', '--address', 'http://service.example'], '--address takes an address with https://'],
  ])('ends with 2: %j', async (args, reason) => {
    const run = await runScript('infra/legacy-replay/replay.ts', args);
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it('is a folder whose recordings cannot be used: each has a line, and nothing is sent', async () => {
    for (const name of ['obtener-factura', 'validar-factura']) edit(`${name}.request.http`, () => 'GET /');
    const lines = /^obtener-factura\.request\.http is no .+\nvalidar-factura\.request\.http is no .+\n$/;
    const run = await replay('http://127.0.0.1:9');
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(lines) });
  });
});

describe('a service that does not answer as one', () => {
  const against = (answer: RequestListener, ...args: string[]) => withServer(answer, (url) => replay(url, args));

  it('is told of by the name of each recording: no JSON, no answer in time', { tags: 'long' }, async () => {
    const html = await against((_, response) => response.writeHead(502).end('<html>'), '--ignore', 'status');
    expect(html).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('obtener-factura: 1 difference\n  body is no JSON\n'),
    });
    const silent = await against(() => undefined, '--timeout', '1');
    expect(silent).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('obtener-factura: No response within 1000 ms.\n'),
    });
  });

  it('is asked once more when its rate limit is used up', { tags: 'long' }, async () => {
    let requests = 0;
    const { stdout } = await against((_, response) => {
      requests += 1;
      const isOver = requests === 1;
      response.writeHead(isOver ? 429 : 200, { 'Retry-After': '1' }).end('{"Resultado": {}}');
    });
    expect(stdout).toContain('The service asks to wait for 1 seconds.\n');
    expect(requests).toBe(4);
    expect(stdout).not.toContain('status');
  });
});
