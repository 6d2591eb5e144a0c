import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRecordings } from '../../../infra/legacy-replay/recordings.ts';
import { CommandError } from '../../../infra/terminal.ts';

const recorded = fileURLToPath(new URL('../../../lib/legacy/recordings', import.meta.url));

/** A copy of the recordings of the guide, whose files can be changed. */
function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  cpSync(recorded, folder, { recursive: true });
  return {
    folder,
    write: (file: string, content: string | Buffer) => writeFileSync(join(folder, file), content),
    text: (file: string) => readFileSync(join(folder, file), 'utf8'),
  };
}

beforeEach(() => {
  for (const name of ['LEGACY_GUID', 'LEGACY_PASSWORD']) vi.stubEnv(name, 'secret');
});
afterEach(() => void vi.unstubAllEnvs());

it('a recording may be of any host and path, with Windows line ends, a byte order mark and comments before it', () => {
  const { folder, write, text } = copy();
  for (const name of ['obtener-factura', 'declarar-liquidada']) {
    const [request, answer] = [text(`${name}.request.http`), text(`${name}.answer.http`)];
    const moved = request.replace('/apidev/legacy/', 'https://old.example:8443/Despacho/v2/');
    expect(moved).not.toBe(request);
    write(`${name}.request.http`, `\uFEFF# Of 3 May\r\n\r\n${moved.replaceAll('\n', '\r\n')}`);
    write(`${name}.answer.http`, answer.replaceAll('\n', '\r\n'));
  }
  expect(readRecordings(folder)).toEqual(readRecordings(recorded));
});

it('recordings that cannot be used are named with what is wrong with them, all at once, without what they hold', () => {
  const { folder, write, text } = copy();
  write('a.answer.http', 'HTTP/1.1 200 OK\n\n{}');
  write('b.request.http', 'POST /WSNada\n\n{}');
  write('b.answer.http', '<html>secret-3</html>');
  write('c.request.http', 'POST /WSNada\n\n{"Guid": "{{NO_SUCH_VARIABLE}}"}');
  write('declarar-liquidada.answer.http', text('declarar-liquidada.answer.http').replace('{', '{"secret-2" '));
  const latin1 = text('obtener-factura.request.http').replace('9008', '"Peñaflor"');
  write('obtener-factura.request.http', Buffer.from(latin1, 'latin1'));
  write('obtener-factura.answer.http', 'no file of interest');
  write('validar-factura.request.http', 'GET /secret-1 HTTP/1.1\n\n{}');
  const faults = [
    'a.request.http is not there, or cannot be read.',
    'b.answer.http is no HTTP answer: its first line must be like HTTP/1.1 200 OK.',
    'c.request.http needs NO_SUCH_VARIABLE, which is not set in the environment.',
    'declarar-liquidada.answer.http has no JSON as its body, which begins after the first empty line.',
    'obtener-factura.request.http is not UTF-8 (it may be Windows-1252): save it as UTF-8.',
    'validar-factura.request.http is no HTTP request: its first line must be POST and an address.',
  ];
  expect(() => readRecordings(folder)).toThrow(new CommandError(faults.join('\n')));
});

it('a folder without recordings is refused', () => {
  expect(() => readRecordings('lib/nothing')).toThrow('lib/nothing is no folder with recordings: NAME.request.http');
});
