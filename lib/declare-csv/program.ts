import { parseArgs } from 'node:util';
import { type Language, LANGUAGES, type Text, type Texts } from '../domain/language.ts';
import { getLanguageOfLocale } from '../client/spreadsheets/locale-language.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import { isConfidential } from '../client/index.ts';
import { type Column, COLUMN_NAMES, REQUIRED_COLUMNS } from './read-invoices.ts';

/** The texts of the help and of errors in the command line. */
export const helpTexts = {
  help: (fields: string, required: string, url: string) => ({
    en: `Usage: npm run declare-csv -- [options] <file>

Declares the invoices of a CSV or .xlsx file, and reports the result of each line. The header of the file names the
columns: ${fields}. Required: ${required}.

Options:
  --tenant <tenant>     the tenant assigned to you; required
  --email <email>       the e-mail of the user who declares; required
  --url <url>           the address of the service (default: ${url})
  --check               show what would happen, and declare nothing
  --hold-review         declare only what would be approved automatically
  --report <file>       write the result of every line to this CSV file
  --map <field=column>  the column of a field, for example amount="Net price"; may be repeated
  --ignore <column>     a column to ignore; may be repeated
  --lang <language>     en or es (default: the language of the system)
  -h, --help            show this help

The API key and the password are read from the environment variables PORTAL_API_KEY and PORTAL_PASSWORD. If one is not
set, the command asks for it. The guide README.md describes the file and the report. It is safe to declare the same file
again.

Exit codes:
  0    no line was rejected, and every result is known
  1    a line was rejected, a result is not known, the file has errors, the service failed, or the report could not be
       written
  2    invalid usage; nothing was sent
  130  interrupted`,
    es: `Uso: npm run declare-csv -- [opciones] <archivo>

Declara las facturas de un archivo CSV o .xlsx, e informa el resultado de cada línea. Las columnas son
${fields}. Son obligatorias: ${required}.

Opciones:
  --tenant <tenant>        el tenant que le asignaron; obligatorio
  --email <correo>         el correo del usuario que declara; obligatorio
  --url <url>              la dirección del servicio (predeterminada: ${url})
  --check                  mostrar qué pasaría, sin declarar nada
  --hold-review            declarar solo lo que se aprobaría automáticamente
  --report <archivo>       escribir el resultado de cada línea en este archivo CSV
  --map <campo=columna>    la columna de un campo, por ejemplo amount="Precio neto"; se puede repetir
  --ignore <columna>       una columna que se omite; se puede repetir
  --lang <idioma>          es (español) o en (inglés); si se omite, el idioma del sistema
  -h, --help               mostrar esta ayuda

La clave de API y la contraseña se leen de las variables de entorno PORTAL_API_KEY y PORTAL_PASSWORD. Si falta una, el
comando la pide. La guía README.es.md describe el archivo y el informe. Puede declarar de nuevo el mismo archivo sin
riesgo.

Códigos de salida:
  0    no se rechazó ninguna línea, y se conocen todos los resultados
  1    se rechazó alguna línea, se desconoce algún resultado, el archivo tiene errores, falló el servicio o no se pudo
       escribir el informe
  2    uso incorrecto; no se envió nada
  130  el usuario interrumpió el comando`,
  }),
  seeHelp: (reason: Text) => ({
    en: `${reason.en} (Run with --help for usage.)`,
    es: `${reason.es} (Para ver la ayuda, ejecute el comando con --help.)`,
  }),
  invalidOption: (option: string) => ({
    en: `The option ${option} is unknown, or its value is missing or not allowed.`,
    es: `La opción ${option} no existe, le falta el valor o el valor no es válido.`,
  }),
  missingOption: (option: string) => ({ en: `The option ${option} is missing.`, es: `Falta la opción ${option}.` }),
  notOneFile: { en: 'Pass exactly one file.', es: 'Indique un archivo, y solo uno.' },
  insecureAddress: {
    en: 'The option --url must begin with https://. Only a service on this machine can have http://.',
    es: 'La opción --url debe empezar con https://. Solo se admite http:// si el servicio está en esta computadora.',
  },
  invalidMapping: (fields: string) => ({
    en: `Write the option --map as FIELD=COLUMN. FIELD can be ${fields}.`,
    es: `Escriba la opción --map como CAMPO=COLUMNA. CAMPO puede ser ${fields}.`,
  }),
} satisfies Texts;

const LOCAL_URL = 'http://127.0.0.1:3000';

const textOption = { type: 'string' } as const;
const flagOption = { type: 'boolean', default: false } as const;
const listOption = { type: 'string', multiple: true, default: [] as string[] } as const;
const OPTIONS = {
  tenant: textOption,
  email: textOption,
  url: { type: 'string', default: LOCAL_URL },
  check: flagOption,
  'hold-review': flagOption,
  report: textOption,
  map: listOption,
  ignore: listOption,
  lang: textOption,
  help: { ...flagOption, short: 'h' },
} as const;

export function formatHelp(language: Language): string {
  return helpTexts.help(COLUMN_NAMES.join(', '), REQUIRED_COLUMNS.join(', '), LOCAL_URL)[language];
}

/**
 * Returns the language of `--lang`, else that of the locale. It is called before the command line is parsed, because
 * errors of the command line are in that language, too.
 */
export function detectLanguage(args: readonly string[], locale?: string): Language {
  const { lang } = parseArgs({ args: [...args], options: { lang: textOption }, strict: false }).values;
  return LANGUAGES.find((language) => language === lang) ?? getLanguageOfLocale(locale);
}

/** Parses the command line; returns null for `--help`, and throws a TextError if an argument is invalid. */
export function parseCommandLine(args: readonly string[]) {
  const { values, positionals } = parseOptions(args);
  if (values.help) return null;
  const { tenant, email, url, lang = 'en' } = values;
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw createUsageError(helpTexts.notOneFile);
  if (!tenant || !email) throw createUsageError(helpTexts.missingOption(tenant ? '--email' : '--tenant'));
  if (!isConfidential(url)) throw createUsageError(helpTexts.insecureAddress);
  if (!LANGUAGES.some((language) => language === lang)) throw createUsageError(helpTexts.invalidOption('--lang'));
  const map = values.map.map((mapping): readonly [Column, string] => {
    const [, name, heading] = /^([^=]+)=(.+)$/s.exec(mapping) ?? [];
    const column = COLUMN_NAMES.find((columnName) => columnName === name?.trim());
    if (!column || !heading) throw createUsageError(helpTexts.invalidMapping(COLUMN_NAMES.join(', ')));
    return [column, heading];
  });
  return { ...values, map, file, tenant, email };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Only the name of the option is repeated, because its value can be a secret.
    const [option = ''] = /--?[\w-]+/.exec((error as Error).message) ?? [];
    throw createUsageError(helpTexts.invalidOption(option));
  }
}

const createUsageError = (reason: Text) => new TextError(helpTexts.seeHelp(reason));

export type CommandLine = NonNullable<ReturnType<typeof parseCommandLine>>;
