import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { readRecordings } from '../../../infra/legacy-replay/recordings.ts';
import { CommandError } from '../../../infra/terminal.ts';

it('recordings that cannot be used are named with what is wrong with them, all at once, without what they hold', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  cpSync(fileURLToPath(new URL('../../../lib/legacy/recordings', import.meta.url)), folder, { recursive: true });
  const write = (file: string, content: string | Buffer) => writeFileSync(join(folder, file), content);
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  for (const name of ['LEGACY_GUID', 'LEGACY_PASSWORD']) vi.stubEnv(name, 'secret');

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
  vi.unstubAllEnvs();
});

it('a folder without recordings is none', () => {
  expect(() => readRecordings('lib/nothing')).toThrow('lib/nothing is no folder with recordings: NAME.request.http');
});
