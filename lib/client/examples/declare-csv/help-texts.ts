import type { Texts } from '../../../domain/language.ts';
/** The help, and what is said of a command line that is wrong. */
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
  email: { en: 'who declares', es: 'quién declara' },
  check: {
    en: 'write nothing, and only say what would happen',
    es: 'no escribir nada, solo decir qué pasaría',
  },
  holdReview: {
    en: 'declare only what would be approved automatically',
    es: 'declarar solo lo que se aprobaría automáticamente',
  },
  report: {
    en: 'a CSV to write, with what became of every line',
    es: 'un CSV donde escribir qué pasó con cada línea',
  },
  map: {
    en: 'the column of a field, as in amount="Net price"; may be repeated',
    es: 'la columna de un campo, como en amount="Precio neto"; se puede repetir',
  },
  ignore: { en: 'a column to leave out; may be repeated', es: 'una columna que se omite; se puede repetir' },
  lang: {
    en: 'en or es (default: the language of the system)',
    es: 'en o es (si falta: el idioma del sistema)',
  },
  help: { en: 'show this help', es: 'mostrar esta ayuda' },
  notes: {
    en: `
The API key and the password are taken from PORTAL_API_KEY and PORTAL_PASSWORD; on a terminal, what is missing is asked
for.

The file is a CSV or .xlsx as Excel writes it: UTF-8, Windows-1252 or UTF-16; separated by commas, semicolons or tabs.
An empty cell leaves as it is what was declared before. Amounts have a decimal point; between semicolons or tabs they
may be written 1050,50 or 1.050,50. A lone 1.050 is refused, for it may be 1050 or 1.05.

Running the same file again does no harm: an invoice that was declared is declared again, with the same amount.

Exit codes: 0 nothing was rejected or is unknown; 1 something was or is, the file has faults, the service failed, or the
report could not be written; 2 wrong use, nothing sent; 130 interrupted.`,
    es: `
La clave de API y la contraseña se toman de PORTAL_API_KEY y PORTAL_PASSWORD; en una terminal se pide lo que falte.

El archivo es un CSV o .xlsx como lo escribe Excel: UTF-8, Windows-1252 o UTF-16; separado por comas, punto y coma o
tabulaciones. Una celda vacía deja como está lo que se declaró antes. Los importes llevan punto decimal; entre punto y
coma o tabulaciones también se admiten 1050,50 y 1.050,50. Se rechaza un 1.050 aislado: puede ser 1050 o 1,05.

Ejecutar otra vez el mismo archivo no causa problemas: la factura ya declarada se declara de nuevo, con el mismo
importe.

Códigos de salida: 0 nada se rechazó ni quedó sin certeza; 1 algo se rechazó o quedó sin certeza, el archivo tiene
errores, falló el servicio o no se pudo escribir el informe; 2 uso incorrecto, no se envió nada; 130 interrupción.`,
  },
  showHelp: { en: '(--help shows how)', es: '(--help muestra cómo)' },
  noAddress: {
    en: 'It must begin with https://; http:// is for this machine only.',
    es: 'Debe empezar con https://; http:// es solo para esta máquina.',
  },
  noMapping: (fields: string) => ({
    en: `It must be FIELD=COLUMN, where FIELD is one of ${fields}.`,
    es: `Debe ser CAMPO=COLUMNA, donde CAMPO es uno de ${fields}.`,
  }),
  noLanguage: { en: 'It must be en or es.', es: 'Debe ser en o es.' },
} satisfies Texts;
