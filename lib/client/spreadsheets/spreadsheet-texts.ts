import type { Text, Texts } from '../../domain/language.ts';

/** The texts about a spreadsheet in each language: its errors, and its detected format. */
export const texts = {
  // The file as a whole
  oldWorkbook: {
    en: 'The file is a workbook of Excel 97 (.xls), or has a password: save it as ".xlsx" without a password.',
    es: 'El archivo es un libro de Excel 97 (.xls) o tiene contraseña: guárdelo como ".xlsx" sin contraseña.',
  },
  brokenWorkbook: {
    en: 'The file is not a workbook (.xlsx) that can be read: open it in Excel, and save it as "Excel Workbook" or "CSV UTF-8".',
    es: 'El archivo no es un libro de Excel (.xlsx) que se pueda leer: ábralo en Excel y guárdelo como "Libro de Excel" o "CSV UTF-8".',
  },
  largeWorkbook: (megabytes: number, unpackedMegabytes: number) => ({
    en: `The workbook has over ${megabytes} MiB, or ${unpackedMegabytes} MiB when it is unpacked: save it as "CSV UTF-8".`,
    es: `El libro de Excel tiene más de ${megabytes} MiB, o ${unpackedMegabytes} MiB descomprimido: guárdelo como "CSV UTF-8".`,
  }),
  tooManyCells: (sheet: string, lastCell: string, maxCells: number) => ({
    en: `The sheet "${sheet}" has data up to the cell ${lastCell}, which is more than ${maxCells} cells: delete what is outside the table.`,
    es: `La hoja "${sheet}" tiene datos hasta la celda ${lastCell}: supera el máximo de ${maxCells} celdas. Borre lo que está fuera de la tabla.`,
  }),
  nulCharacter: {
    en: 'has a NUL character: this is not a text file. Save it as "CSV UTF-8"',
    es: 'tiene un carácter NUL: no es un archivo de texto. Guárdelo como "CSV UTF-8"',
  },
  otherBytes: (encoding: string) => ({
    en: `has bytes that are not ${encoding}, unlike the rest of the file: save it as "CSV UTF-8"`,
    es: `tiene bytes que no son ${encoding}, a diferencia del resto del archivo: guárdelo como "CSV UTF-8"`,
  }),
  unknownEncoding: (line: number, word: string) => ({
    en: `Line ${line} contains "${word}" if it is read as Windows-1252 (is it from MS-DOS or a Macintosh?). Save the file as "CSV UTF-8".`,
    es: `La línea ${line} contiene "${word}" si se lee como Windows-1252 (¿es de MS-DOS o Macintosh?). Guarde el archivo como "CSV UTF-8".`,
  }),

  // The header
  severalSheets: (sheets: string) => ({
    en: `More than one sheet has the headings: ${sheets}. Move the sheet to read to the front.`,
    es: `Más de una hoja tiene los encabezados: ${sheets}. Ponga en primer lugar la hoja que se debe leer.`,
  }),
  placeInSheet: (sheet: string, line: number) => ({
    en: `Sheet "${sheet}", row ${line}: `,
    es: `Hoja "${sheet}", fila ${line}: `,
  }),
  unreadableHeading: ({ en, es }: Text) => ({ en: `Invalid heading: ${en}.`, es: `Encabezado no válido: ${es}.` }),
  unknownHeadings: (headings: string) => ({
    en: `These columns are not known: ${headings}. Name the field of each with --map.`,
    es: `No se reconocieron estas columnas: ${headings}. Indique con --map el campo de cada una.`,
  }),
  twoHeadings: (name: string, headings: string) => ({
    en: `More than one column matches ${name}: ${headings}. Choose one with --map, or rename one of two equal headings.`,
    es: `Más de una columna corresponde a ${name}: ${headings}. Elija una con --map, o renombre uno de los encabezados iguales.`,
  }),
  missingFields: (fields: string, found: string) => ({
    en: `No heading is known for ${fields}${found && ` (read: ${found})`}. Name the column with --map, for example "Nro. factura" as invoice_id.`,
    es: `No se reconoció ningún encabezado para ${fields}${found && ` (se lee: ${found})`}. Indique la columna con --map, por ejemplo "Nro. factura" como invoice_id.`,
  }),
  notInFile: (heading: string, headings: string) => ({
    en: `--map names the column "${heading}", which is not in the file. Choose one of these: ${headings}.`,
    es: `--map indica la columna "${heading}", que no está en el archivo. Elija una de estas: ${headings}.`,
  }),
  namedTwice: (heading: string) => ({
    en: `--map names the column "${heading}" more than once: keep one.`,
    es: `--map indica la columna "${heading}" más de una vez: deje una sola.`,
  }),

  // A line
  columnCount: (count: number, expected: number) => ({
    en: `has ${count} columns, but the header has ${expected}`,
    es: `tiene ${count} columnas, pero el encabezado tiene ${expected}`,
  }),
  strayQuote: {
    en: 'is not valid CSV: there is text after a closing quote, or a quote that opens here is never closed',
    es: 'no es un CSV válido: hay texto después de las comillas que cierran, o las que se abren aquí nunca se cierran',
  },

  // A cell
  ambiguous: (one: string, other: string) => ({
    en: `may be ${one} or ${other}: write one of these`,
    es: `puede ser ${one} o ${other}: escriba una de las dos formas`,
  }),
  noComma: {
    en: 'must have a decimal point; a comma may be used where semicolons separate the columns',
    es: 'debe tener punto decimal; se admite la coma cuando las columnas se separan con punto y coma',
  },
  commaWanted: {
    en: 'must be written with a decimal comma, such as 1.050,00',
    es: 'debe escribirse con coma decimal, por ejemplo 1.050,00',
  },
  pointWanted: { en: 'must have a decimal point, not a comma', es: 'debe tener punto decimal, no una coma' },
  exponent: {
    en: 'has an exponent (E), so digits may be lost: write all of them',
    es: 'tiene un exponente (E) y puede haber perdido dígitos: escríbalos todos',
  },
  noId: {
    en: 'has no digits, but the row has an amount: if this is a total, delete the row',
    es: 'no tiene dígitos, pero la fila tiene un importe: si es un total, borre la fila',
  },
  errorCell: {
    en: 'is the result of an error in a formula: correct it in the spreadsheet',
    es: 'es el resultado de un error en una fórmula: corríjalo en la planilla',
  },
  formulaWithoutValue: {
    en: 'is a formula without a stored value: open and save the file in Excel',
    es: 'es una fórmula sin valor guardado: abra y guarde el archivo en Excel',
  },
  mergedCell: (first: string) => ({
    en: `is merged with ${first}: unmerge the cells, and fill in each`,
    es: `está combinada con ${first}: separe las celdas y complete cada una`,
  }),
  notANumber: { en: 'is not a valid number: enter it again', es: 'no es un número válido: escríbalo de nuevo' },
  notADate: { en: 'is not a date: write it like 2026-08-31', es: 'no es una fecha: escríbala como 2026-08-31' },
  otherType: {
    number: {
      en: 'is a number in the workbook: change it to a date',
      es: 'en Excel es un número: conviértalo en fecha',
    },
    date: { en: 'is a date in the workbook: write it as text', es: 'en Excel es una fecha: escríbala como texto' },
    boolean: {
      en: 'is TRUE or FALSE in the workbook: replace it by a value',
      es: 'en Excel es VERDADERO o FALSO: reemplácelo por el dato que corresponde',
    },
    digits: {
      en: 'is a number, and the workbook may not have kept all its digits: write it as text',
      es: 'es un número, y Excel quizá no conservó todos sus dígitos: escríbalo como texto',
    },
  },
  shownOtherwise: (number: string, format: string) => ({
    en: `is ${number}, which the workbook shows in the format ${format}: write it as text`,
    es: `es ${number}, que Excel muestra con el formato ${format}: escríbalo como texto`,
  }),

  // How the file was read
  readAs: (encoding: string) => ({ en: `Read as ${encoding}`, es: `Leído como ${encoding}` }),
  readSheet: (sheet: string) => ({ en: `Read from the sheet "${sheet}"`, es: `Leído de la hoja "${sheet}"` }),
  otherSheets: (position: number, sheets: number) => ({
    en: `sheet ${position} of ${sheets}, the others are not read`,
    es: `hoja ${position} de ${sheets}, las otras no se leen`,
  }),
  headerLine: (line: number) => ({ en: `headings in row ${line}`, es: `encabezados en la fila ${line}` }),
  hiddenRows: (count: number) => ({ en: `hidden rows: ${count}`, es: `filas ocultas: ${count}` }),
  hiddenColumns: (count: number) => ({ en: `hidden columns: ${count}`, es: `columnas ocultas: ${count}` }),
  separators: {
    ',': { en: 'separated by commas', es: 'separado por comas' },
    ';': { en: 'separated by semicolons', es: 'separado por punto y coma' },
    '\t': { en: 'separated by tabs', es: 'separado por tabulaciones' },
  },
  dayFirst: { en: 'dates day/month/year', es: 'fechas día/mes/año' },
  foundIn: (field: string, heading: string) => ({ en: `${field} from "${heading}"`, es: `${field} = "${heading}"` }),
  leftOut: (heading: string) => ({ en: `"${heading}" left out`, es: `se omite "${heading}"` }),
} satisfies Texts;
