import type { Texts } from '../../../lib/domain/language.ts';
import { dateForms } from '../../../lib/domain/texts.ts';

/** The reasons for which a record or a row is rejected, without the name of the field. */
export const rejectionTexts = {
  // The form of a value
  required: { en: 'is required', es: 'es obligatorio' },
  unknownProperty: { en: 'is not a known property', es: 'no es una propiedad conocida' },
  digits: (maximum: number) => ({
    en: `must be a string of 1 to ${maximum} digits`,
    es: `debe ser un texto de 1 a ${maximum} dígitos`,
  }),
  text: (maximum: number) => ({
    en: `must be a string of at most ${maximum} characters`,
    es: `debe ser un texto de ${maximum} caracteres como máximo`,
  }),
  name: {
    en: 'must be a name of at most 64 characters, without @, parentheses, commas and line breaks',
    es: 'debe ser un nombre de 64 caracteres como máximo, sin @, paréntesis, comas ni saltos de línea',
  },
  anyText: { en: 'must be a string', es: 'debe ser un texto' },
  date: { en: `must be ${dateForms.en}`, es: `debe ser ${dateForms.es}` },
  invoiceDate: { en: 'must be an ISO 8601 date from 2000 to 2100', es: 'debe ser una fecha ISO 8601 de 2000 a 2100' },
  webAddress: {
    en: 'must be an http or https address of at most 1000 characters',
    es: 'debe ser una dirección http o https de 1000 caracteres como máximo',
  },
  number: (minimum: number, maximum: number | string) => ({
    en: `must be a number from ${minimum} to ${maximum}`,
    es: `debe ser un número de ${minimum} a ${String(maximum).replace('.', ',')}`,
  }),
  numberUpTo: (maximum: string) => ({
    en: `must be a number up to ${maximum}`,
    es: `debe ser un número de ${maximum.replace('.', ',')} como máximo`,
  }),
  wholeNumber: { en: 'must be a whole number', es: 'debe ser un número entero' },
  oneOf: (values: string) => ({ en: `must be one of ${values}`, es: `debe ser uno de ${values}` }),
  object: { en: 'must be an object', es: 'debe ser un objeto' },
  list: { en: 'must be a list', es: 'debe ser una lista' },
  decision: {
    en: 'is applied by the command decide, not by an import',
    es: 'la aplica el comando decide, no una importación',
  },
  notUtf8: { en: 'is not UTF-8', es: 'no es UTF-8' },
  notJson: { en: 'is not valid JSON', es: 'no es JSON válido' },
  repeatedName: { en: 'has a name twice in an object', es: 'tiene un nombre repetido en un objeto' },

  // A record and the other records of its file
  contradiction: (lines: string) => ({
    en: `the file contains this invoice with different values in lines ${lines}`,
    es: `el archivo contiene esta factura con valores distintos en las líneas ${lines}`,
  }),
  zeroVariants: (ids: string, lines: string) => ({
    en: `the ids in lines ${lines} differ only in leading zeros: ${ids}; to accept all of them, pass --allow-zeros`,
    es: `los números de las líneas ${lines} difieren solo en los ceros iniciales: ${ids}; para aceptarlos todos, indique --allow-zeros`,
  }),

  // A record and the stored invoice
  unknownSupplier: (supplier: string, tenant: string) => ({
    en: `supplier ${supplier} of ${tenant} does not exist`,
    es: `no existe el prestador ${supplier} de ${tenant}`,
  }),
  tooLarge: (bytes: number, maximum: number) => ({
    en: `is ${bytes} bytes with the largest possible declaration; the maximum is ${maximum} bytes`,
    es: `tiene ${bytes} bytes con la declaración más grande posible; el máximo es de ${maximum} bytes`,
  }),
  storedVariant: (id: string) => ({
    en: `the supplier already has ${id}: leading zeros may have been removed; to accept both ids, pass --allow-zeros`,
    es: `el prestador ya tiene ${id}: es posible que se hayan quitado los ceros iniciales; para aceptar los dos números, indique --allow-zeros`,
  }),
  requiredOfNew: (fields: string) => ({
    en: `a new invoice requires ${fields}`,
    es: `una factura nueva requiere ${fields}`,
  }),
  fixedAmount: (before: string, after: string, state: string) => ({
    en: `${before} → ${after}, but the invoice (${state}) is declared, approved or settled`,
    es: `${before} → ${after}, pero la factura (${state}) está declarada, aprobada o liquidada`,
  }),
  decidedState: (before: string, after: string) => ({
    en: `${before} → ${after}, but the company has set ${before}`,
    es: `${before} → ${after}, pero la empresa fijó ${before}`,
  }),
  needsForce: (errors: string) => ({
    en: `${errors}; to change it, pass --force and --reason`,
    es: `${errors}; para cambiarlo, indique --force y --reason`,
  }),
  writeRejected: (reason: string) => ({ en: `was rejected (${reason})`, es: `fue rechazado (${reason})` }),
  keptChanging: {
    en: 'not written, because others kept changing the invoice or the table was overloaded; run the command again',
    es: 'no se escribió, porque otros cambiaron la factura una y otra vez o la tabla estaba sobrecargada; ejecute el comando de nuevo',
  },

  // A decision
  requiredReason: { en: 'is required, in the row or with --reason', es: 'es obligatorio, en la fila o con --reason' },
  malformed: { en: 'must be well-formed Unicode', es: 'debe ser Unicode válido' },
  severalRows: (lines: string) => ({
    en: `several lines contain the invoice: ${lines}`,
    es: `varias líneas contienen la factura: ${lines}`,
  }),
  noInvoice: {
    en: 'the supplier has no such invoice; a spreadsheet may have removed leading zeros',
    es: 'el prestador no tiene esa factura; es posible que una planilla de cálculo haya quitado los ceros iniciales',
  },
  otherDeclaration: (id: string) => ({ en: `is ${id}`, es: `es ${id}` }),
  requiredVersion: {
    en: 'is required to withdraw or restore an invoice; export the sheet again',
    es: 'se necesita para retirar o restituir una factura; exporte la planilla de nuevo',
  },
  otherVersion: (seen: string, current: number) => ({
    en: `${seen} → ${current}: the invoice has changed since the sheet was exported`,
    es: `${seen} → ${current}: la factura cambió desde que se exportó la planilla`,
  }),
  withdrawn: {
    en: 'the invoice is withdrawn; to restore it, run restore-invoice or decide RESTORE',
    es: 'la factura está retirada; para restituirla, use restore-invoice o decida RESTORE',
  },
  requiresState: (states: string, state: string) => ({
    en: `requires the state ${states}, not ${state}`,
    es: `requiere el estado ${states}, no ${state}`,
  }),
  requiredApprovedAmount: {
    en: 'AJU requires an approved_amount, the amount that you pay',
    es: 'AJU requiere approved_amount, el importe que se paga',
  },
  settled: (state: string, command: string) => ({
    en: `the invoice is settled (${state}); only ${command} --force can change it`,
    es: `la factura está liquidada (${state}); solo ${command} --force puede cambiarla`,
  }),
  laterRevision: (expected: number, latest: number) => ({
    en: `expected ${expected}, but the latest is ${latest}${latest === 0 ? ' (no declaration)' : ''}`,
    es: `se esperaba ${expected}, pero la última es ${latest}${latest === 0 ? ' (sin declaración)' : ''}`,
  }),
  declaredSince: (amount: string, seen: number, current: number) => ({
    en: `the supplier has declared ${amount} since (revision ${seen} → ${current})`,
    es: `el prestador declaró ${amount} después (revisión ${seen} → ${current})`,
  }),
} satisfies Texts;
