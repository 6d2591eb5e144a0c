import { expect, it } from 'vitest';
import { detectLanguage, parseCommandLine } from '../../../lib/declare-csv/program.ts';
import { describeFailure } from '../../../lib/declare-csv/results.ts';
import { PortalError } from '../../../lib/client/index.ts';

it.each([
  ['es', [], 'es-AR'],
  ['en', [], 'est-EE'],
  ['es', ['file.csv', '--lang=es', '--check'], 'en-US'],
  ['en', ['--lang', 'es', '--lang', 'en'], 'es-AR'],
  ['en', ['--lang'], 'en-US'],
  ['es', ['--lang', 'fr'], 'es-AR'],
] as const)('the language is %s for the arguments %j and the locale %s', (language, args, locale) => {
  expect(detectLanguage(args, locale)).toBe(language);
});

it.each([
  [
    'NETWORK_ERROR',
    'No response (ECONNREFUSED).',
    'El servicio no respondió (ECONNREFUSED). Revise la conexión y --url, y ejecute el comando de nuevo.',
  ],
  [
    'NETWORK_ERROR',
    'No response within 30000 ms.',
    'El servicio no respondió en 30000 ms. Revise la conexión y --url, y ejecute el comando de nuevo.',
  ],
  [
    'INVALID_RESPONSE',
    'The response (status 502) …',
    'El servidor respondió 502, pero la respuesta no es de este servicio. Revise --url o intente de nuevo.',
  ],
  [
    'NOT_FOUND',
    'The requested URL was not found.',
    'El servicio no tiene esta ruta. Indique --url sin ruta, por ejemplo https://portal.example.',
  ],
  ['UNAUTHORIZED', 'Invalid email or password.', 'El correo o la contraseña no son válidos.'],
  ['UNAUTHORIZED', 'No.', 'No. (solicitud r-1)', 'r-1'],
])('%s with the message "%s" is described in Spanish', (code, message, spanish, requestId: string | null = null) => {
  const status = code === 'INVALID_RESPONSE' ? 502 : null;
  const { es } = describeFailure(new PortalError({ code, message, status, requestId }));
  expect(es).toBe(`${code}: ${spanish}`);
});

const complete = ['f.csv', '--url', 'https://portal.example', '--tenant', 't', '--email', 'e'];

it('a command line is parsed into the file, the options and their defaults', () => {
  const mapped = [
    '--map',
    'amount=Net price=1',
    '--map',
    ' notes =N',
    '--ignore',
    'A',
    '--ignore=B',
    '--hold-review',
    '--ignore-others',
  ];
  expect(parseCommandLine([...complete, ...mapped, '--dates=mdy'], {})).toMatchObject({
    ...{ file: 'f.csv', tenant: 't', email: 'e', url: 'https://portal.example', check: false, 'hold-review': true },
    ...{ dates: 'mdy', headerLine: undefined, includesHidden: false, ignoresOtherColumns: true },
    map: [
      ['amount', 'Net price=1'],
      ['notes', 'N'],
    ],
    ignore: ['A', 'B'],
  });
  expect(parseCommandLine(['-h'], {})).toBeNull();
  const env = { PORTAL_URL: 'https://other.example' };
  expect(parseCommandLine(['f.csv', ...complete.slice(3)], env)).toMatchObject({ url: 'https://other.example' });
});

it.each([
  [['f.csv'], 'Falta la dirección del servicio. Indique --url o defina PORTAL_URL.'],
  [
    [...complete.slice(0, 3), '--email', 'e'],
    'Falta la opción --tenant. (Para ver la ayuda, ejecute el comando con --help.)',
  ],
  [[...complete, '--reprot'], 'La opción --reprot no existe'],
  // Other users of the machine can see options in the list of processes.
  [[...complete, '--password=secret'], 'La opción --password no existe, le falta el valor o el valor no es válido.'],
  [[...complete, '--report'], 'La opción --report no existe, le falta el valor'],
  [[...complete, 'g.csv'], 'Indique un archivo, y solo uno.'],
  [complete.slice(1), 'Indique un archivo, y solo uno.'],
  [[...complete, '--map', 'amount='], 'Escriba la opción --map como CAMPO=COLUMNA'],
  [[...complete, '--lang', 'es-AR'], 'La opción --lang no existe, le falta el valor o el valor no es válido.'],
  [[...complete, '--header-row', '-1'], 'La opción --header-row no existe'],
  [[...complete, '--dates', 'ymd'], 'La opción --dates no existe, le falta el valor o el valor no es válido.'],
  [[...complete, '--url', 'http://portal.example'], 'La opción --url debe empezar con https://'],
])('the command line %j is rejected with an error in Spanish that contains no value', (args, message) => {
  for (const es of [expect.stringContaining(message), expect.not.stringContaining('secret')]) {
    expect(() => parseCommandLine(args, {})).toThrow(
      expect.objectContaining({ text: expect.objectContaining({ es }) }),
    );
  }
});
