import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/openapi/sample-requests.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { withServer } from '../support/service/with-server.ts';

const recordings = fileURLToPath(new URL('../legacy-replay/recordings', import.meta.url));
const secrets = { LEGACY_GUID: demoAccount.apiKey, LEGACY_PASSWORD: demoAccount.password };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  cpSync(recordings, folder, { recursive: true });
});

const replay = (address: string, args: readonly string[] = []) =>
  runScript('test/legacy-replay/replay.ts', [folder, '--address', address, ...args], { env: secrets });

/** Changes a file of the folder. */
function edit(file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('legacy-replay', () => {
  const service = useLocalService();

  it('ends with 0 if all responses are as recorded, with credentials from the environment', async () => {
    edit('obtener-factura.json', (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(await replay(`${service.url}/`)).toEqual({
      code: 0,
      stdout:
        'declarar-liquidada: as recorded\nobtener-factura: as recorded\nvalidar-factura: as recorded\n' +
        '3 of 3 responses are as recorded.\n',
      stderr: '',
    });
  });

  it('compares the status and every field: other values, other types, missing and additional fields', async () => {
    edit('obtener-factura.json', (text) =>
      text
        .replace('"status": 200', '"status": 201')
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
      '2 of 3 responses are as recorded.',
      '',
    ]);

    const ignored = ['status', 'Ciudad', 'Observaciones', 'IdConcepto', 'Moneda', 'constructor'];
    const args = [...ignored, 'Tolerancia.ToleranciaAbsoluta'].flatMap((field) => ['--ignore', field]);
    expect((await replay(service.url, args)).code).toBe(0);
  });

  it('prints no credential of a recording or of the environment, wherever it is', { tags: 'long' }, async () => {
    const { apiKey, password } = demoAccount;
    const placed = (text: string) => text.replace('{{LEGACY_GUID}}', apiKey).replace('ana', 'nobody@demo.example');
    edit('obtener-factura.json', placed);
    edit('validar-factura.json', (text) =>
      placed(text).replace(
        /("response": \{[^]*?)"9003"/,
        `$1"${apiKey} nobody@demo.example {{LEGACY_PASSWORD}} ${'x'.repeat(500)}"`,
      ),
    );
    const { code, stdout, stderr } = await replay(service.url);
    expect(code).toBe(1);
    expect(stdout).toContain('IdFactura is missing, recorded "*** *** *** xxx');
    expect(stdout).toContain('Resultado.Codigo is "UNAUTHORIZED", recorded "OK"');
    for (const secret of [apiKey, password, 'nobody']) expect(stdout + stderr).not.toContain(secret);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(210);
  });
});

describe('legacy-replay ends with 2 and sends nothing', { tags: 'long' }, () => {
  const nowhere = ['--address', 'http://127.0.0.1:9'];
  it.each([
    [nowhere, 'Name one folder.'],
    [['a', '--address', 'http://service.example'], '--address takes an address with https://'],
    [['lib', ...nowhere], 'lib contains no recording NAME.json.'],
  ])('for the arguments %j', async (args, reason) => {
    const run = await runScript('test/legacy-replay/replay.ts', args);
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it.each([
    ['not JSON {{LEGACY_PASSWORD}}', 'a.json must be a JSON object with operation, request, status and response.\n'],
    ['{"operation": "{{NONE}}"}', 'a.json needs the environment variable NONE, which is not set.\n'],
  ])('for a recording %j, whose text it does not print', async (text, stderr) => {
    writeFileSync(join(folder, 'a.json'), text);
    expect(await replay('http://127.0.0.1:9')).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('legacy-replay with another server', { tags: 'long' }, () => {
  const against = (answer: RequestListener, ...args: string[]) => withServer(answer, (url) => replay(url, args));

  it('reports a response that is not JSON, and a response that is not received in time', async () => {
    const html = await against((_, response) => response.writeHead(502).end('<html>'), '--ignore', 'status');
    expect(html).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('obtener-factura: 1 difference\n  body is not JSON\n'),
    });
    const silent = await against(() => undefined, '--timeout', '1');
    expect(silent).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('obtener-factura: No response within 1000 ms.\n'),
    });
  });

  it('retries a call once that the rate limit rejects', async () => {
    let requests = 0;
    const { stdout } = await against((_, response) => {
      requests += 1;
      const isThrottled = requests === 1;
      response.writeHead(isThrottled ? 429 : 200, { 'Retry-After': '1' }).end('{"Resultado": {}}');
    });
    expect(stdout).toContain('Rate limit: waiting for 1 seconds.\n');
    expect(requests).toBe(4);
    expect(stdout).not.toContain('status');
  });
});
