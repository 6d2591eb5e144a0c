import type { Text, Texts } from '../language.ts';

const inSpanish = (number: number) => String(number).replace('.', ',');

/** What is said of a file: why it cannot be read, what was found in it, and what is wrong with it. */
export const fileTexts = {
  // The file as a whole
  cannotRead: (file: string, reason: Text) => ({
    en: `The file ${file} cannot be read: ${reason.en}`,
    es: `No se puede leer el archivo ${file}: ${reason.es}`,
  }),
  workbook: {
    en: 'The file is a workbook: save it as "CSV UTF-8".',
    es: 'El archivo es un libro de Excel: guárdelo como "CSV UTF-8".',
  },
  nulBytes: (line: number) => ({
    en: `Line ${line} has a NUL character: this is no text file. Save it as "CSV UTF-8".`,
    es: `La línea ${line} tiene un carácter NUL: no es un archivo de texto. Guárdelo como "CSV UTF-8".`,
  }),
  brokenBytes: (line: number, encoding: string) => ({
    en: `Line ${line} has bytes that are not ${encoding}, as the rest of the file is. Save it as "CSV UTF-8".`,
    es: `La línea ${line} tiene bytes que no son ${encoding}, como el resto del archivo. Guárdelo como "CSV UTF-8".`,
  }),
  unknownEncoding: (line: number) => ({
    en: `Line ${line} has bytes that are neither UTF-8 nor Windows-1252 (MS-DOS, Macintosh?). Save it as "CSV UTF-8".`,
    es: `La línea ${line} tiene bytes que no son UTF-8 ni Windows-1252 (¿MS-DOS, Macintosh?). Guárdelo como "CSV UTF-8".`,
  }),
  unknownSeparator: (mark: string) => ({
    en: `The first line, sep=, names ${mark}: columns are separated by commas, semicolons or tabs.`,
    es: `La primera línea, sep=, indica ${mark}: las columnas se separan con comas, puntos y coma o tabulaciones.`,
  }),

  // The heading
  noHeading: (fields: string) => ({
    en: `The first line must name the columns, such as Invoice and Amount, or ${fields}. Others are mapped: --map FIELD=COLUMN.`,
    es: `La primera línea debe nombrar las columnas, como Factura e Importe, o ${fields}. Otras se asignan: --map CAMPO=COLUMNA.`,
  }),
  unknownHeading: (heading: string) => ({
    en: `The column "${heading}" is not known. Map it (--map FIELD="${heading}"), or leave it out (--ignore "${heading}").`,
    es: `No se conoce la columna "${heading}". Asígnela (--map CAMPO="${heading}") u omítala (--ignore "${heading}").`,
  }),
  unknownHeadings: (headings: string, ignored: string) => ({
    en: `These columns are not known: ${headings}. Map each (--map FIELD=COLUMN), or leave it out: ${ignored}`,
    es: `No se conocen estas columnas: ${headings}. Asigne cada una (--map CAMPO=COLUMNA) u omítala: ${ignored}`,
  }),
  twoHeadings: (field: string, headings: string) => ({
    en: `More than one column may be ${field}: ${headings}. Choose with --map ${field}=..., and --ignore the others.`,
    es: `Más de una columna puede ser ${field}: ${headings}. Elija con --map ${field}=... y omita las demás con --ignore.`,
  }),
  missingFields: (fields: string) => ({
    en: `The first line lacks ${fields}. Which column is it? Say so with --map FIELD=COLUMN.`,
    es: `Falta ${fields} en la primera línea. ¿Qué columna es? Indíquelo con --map CAMPO=COLUMNA.`,
  }),
  unnamedColumn: (column: number, line: number) => ({
    en: `Column ${column} has no heading, but line ${line} has a value there.`,
    es: `La columna ${column} no tiene encabezado, pero la línea ${line} tiene un valor allí.`,
  }),
  notInFile: (option: string, heading: string, headings: string) => ({
    en: `${option} names the column "${heading}", which is not in the file. There are ${headings}.`,
    es: `${option} nombra la columna "${heading}", que no está en el archivo. Hay ${headings}.`,
  }),
  namedTwice: (heading: string) => ({
    en: `--map and --ignore name the column "${heading}" more than once.`,
    es: `--map y --ignore nombran más de una vez la columna "${heading}".`,
  }),
  mappedTwice: (field: string) => ({
    en: `--map names ${field} more than once.`,
    es: `--map nombra ${field} más de una vez.`,
  }),

  // A line
  columnCount: (count: number, wanted: number) => ({
    en: `has ${count} columns, and the first line ${wanted}`,
    es: `tiene ${count} columnas, y la primera línea ${wanted}`,
  }),
  openQuote: {
    en: 'is no CSV: a quote that is opened here is never closed',
    es: 'no es CSV: aquí se abren comillas que nunca se cierran',
  },
  strayQuote: (line: number) => ({
    en: `is no CSV: a quote stands within a cell, at line ${line}`,
    es: `no es CSV: hay comillas dentro de una celda, en la línea ${line}`,
  }),
  repeated: (line: number) => ({ en: `is on line ${line} already`, es: `ya está en la línea ${line}` }),

  // A cell
  required: { en: 'is required', es: 'es obligatorio' },
  digitsOnly: { en: 'must be digits only', es: 'debe tener solo dígitos' },
  tooLong: (maximum: number) => ({
    en: `must have at most ${maximum} characters`,
    es: `debe tener como máximo ${maximum} caracteres`,
  }),
  noDate: {
    en: 'must be a date like 2026-08-28 (ISO 8601), or 28/8/2026 between semicolons',
    es: 'debe ser una fecha como 2026-08-28 (ISO 8601), o 28/8/2026 entre puntos y coma',
  },
  twoDates: (text: string, dayFirst: string, monthFirst: string) => ({
    en: `${text} may be ${dayFirst} or ${monthFirst}: write one of these`,
    es: `${text} puede ser ${dayFirst} o ${monthFirst}: escriba una de las dos`,
  }),
  noNumber: (maximum: number) => ({
    en: `must be a number from 0 to ${maximum}: digits, with at most one decimal mark and nothing else`,
    es: `debe ser un número de 0 a ${inSpanish(maximum)}: dígitos, con un signo decimal como máximo y nada más`,
  }),
  noComma: {
    en: 'must have a decimal point; a comma may be used where semicolons separate the columns',
    es: 'debe tener punto decimal; se admite la coma cuando las columnas se separan con punto y coma',
  },
  otherStyle: (text: string, proof: { readonly text: string; readonly line: number }) => ({
    en: `${text} is not written like ${proof.text} (line ${proof.line}): write all amounts alike`,
    es: `${text} no está escrito como ${proof.text} (línea ${proof.line}): escriba todos los importes igual`,
  }),
  twoNumbers: (text: string, whole: string, decimal: string) => ({
    en: `${text} may be ${whole} or ${decimal}: write one of these`,
    es: `${text} puede ser ${whole} o ${decimal}: escriba uno de los dos`,
  }),
  tooMuch: (maximum: number) => ({
    en: `must be at most ${maximum}`,
    es: `debe ser como máximo ${inSpanish(maximum)}`,
  }),
  tooPrecise: (decimals: number) => ({
    en: `must have at most ${decimals} decimals, and 15 digits in all`,
    es: `debe tener como máximo ${decimals} decimales, y 15 dígitos en total`,
  }),

  // What was found in the file
  readAs: (encoding: string, details: string) => ({
    en: `Read as ${encoding}, separated by ${details}.`,
    es: `Leído como ${encoding}, separado por ${details}.`,
  }),
  separators: {
    ',': { en: 'commas', es: 'comas' },
    ';': { en: 'semicolons', es: 'punto y coma' },
    '\t': { en: 'tabs', es: 'tabulaciones' },
  },
  decimalComma: { en: 'decimal comma', es: 'coma decimal' },
  decimalPoint: { en: 'decimal point', es: 'punto decimal' },
  thousandsPoint: { en: 'points between thousands', es: 'puntos de miles' },
  dayFirst: { en: 'dates day/month/year', es: 'fechas día/mes/año' },
  foundIn: (field: string, heading: string) => ({ en: `${field} from "${heading}"`, es: `${field} de "${heading}"` }),
  leftOut: (heading: string) => ({ en: `"${heading}" left out`, es: `se omite "${heading}"` }),
  line: (line: number, column: string | undefined, fault: Text) => ({
    en: `line ${line}${column ? `, ${column}` : ''}: ${fault.en}`,
    es: `línea ${line}${column ? `, ${column}` : ''}: ${fault.es}`,
  }),
  faults: (file: string, count: number) => ({
    en: `Nothing was sent: ${file} has ${count === 1 ? 'a fault' : `${count} faults`}.`,
    es: `No se envió nada: ${file} tiene ${count === 1 ? 'un error' : `${count} errores`}.`,
  }),
} satisfies Texts;
