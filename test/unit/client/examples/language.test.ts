import { execFileSync } from 'node:child_process';
import { CommanderError } from '@commander-js/extra-typings';
import { describe, expect, it, vi } from 'vitest';
import { languageOf, programIn } from '../../../../lib/client/examples/declare-csv/program.ts';
import { reasonOf } from '../../../../lib/client/examples/declare-csv/summary.ts';
import { PortalError } from '../../../../lib/client/index.ts';
import type { Texts } from '../../../../lib/domain/language.ts';

const program = new URL('../../../../lib/client/examples/declare-csv/program.ts', import.meta.url).href;

describe('the language', () => {
  it.each([
    ['es', { LC_ALL: 'es_ES@euro', LANG: 'en_US' }],
    ['en', { LC_MESSAGES: 'POSIX', LANG: 'es_AR' }],
  ] as const)('is %s for a process with %j', (language, variables) => {
    const others = Object.entries(process.env).filter(([name]) => !/^(?:LC_|LANG)/.test(name));
    const script = `import { languageOf } from '${program}'; process.stdout.write(languageOf([]));`;
    const env = { ...Object.fromEntries(others), ...variables };
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env }).toString()).toBe(language);
  });

  it.each([
    ['es', [], 'es-AR'],
    ['es', [], 'es'],
    ['en', [], 'est-EE'],
    ['en', [], 'en-US'],
    ['es', ['--lang', 'es'], 'en-US'],
    ['es', ['file.csv', '--lang=es', '--check'], 'en-US'],
    ['en', ['--lang', 'es', '--lang', 'en'], 'es-AR'],
    ['en', ['--language', 'es'], 'en-US'],
    ['en', ['--lang'], 'en-US'],
  ] as const)('is %s for %j on a system in %s', (language, args, locale) => {
    expect(languageOf(args, locale)).toBe(language);
  });
});

describe('the texts', () => {
  it('are there in both languages, or do not compile', () => {
    // @ts-expect-error -- without Spanish
    const ofTable = { hello: { en: 'Hello.' } } satisfies Texts;
    // @ts-expect-error -- without English
    const ofFunction = { hello: (name: string) => ({ es: `Hola, ${name}.` }) } satisfies Texts;
    // @ts-expect-error -- one of several is without Spanish
    const ofGroup = { greetings: { hello: { en: 'Hello.', es: 'Hola.' }, bye: { en: 'Bye.' } } } satisfies Texts;
    expect([ofTable, ofFunction, ofGroup]).toHaveLength(3);
  });

  it.each([
    ['NETWORK_ERROR', 'No answer (ECONNREFUSED).', 'El servicio no respondió (ECONNREFUSED).'],
    ['NETWORK_ERROR', 'No answer.', 'El servicio no respondió.'],
    ['NETWORK_ERROR', 'No answer within 30000 ms.', 'El servicio no respondió en 30000 ms.'],
    ['INVALID_RESPONSE', 'The answer (status 502) …', 'La respuesta (estado 502) no es de este servicio.'],
  ] as const)('of the client are said in both: %s, %s', (code, message, spanish) => {
    const status = code === 'INVALID_RESPONSE' ? 502 : null;
    const { es } = reasonOf(new PortalError({ code, message, status, requestId: null }));
    expect(es).toBe(`${code}: ${spanish}`);
  });
});

describe('the command line in Spanish', () => {
  /** What is said of these arguments. */
  function said(args: readonly string[]): string {
    const spies = [process.stderr, process.stdout].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
    const command = programIn('es').action(() => {});
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
    [whole.slice(1), "error: falta el argumento '<archivo>'"],
    [['f.csv'], "error: falta la opción '--tenant <tenant>'"],
    [[...whole, '--report'], "error: falta el valor de la opción '--report <archivo>'"],
    [[...whole, '--reprot'], "error: no se conoce la opción '--reprot'\n(¿Quiso decir --report?)"],
    [[...whole, '--reported'], "error: no se conoce la opción '--reported'\n(¿Quiso decir --report?)"],
    // No other user of the machine may see it among the processes.
    [[...whole, '--password'], "error: no se conoce la opción '--password'\n(--help muestra cómo)"],
    [[...whole, 'g.csv'], 'error: demasiados argumentos; se espera un archivo: f.csv, g.csv.'],
    [[...whole, '--url', 'x'], "error: el valor 'x' de la opción '--url <url>' no es válido. Debe empezar con"],
    [[...whole, '--map', 'x=y'], "la opción '--map <campo=columna>' no es válido. Debe ser CAMPO=COLUMNA"],
    [[...whole, '--map', 'amount='], 'no es válido. Debe ser CAMPO=COLUMNA'],
    [[...whole, '--lang', 'fr'], 'no es válido. Debe ser en o es.'],
  ])('says what is wrong with %j', (args, message) => {
    expect(said(args)).toContain(message);
  });

  it('has a help without English', () => {
    const help = said(['--help']);
    expect(help).toMatch(/^Uso: npm run declare-csv -- \[opciones\] <archivo>\n/);
    expect(help).not.toMatch(/\b(?:Usage|Options|Arguments|default|display|help for|the|with|file|column|language)\b/);
  });
});
