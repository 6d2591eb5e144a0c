import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';

const recordings = fileURLToPath(new URL('../legacy-replay/recordings', import.meta.url));
const secrets = { LEGACY_GUID: DEMO_ACCOUNT.apiKey, LEGACY_PASSWORD: DEMO_ACCOUNT.password };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  cpSync(recordings, folder, { recursive: true });
});

const replay = (address: string, args: readonly string[] = []) =>
  runScript('test/legacy-replay/replay.ts', [folder, '--address', address, ...args], { env: secrets });

/** Changes a recording in the folder. */
function edit(file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('legacy-replay', () => {
  const service = useLocalService();

  it('legacy-replay ends with 0 if all responses are as recorded, with credentials from the environment', async () => {
    expect(await replay(`${service.url}/`)).toEqual({
      code: 0,
      stdout:
        'declarar-liquidada: as recorded\nobtener-factura: as recorded\nvalidar-factura: as recorded\n' +
        '3 of 3 responses are as recorded.\n',
      stderr: '',
    });
  });

  it('legacy-replay reports a different status, and fields that differ, are missing or are not recorded', async () => {
    edit('obtener-factura.json', (text) =>
      text
        .replace('"status": 200', '"status": 201')
        .replace('"Ciudad": "San Juan"', '"Ciudad": "Salta"')
        .replace('"IdConcepto": "10"', '"IdConcepto": 10')
        .replace('"ToleranciaAbsoluta": null', '"Moneda": "ARS"')
        .replace('"Observaciones": null', '"Observaciones": ""')
        .replace('"Origen": "proveedor"', '"Origen": "proveedor", "constructor": {}'),
    );
    const { code, stdout } = await replay(service.url);
    expect(code).toBe(1);
    expect(stdout).toContain('obtener-factura: differs\n  status is 200, recorded 201\n');
    expect(stdout).toContain('  response.Conceptos.0.IdConcepto is "10", recorded 10\n');
    expect(stdout).toContain('  response.Tolerancia.Moneda is missing, recorded "ARS"\n');
    expect(stdout).toContain('  response.Tolerancia.ToleranciaAbsoluta is null, recorded nothing\n');
    const fields = ['status', 'Ciudad', 'Observaciones', 'IdConcepto', 'Moneda', 'ToleranciaAbsoluta', 'constructor'];
    const args = fields.flatMap((field) => ['--ignore', field]);
    expect((await replay(service.url, args)).code).toBe(0);
  });

  it('legacy-replay prints no credential of a recording or of the environment', { tags: 'long' }, async () => {
    const { apiKey, password } = DEMO_ACCOUNT;
    const fillIn = (text: string) => text.replace('{{LEGACY_GUID}}', apiKey).replace('ana', 'nobody@demo.example');
    edit('obtener-factura.json', fillIn);
    edit('validar-factura.json', (text) =>
      fillIn(text).replace(/("response": \{[^]*?)"9003"/, `$1"${apiKey} nobody@demo.example {{LEGACY_PASSWORD}}"`),
    );
    const { code, stdout, stderr } = await replay(service.url);
    expect(code).toBe(1);
    expect(stdout).toContain('IdFactura is missing, recorded "*** *** ***"');
    expect(stdout).toContain('Resultado.Codigo is "UNAUTHORIZED", recorded "OK"');
    for (const secret of [apiKey, password, 'nobody']) expect(stdout + stderr).not.toContain(secret);
  });
});
