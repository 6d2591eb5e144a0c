import { parseArgs } from 'node:util';
import { isConfidential } from '../client/index.ts';
import { DATE_ORDERS, type StyleOptions } from '../client/spreadsheets/read-cell.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import { getLanguageOfLocale, type Language, LANGUAGES, type Text, type Texts } from '../domain/language.ts';
import { type Column, COLUMN_NAMES, REQUIRED_COLUMNS } from './read-invoices.ts';

/** The texts of the help and of errors in the command line. */
export const helpTexts = {
  help: (fields: string, required: string) => ({
    en: `Usage: declare-csv [options] <file>

Declares the invoices of a CSV or .xlsx file, and reports the result of each line. The header of the file names the
columns: ${fields}. Required: ${required}.

Options:
  --url <url>           the address of the service (default: PORTAL_URL)
  --tenant <tenant>     the tenant assigned to you; required
  --email <email>       the e-mail of the user who declares; required
  --check               show what would happen, and declare nothing
  --hold-review         declare only what would be approved automatically
  --yes                 do not check the amounts, and do not ask, before declaring on a terminal
  --report <file>       write the result of every line to this file, a workbook if it ends in .xlsx
  --overwrite           let --report replace an existing file
  --lang <language>     en or es (default: the language of the system)
  -h, --help            show this help

The file:
  --sheet <name>        the sheet of a workbook
  --header-row <row>    the row of the headings
  --dates <order>       the order of day, month and year: dmy, mdy or iso (only 2026-08-31)
  --include-hidden      also declare hidden rows and columns
  --map <field=column>  the column of a field, for example amount="Net price"; may be repeated
  --ignore <column>     a column to ignore; may be repeated
  --ignore-others       ignore every column that has no --map, and not exactly the name of a field

The API key and the password are read from the environment variables PORTAL_API_KEY and PORTAL_PASSWORD. If one is not
set, the command asks for it. The guide README.md describes the file and the report. It is safe to declare the same file
again.

Exit codes:
  0    no line was rejected, and every result is known
  1    a line was rejected, a result is not known, the file has errors, the service failed, or the report could not be
       written
  2    invalid usage; nothing was sent
  130  interrupted, or not confirmed`,
    es: `Uso: declare-csv [opciones] <archivo>

Declara las facturas de un archivo CSV o .xlsx, e informa el resultado de cada línea. Las columnas son
${fields}. Son obligatorias: ${required}.

Opciones:
  --url <url>              la dirección del servicio (si se omite, PORTAL_URL)
  --tenant <tenant>        el tenant que le asignaron; obligatorio
  --email <correo>         el correo del usuario que declara; obligatorio
  --check                  mostrar qué pasaría, sin declarar nada
  --hold-review            declarar solo lo que se aprobaría automáticamente
  --yes                    no verificar los importes ni preguntar antes de declarar en una terminal
  --report <archivo>       escribir el resultado de cada línea en este archivo (un libro de Excel si termina en .xlsx)
  --overwrite              permitir que --report reemplace un archivo existente
  --lang <idioma>          es (español) o en (inglés); si se omite, el idioma del sistema
  -h, --help               mostrar esta ayuda

El archivo:
  --sheet <nombre>         la hoja de un libro de Excel
  --header-row <fila>      la fila de los encabezados
  --dates <orden>          el orden de día, mes y año: dmy, mdy o iso (solo 2026-08-31)
  --include-hidden         declarar también filas y columnas ocultas
  --map <campo=columna>    la columna de un campo, por ejemplo amount="Precio neto"; se puede repetir
  --ignore <columna>       una columna que se omite; se puede repetir
  --ignore-others          omitir toda columna sin --map cuyo nombre no sea exactamente el de un campo

La clave de API y la contraseña se leen de las variables de entorno PORTAL_API_KEY y PORTAL_PASSWORD. Si falta una, el
comando la pide. La guía README.es.md describe el archivo y el informe. Puede declarar de nuevo el mismo archivo sin
riesgo.

Códigos de salida:
  0    no se rechazó ninguna línea, y se conocen todos los resultados
  1    se rechazó alguna línea, se desconoce algún resultado, el archivo tiene errores, falló el servicio o no se pudo
       escribir el informe
  2    uso incorrecto; no se envió nada
  130  el usuario interrumpió el comando o no lo confirmó`,
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
  missingUrl: {
    en: 'The address of the service is missing. Pass --url, or set PORTAL_URL.',
    es: 'Falta la dirección del servicio. Indique --url o defina PORTAL_URL.',
  },
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

const textOption = { type: 'string' } as const;
const flagOption = { type: 'boolean', default: false } as const;
const listOption = { type: 'string', multiple: true, default: [] as string[] } as const;
const OPTIONS = {
  url: textOption,
  tenant: textOption,
  email: textOption,
  check: flagOption,
  'hold-review': flagOption,
  yes: flagOption,
  report: textOption,
  overwrite: flagOption,
  lang: textOption,
  help: { ...flagOption, short: 'h' },
  sheet: textOption,
  'header-row': textOption,
  dates: textOption,
  'include-hidden': flagOption,
  map: listOption,
  ignore: listOption,
  'ignore-others': flagOption,
} as const;

const VALUE_PATTERNS = {
  lang: new RegExp(`^(?:${LANGUAGES.join('|')})$`),
  dates: new RegExp(`^(?:${DATE_ORDERS.join('|')})$`),
  'header-row': /^[1-9]\d{0,6}$/,
};

export function formatHelp(language: Language): string {
  return helpTexts.help(COLUMN_NAMES.join(', '), REQUIRED_COLUMNS.join(', '))[language];
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
export function parseCommandLine(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const { values, positionals } = parseOptions(args);
  if (values.help) return null;
  const { tenant, email, url = env['PORTAL_URL'] } = values;
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw createUsageError(helpTexts.notOneFile);
  if (!url) throw createUsageError(helpTexts.missingUrl);
  if (!tenant || !email) throw createUsageError(helpTexts.missingOption(tenant ? '--email' : '--tenant'));
  if (!isConfidential(url)) throw createUsageError(helpTexts.insecureAddress);
  for (const [option, pattern] of Object.entries(VALUE_PATTERNS)) {
    const value = values[option as keyof typeof VALUE_PATTERNS];
    if (value !== undefined && !pattern.test(value)) throw createUsageError(helpTexts.invalidOption(`--${option}`));
  }
  const map = values.map.map((mapping): readonly [Column, string] => {
    const [, name, heading] = /^([^=]+)=(.+)$/s.exec(mapping) ?? [];
    const column = COLUMN_NAMES.find((columnName) => columnName === name?.trim());
    if (!column || !heading) throw createUsageError(helpTexts.invalidMapping(COLUMN_NAMES.join(', ')));
    return [column, heading];
  });
  return {
    ...values,
    ...{ file, url, tenant, email, map },
    dates: values.dates as StyleOptions['dates'],
    headerLine: values['header-row'] === undefined ? undefined : Number(values['header-row']),
    includesHidden: values['include-hidden'],
    ignoresOtherColumns: values['ignore-others'],
  };
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
