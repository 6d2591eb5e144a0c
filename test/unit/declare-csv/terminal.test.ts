import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readCredentials, showProgress } from '../../../lib/declare-csv/terminal.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { runTexts } from '../../../lib/declare-csv/run-texts.ts';
import { TextError } from '../../../lib/client/spreadsheets/spreadsheet-error.ts';

/** Types a text into a terminal. Returns the credentials that are read from it, and the output. */
async function enter(input: string, env: NodeJS.ProcessEnv = {}, language: Language = 'en', isTTY = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.Process['stdin'];
  const stderr = new PassThrough();
  stdin.push(input);
  const terminal = { env, stdin, stderr: stderr as unknown as NodeJS.Process['stderr'] };
  const credentials = await readCredentials(language, terminal).catch((error: unknown) => error);
  stderr.end();
  return { credentials, shown: await text(stderr) };
}

describe('reading the credentials', () => {
  const known = { PORTAL_API_KEY: 'key' };
  it.each<[string, string, NodeJS.ProcessEnv, Language, string]>([
    ['without echo, also if both are pasted at once', 'key\rpassword\r', {}, 'en', 'API key: \nPassword: \n'],
    ['in Spanish', 'key\rpassword\r', {}, 'es', 'Clave de API: \nContraseña: \n'],
    ['if they are not in the environment', 'password\r', known, 'en', 'Password: \n'],
    ['not if both are in the environment', '', { ...known, PORTAL_PASSWORD: 'password' }, 'en', ''],
  ])('credentials are requested from the terminal: %s', async (_, input, env, language, shown) => {
    expect(await enter(input, env, language)).toEqual({ credentials: { apiKey: 'key', password: 'password' }, shown });
  });

  it.each(['\x03', '\x04', 'key\r\x03', 'key\r\x04'])('credentials are null if the user enters %j', async (input) => {
    expect(await enter(input)).toMatchObject({ credentials: null });
  });

  it('readCredentials throws an error without a terminal, or if a value is empty', async () => {
    const { credentials } = await enter('password\r', known, 'en', false);
    expect(credentials).toEqual(new TextError(runTexts.noValue('PORTAL_PASSWORD')));
    expect(await enter('key\r\r')).toMatchObject({ credentials: new TextError(runTexts.noValue('PORTAL_PASSWORD')) });
  });
});

it('a terminal shows the progress of each step, and a note while the client waits', async () => {
  const terminal = { isTTY: true, columns: 120, cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const stream = Object.assign(new PassThrough(), terminal);
  const progress = showProgress(stream as unknown as NodeJS.WriteStream, 'es');
  const shown = () => stripVTControlCharacters(String(stream.read()));
  progress.showWait(1);
  progress.begin('checking', 40);
  progress.showWait(57.3);
  await expect.poll(shown).toContain('0 de 40 (espera de 58 s antes de la próxima solicitud)');
  progress.advance(20);
  progress.begin('declaring', 5);
  expect(shown()).toMatch(/█{20}░{20} 20 de 40(?! \()[^]*Declarando ░{40} 0 de 5/);
  progress.end();
});
