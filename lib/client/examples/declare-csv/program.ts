import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type Language, LANGUAGES, type Text, type Texts } from '../../../domain/language.ts';
import { isConfidential } from '../../index.ts';
import { type Column, columnNames, requiredColumns } from './read-invoices.ts';

/** The texts of the help and of errors in the command line. */
export const helpTexts = {
  description: {
    en: 'Declares the invoices of a CSV or .xlsx file, and reports the result of each line.',
    es: 'Declara las facturas de un archivo CSV o .xlsx, e informa el resultado de cada línea.',
  },
  file: (fields: string, required: string) => ({
    en: `${fields}: the header names them; ${required} are required`,
    es: `${fields}: el encabezado los nombra; ${required} son obligatorios`,
  }),
  url: (address: string) => ({
    en: `the address of the service (default: ${address})`,
    es: `la dirección del servicio (si falta: ${address})`,
  }),
  tenant: { en: 'the tenant assigned to you', es: 'el tenant que le asignaron' },
  email: { en: 'the e-mail of the user who declares', es: 'el correo del usuario que declara' },
  check: { en: 'show what would happen, and declare nothing', es: 'mostrar qué pasaría, sin declarar nada' },
  holdReview: {
    en: 'declare only what would be approved automatically',
    es: 'declarar solo lo que se aprobaría automáticamente',
  },
  report: {
    en: 'write the result of every line to this CSV file',
    es: 'escribir el resultado de cada línea en este archivo CSV',
  },
  map: {
    en: 'the column of a field, for example amount="Net price"; may be repeated',
    es: 'la columna de un campo, por ejemplo amount="Precio neto"; se puede repetir',
  },
  ignore: { en: 'a column to ignore; may be repeated', es: 'una columna que se omite; se puede repetir' },
  lang: { en: 'en or es (default: the language of the system)', es: 'en o es (si falta: el idioma del sistema)' },
  help: { en: 'show this help', es: 'mostrar esta ayuda' },
  notes: {
    en: `
The API key and the password are read from the environment variables PORTAL_API_KEY and PORTAL_PASSWORD. If one is not
set, the terminal asks for it.

The file is a CSV or .xlsx as Excel writes it: UTF-8, Windows-1252 or UTF-16; separated by commas, semicolons or tabs.
An empty cell does not change what was declared before. Amounts have a decimal point; if the separator is a semicolon or
a tab, 1050,50 and 1.050,50 are accepted, too. An ambiguous 1.050 is rejected: it may be 1050 or 1.05.

It is safe to run the same file again: a declared invoice is declared again with the same amount.

Exit codes: 0 every line has a certain result and none was rejected; 1 a line was rejected or its result is not known,
the file has errors, the service failed, or the report could not be written; 2 invalid usage, nothing was sent;
130 interrupted.`,
    es: `
La clave de API y la contraseña se leen de las variables de entorno PORTAL_API_KEY y PORTAL_PASSWORD. Si falta una, la
terminal la pide.

El archivo es un CSV o .xlsx como lo escribe Excel: UTF-8, Windows-1252 o UTF-16; separado por comas, punto y coma o
tabulaciones. Una celda vacía no cambia lo que se declaró antes. Los importes llevan punto decimal; si el separador es
punto y coma o tabulación, también se admiten 1050,50 y 1.050,50. Se rechaza un 1.050 ambiguo: puede ser 1050 o 1,05.

Puede ejecutar de nuevo el mismo archivo sin riesgo: una factura ya declarada se declara otra vez con el mismo importe.

Códigos de salida: 0 todas las líneas tienen un resultado cierto y ninguna se rechazó; 1 una línea se rechazó o no se
sabe su resultado, el archivo tiene errores, falló el servicio o no se pudo escribir el informe; 2 uso incorrecto, no se
envió nada; 130 interrupción.`,
  },
  showHelp: { en: '(Run with --help for usage.)', es: '(Ejecute con --help para ver el uso.)' },
  insecureAddress: {
    en: 'It must begin with https://; http:// is for this machine only.',
    es: 'Debe empezar con https://; http:// es solo para esta máquina.',
  },
  invalidMapping: (fields: string) => ({
    en: `It must be FIELD=COLUMN, where FIELD is one of ${fields}.`,
    es: `Debe ser CAMPO=COLUMNA, donde CAMPO es uno de ${fields}.`,
  }),
} satisfies Texts;

const LOCAL_URL = 'http://127.0.0.1:3000';

/** The Spanish of the parser's English texts, in its help and its errors. */
const SPANISH: readonly (readonly [english: RegExp | string, spanish: string])[] = [
  ['Usage:', 'Uso:'],
  ['Arguments:', 'Argumentos:'],
  ['Options:', 'Opciones:'],
  [/missing required argument 'file'/, "falta el argumento '<archivo>'"],
  [/option '(.*)' argument missing/, "falta el valor de la opción '$1'"],
  [/required option '(.*)' not specified/, "falta la opción '$1'"],
  [/unknown option '(.*)'/, "no se conoce la opción '$1'"],
  [/\(Did you mean one of (.*)\?\)/, '(¿Quiso decir una de estas: $1?)'],
  [/\(Did you mean (.*)\?\)/, '(¿Quiso decir $1?)'],
  [/too many arguments\. Expected 1 argument but got \d+: (.*)\./s, 'demasiados argumentos; se espera un archivo: $1.'],
  ['Allowed choices are', 'Los valores admitidos son'],
  [/option '(.*)' argument '(.*)' is invalid\./s, "el valor '$2' de la opción '$1' no es válido."],
  ['[options]', '[opciones]'],
  ['<file>', '<archivo>'],
  ['<field=column>', '<campo=columna>'],
  ['<column>', '<columna>'],
  ['<language>', '<idioma>'],
];

/**
 * Returns the language of `--lang`, else that of the system (or of `LC_ALL`, `LC_MESSAGES` or `LANG`). It is called
 * before the command line is parsed, because the texts of the parser are in that language, too.
 */
export function detectLanguage(
  args: readonly string[],
  locale = Intl.DateTimeFormat().resolvedOptions().locale,
): Language {
  const index = args.findLastIndex((arg) => /^--lang(?:=|$)/.test(arg));
  const named = index === -1 ? undefined : (args[index]?.split('=')[1] ?? args[index + 1]);
  return /^es(?![a-z])/i.test(named ?? locale) ? 'es' : 'en';
}

/** Creates the command line of the script in a language. */
export function createProgram(language: Language) {
  const translations = language === 'es' ? SPANISH : [];
  const translate = (text: string) =>
    translations.reduce((part, [english, other]) => part.replace(english, other), text);
  const createError = (text: Text) => new InvalidArgumentError(text[language]);
  const parseUrl = (text: string) => {
    if (!isConfidential(text)) throw createError(helpTexts.insecureAddress);
    return text;
  };
  const addMapping = (text: string, earlier: readonly [Column, string][] = []): readonly [Column, string][] => {
    const [, name, heading] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const column = columnNames.find((columnName) => columnName === name?.trim());
    if (!column || !heading) throw createError(helpTexts.invalidMapping(columnNames.join(', ')));
    return [...earlier, [column, heading]];
  };
  const addHeading = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

  return new Command('npm run declare-csv --')
    .description(helpTexts.description[language])
    .argument('<file>', helpTexts.file(columnNames.join(', '), requiredColumns.join(', '))[language])
    .option('--url <url>', helpTexts.url(LOCAL_URL)[language], parseUrl, LOCAL_URL)
    .requiredOption('--tenant <tenant>', helpTexts.tenant[language])
    .requiredOption('--email <email>', helpTexts.email[language])
    .option('--check', helpTexts.check[language])
    .option('--hold-review', helpTexts.holdReview[language])
    .option('--report <file>', helpTexts.report[language])
    .option('--map <field=column>', helpTexts.map[language], addMapping)
    .option('--ignore <column>', helpTexts.ignore[language], addHeading)
    .addOption(new Option('--lang <language>', helpTexts.lang[language]).choices(LANGUAGES))
    .helpOption('-h, --help', helpTexts.help[language])
    .configureHelp({
      styleTitle: translate,
      styleUsage: translate,
      argumentTerm: () => translate('<file>'),
      optionTerm: ({ flags }) => translate(flags),
      optionDescription: ({ description }) => description,
    })
    .configureOutput({ outputError: (text, write) => write(translate(text)) })
    .addHelpText('after', helpTexts.notes[language])
    .showHelpAfterError(helpTexts.showHelp[language])
    .exitOverride();
}

/** The options of the command line. */
export type Options = ReturnType<ReturnType<typeof createProgram>['opts']>;
