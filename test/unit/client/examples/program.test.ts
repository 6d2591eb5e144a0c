import { CommanderError } from '@commander-js/extra-typings';
import { describe, expect, it, vi } from 'vitest';
import { detectLanguage, createProgram } from '../../../../lib/client/examples/declare-csv/program.ts';
import { describeFailure } from '../../../../lib/client/examples/declare-csv/results.ts';
import { PortalError } from '../../../../lib/client/index.ts';

it.each([
  ['es', [], 'es-AR'],
  ['en', [], 'est-EE'],
  ['es', ['file.csv', '--lang=es', '--check'], 'en-US'],
  ['en', ['--lang', 'es', '--lang', 'en'], 'es-AR'],
  ['en', ['--lang'], 'en-US'],
] as const)('the language is %s for %j on a system in %s', (language, args, locale) => {
  expect(detectLanguage(args, locale)).toBe(language);
});

it.each([
  ['NETWORK_ERROR', 'No response (ECONNREFUSED).', 'El servicio no respondió (ECONNREFUSED).'],
  ['NETWORK_ERROR', 'No response within 30000 ms.', 'El servicio no respondió en 30000 ms.'],
  [
    'INVALID_RESPONSE',
    'The answer (status 502) …',
    'El servidor respondió 502, pero la respuesta no es de este servicio. Revise --url o intente de nuevo.',
  ],
] as const)('the texts of the client are said in both: %s, %s', (code, message, spanish) => {
  const status = code === 'INVALID_RESPONSE' ? 502 : null;
  const { es } = describeFailure(new PortalError({ code, message, status, requestId: null }));
  expect(es).toBe(`${code}: ${spanish}`);
});

it('a refusal is told as the service says it, with its request', () => {
  const refusal = { code: 'UNAUTHORIZED', message: 'No.', status: 401, requestId: 'r-1' } as const;
  const said = { en: 'UNAUTHORIZED: No. (request r-1)', es: 'UNAUTHORIZED: No. (solicitud r-1)' };
  expect(describeFailure(new PortalError(refusal))).toEqual(said);
});

describe('the command line in Spanish', () => {
  function said(args: readonly string[]): string {
    const spies = [process.stderr, process.stdout].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
    const command = createProgram('es').action(() => {});
    try {
      command.parse([...args], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
    }
    const text = spies.flatMap(({ mock }) => mock.calls.map(([chunk]) => String(chunk))).join('');
    for (const spy of spies) spy.mockRestore();
    return text;
  }

  const whole = ['f.csv', '--tenant', 't', '--email', 'e'];
  it.each([
    [['f.csv'], "error: falta la opción '--tenant <tenant>'"],
    [[...whole, '--reprot'], "error: no se conoce la opción '--reprot'\n(¿Quiso decir --report?)"],
    // Other users of the machine can see options in the list of processes.
    [[...whole, '--password'], "error: no se conoce la opción '--password'\n(Ejecute con --help para ver el uso.)"],
    [[...whole, 'g.csv'], 'error: demasiados argumentos; se espera un archivo: f.csv, g.csv.'],
    [[...whole, '--map', 'amount='], 'no es válido. Debe ser CAMPO=COLUMNA'],
    [[...whole, '--lang', 'es-AR'], 'no es válido. Los valores admitidos son en, es.'],
  ])('says what is wrong with %j', (args, message) => {
    expect(said(args)).toContain(message);
  });

  it('has a help without English', () => {
    const help = said(['--help']);
    expect(help).toMatch(/^Uso: npm run declare-csv -- \[opciones\] <archivo>\n/);
    expect(help).not.toMatch(/\b(?:Usage|Options|Arguments|default|display|help for|the|with|file|column|language)\b/);
  });
});
