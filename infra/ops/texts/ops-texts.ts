import type { Text, Texts } from '../../../lib/domain/language.ts';
import { dateForms } from '../../../lib/domain/texts.ts';

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** The texts of the commands for a company's clerks: import-invoices, list-invoices, summary, decide and exports. */
export const opsTexts = {
  none: { en: 'none', es: 'ninguno' },

  // Options and targets
  notADate: (option: string, date: string) => ({
    en: `${option} must be ${dateForms.en}, not ${date}.`,
    es: `${option} debe ser ${dateForms.es}, no ${date}.`,
  }),
  place: (account: string, region: string, stack: string, stage: string, identity: string) => ({
    en: `Target: account ${account}, region ${region}, stack ${stack} (stage ${stage}), identity ${identity}.`,
    es: `Destino: cuenta ${account}, región ${region}, stack ${stack} (etapa ${stage}), identidad ${identity}.`,
  }),
  otherTables: (endpoint: string) => ({
    en: ` AWS_ENDPOINT_URL_DYNAMODB is set: the tables are at ${endpoint}.`,
    es: ` AWS_ENDPOINT_URL_DYNAMODB está definida: las tablas están en ${endpoint}.`,
  }),
  writeToStack: { en: 'Write to this stack?', es: '¿Escribir en este stack?' },
  nothingChanged: { en: 'Nothing was changed.', es: 'No se cambió nada.' },
  noTerminal: {
    en: 'Nothing was changed: confirmation needs a terminal. To confirm in a script, pass --yes.',
    es: 'No se cambió nada: la confirmación necesita una terminal. Para confirmar en un script, indique --yes.',
  },
  reversedRange: (last: string, first: string) => ({
    en: `${last} is before ${first}.`,
    es: `${last} es anterior a ${first}.`,
  }),
  invalidOption: (option: string, reason: Text) => ({ en: `${option} ${reason.en}.`, es: `${option} ${reason.es}.` }),
  unknownTenant: (tenant: string) => ({ en: `Tenant ${tenant} does not exist.`, es: `No existe el tenant ${tenant}.` }),
  unknownSupplier: (supplier: string, tenant: string) => ({
    en: `Supplier ${supplier} of ${tenant} does not exist.`,
    es: `No existe el prestador ${supplier} de ${tenant}.`,
  }),

  // Results and failures
  dryRun: { en: 'Dry run: nothing was written.', es: 'Simulación: no se escribió nada.' },
  interrupted: {
    en: 'Interrupted. To continue, run the command again.',
    es: 'Interrumpido. Para continuar, ejecute el comando de nuevo.',
  },
  incompleteEntry: (reason: string) => ({
    en: `The entry of this command in the operator record stays "started": ${reason}`,
    es: `La entrada de este comando en el registro de operaciones queda en "started": ${reason}`,
  }),
  incompleteOutput: (reason: Text) => ({
    en: `The output is incomplete: ${reason.en}`,
    es: `La salida está incompleta: ${reason.es}`,
  }),
  closedPipe: { en: 'EPIPE: the reader has closed the pipe', es: 'EPIPE: el programa que leía la salida la cerró' },

  // Files to read
  unknownEnding: {
    en: 'The ending of the file is not known. Pass --format ndjson, csv or xlsx.',
    es: 'No se reconoce la extensión del archivo. Indique --format ndjson, csv o xlsx.',
  },
  isNoFile: { en: 'it is not a file', es: 'no es un archivo' },
  overwritesInput: (path: string) => ({
    en: `The rejected records would overwrite the input ${path}. Name another file with --rejects.`,
    es: `Los registros rechazados reemplazarían el archivo de entrada ${path}. Indique otro archivo con --rejects.`,
  }),
  cannotCopy: (folder: string, reason: Text) => ({
    en: `The input cannot be copied to ${folder}: ${reason.en}. Nothing was written.`,
    es: `No se puede copiar la entrada a ${folder}: ${reason.es}. No se escribió nada.`,
  }),
  unreadableLine: (line: number, reason: Text) => ({
    en: `Line ${line} ${reason.en}.`,
    es: `La línea ${line} ${reason.es}.`,
  }),
  longLine: (line: number, bytes: number) => ({
    en: `Line ${line} has more than ${bytes} bytes.`,
    es: `La línea ${line} tiene más de ${bytes} bytes.`,
  }),
  utf16: { en: 'The file is in UTF-16: save it in UTF-8.', es: 'El archivo está en UTF-16: guárdelo en UTF-8.' },
  notNdjson: { en: 'The file must have one record in each line.', es: 'El archivo debe tener un registro por línea.' },
  requiredColumns: (columns: string) => ({
    en: `The required columns are ${columns}.`,
    es: `Las columnas obligatorias son ${columns}.`,
  }),
  hints: {
    encoding: { en: '; or pass --encoding', es: '; o indique --encoding' },
    decimal: {
      en: '; or pass --decimal comma or --decimal point',
      es: '; o indique --decimal comma o --decimal point',
    },
    dates: { en: '; or pass --day-first', es: '; o indique --day-first' },
  },

  // The import
  forceNeedsReason: {
    en: '--force requires --reason. --reason and --by require --force.',
    es: '--force requiere --reason. --reason y --by requieren --force.',
  },
  formatOptions: {
    en: '--map, --separator, --decimal, --day-first and --encoding require a CSV or a workbook.',
    es: '--map, --separator, --decimal, --day-first y --encoding requieren un CSV o un libro de Excel.',
  },
  invalidMap: (invalidLines: string, fields: string) => ({
    en: `--map: the file must contain lines such as invoice_id: "My heading". Invalid: ${invalidLines}. The fields are ${fields}.`,
    es: `--map: el archivo debe contener líneas como invoice_id: "Mi encabezado". Inválidas: ${invalidLines}. Los campos son ${fields}.`,
  }),
  totalsNeedFile: (error: string) => ({
    en: `${error} The control totals need the whole file.`,
    es: `${error} Los totales de control necesitan el archivo completo.`,
  }),
  otherRecords: (expected: string, records: number) => ({
    en: `--expect-records: expected ${expected}, but the file has ${count(records, 'record', 'records')}.`,
    es: `--expect-records: se esperaban ${expected}, pero el archivo tiene ${count(records, 'registro', 'registros')}.`,
  }),
  otherTotal: (expected: string, total: string) => ({
    en: `--expect-total: expected ${expected}, but system_amount adds up to ${total}.`,
    es: `--expect-total: se esperaba ${expected}, pero system_amount suma ${total}.`,
  }),
  nothingImported: { en: 'Nothing was imported.', es: 'No se importó nada.' },
  correctFile: {
    en: 'Correct the file, and run the command again.',
    es: 'Corrija el archivo y ejecute el comando de nuevo.',
  },
  importProgress: {
    en: '{records} records | {rejected} rejected | {eta_formatted} left',
    es: '{records} registros | {rejected} rechazados | faltan {eta_formatted}',
  },
  importCounts: (created: number, changed: number, unchanged: number, rejected: number) => ({
    en: `${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`,
    es: `creadas: ${created}, modificadas: ${changed}, sin cambios: ${unchanged}, rechazadas: ${rejected}`,
  }),
  repetitions: (number: number) => ({
    en: `${count(number, 'repetition', 'repetitions')} of equal records skipped`,
    es: `se omitieron registros iguales repetidos: ${number}`,
  }),
  withdrawnRecords: (number: number, ids: string) => ({
    en: `${count(number, 'record', 'records')} ignored, because the invoice is withdrawn (${ids}). See list-withdrawn.`,
    es: `${count(number, 'registro omitido', 'registros omitidos')}, porque la factura está retirada (${ids}). Vea list-withdrawn.`,
  }),
  changedAmounts: (number: number, before: string, after: string) => ({
    en: `${count(number, 'system amount', 'system amounts')} changed: ${before} → ${after} in total`,
    es: `importes del sistema modificados: ${number}; en total ${before} → ${after}`,
  }),
  changedStates: (states: string) => ({ en: `states changed: ${states}`, es: `estados modificados: ${states}` }),
  ignoredState: (id: string, state: string, stays: string) => ({
    en: `${id}: ${state}, stays ${stays}`,
    es: `${id}: ${state}, queda ${stays}`,
  }),
  ignoredStates: (number: number, states: string) => ({
    en: `${count(number, 'state', 'states')} ignored, because the supplier has declared (${states}). To change them, run decide.`,
    es: `${count(number, 'estado omitido', 'estados omitidos')}, porque el prestador declaró (${states}). Para cambiarlos, use decide.`,
  }),
  rejectedFile: (path: string) => ({
    en: `The rejected records and the reasons are in ${path}`,
    es: `Los registros rechazados y los motivos están en ${path}`,
  }),
  cannotWriteRejected: (path: string, reason: Text) => ({
    en: `The rejected records are not in ${path}: ${reason.en}. Run the command again to get them.`,
    es: `Los registros rechazados no están en ${path}: ${reason.es}. Para obtenerlos, ejecute el comando de nuevo.`,
  }),

  // Lists
  workbookWithOption: (path: string, option: string) => ({
    en: `--out: ${path} is the name of a workbook. Omit ${option}, or use another ending.`,
    es: `--out: ${path} es el nombre de un libro de Excel. Omita ${option} o use otra extensión.`,
  }),
  tooManyRows: (most: number) => ({
    en: `--out: a workbook has at most ${most} rows. Choose fewer by the other options, or write a .csv.`,
    es: `--out: un libro de Excel tiene como máximo ${most} filas. Elija menos con las otras opciones o escriba un .csv.`,
  }),
  totals: (
    invoices: number,
    declaredCount: number,
    amounts: Readonly<Record<'system' | 'declared' | 'difference' | 'payable', string>>,
  ) => ({
    en: `${count(invoices, 'invoice', 'invoices')} (${declaredCount} declared): system ${amounts.system}, declared ${amounts.declared}, difference ${amounts.difference}, to pay ${amounts.payable}`,
    es: `${count(invoices, 'factura', 'facturas')} (declaradas: ${declaredCount}): sistema ${amounts.system}, declarado ${amounts.declared}, diferencia ${amounts.difference}, a pagar ${amounts.payable}`,
  }),
  withdrawn: { en: 'Withdrawn', es: 'Retiradas' },
  containsDecisions: (path: string) => ({
    en: `--out: ${path} contains decisions, or cannot be read. Name another file, or pass --overwrite.`,
    es: `--out: ${path} contiene decisiones, o no se puede leer. Indique otro archivo o --overwrite.`,
  }),
  titles: {
    supplier: { en: 'supplier', es: 'prestador' },
    invoice: { en: 'invoice', es: 'factura' },
    invoices: { en: 'invoices', es: 'facturas' },
    ownNumber: { en: 'own number', es: 'comprobante' },
    date: { en: 'date', es: 'fecha' },
    system: { en: 'system', es: 'sistema' },
    declared: { en: 'declared', es: 'declarado' },
    tax: { en: 'tax %', es: 'impuesto %' },
    difference: { en: 'difference', es: 'diferencia' },
    percentage: { en: '%', es: '%' },
    state: { en: 'state', es: 'estado' },
    declaredAt: { en: 'declared at', es: 'declarado el' },
    revision: { en: 'revision', es: 'revisión' },
    version: { en: 'version', es: 'versión' },
    day: { en: 'day', es: 'día' },
    exported: { en: 'exported', es: 'exportadas' },
    stored: { en: 'stored', es: 'guardadas' },
    time: { en: 'time', es: 'hora' },
    kind: { en: 'kind', es: 'tipo' },
    author: { en: 'who', es: 'quién' },
    change: { en: 'change', es: 'cambio' },
    command: { en: 'command', es: 'comando' },
    action: { en: 'action', es: 'acción' },
    approved: { en: 'approved', es: 'aprobado' },
    payable: { en: 'to pay', es: 'a pagar' },
    waiting: { en: 'waiting', es: 'en espera' },
    oldest: { en: 'oldest, days', es: 'espera máxima, días' },
    reason: { en: 'reason', es: 'motivo' },
    status: { en: 'status', es: 'estado' },
    items: { en: 'items', es: 'elementos' },
  },

  // Decisions
  nothingDecided: (error: string) => ({ en: `${error} Nothing was decided.`, es: `${error} No se decidió nada.` }),
  hiddenColumn: (heading: string) => ({
    en: `The column "${heading}" is hidden: show it, and check its cells.`,
    es: `La columna "${heading}" está oculta: muéstrela y revise sus celdas.`,
  }),
  decisionCounts: (decided: number, unchanged: number, undecided: number, rejected: number) => ({
    en: `${decided} decided, ${unchanged} unchanged, ${undecided} without a decision, ${rejected} rejected`,
    es: `decididas: ${decided}, sin cambios: ${unchanged}, sin decisión: ${undecided}, rechazadas: ${rejected}`,
  }),
  rejectedLine: (line: number, errors: string) => ({ en: `line ${line}: ${errors}`, es: `línea ${line}: ${errors}` }),

  // One invoice
  invoice: (id: string, owner: string) => ({ en: `Invoice ${id} of ${owner}`, es: `Factura ${id} de ${owner}` }),
  unknownInvoice: {
    en: 'does not exist; it may have other leading zeros or another supplier, or an import has rejected it',
    es: 'no existe; quizás tiene otros ceros iniciales u otro prestador, o una importación la rechazó',
  },
  listed: { en: 'the invoice is not withdrawn', es: 'la factura no está retirada' },
  severalSuppliers: (ids: string) => ({
    en: `several suppliers have this invoice: ${ids}; pass --supplier`,
    es: `varios prestadores tienen esta factura: ${ids}; indique --supplier`,
  }),
  notChanged: (error: string) => ({ en: `Nothing was changed: ${error}`, es: `No se cambió nada: ${error}` }),
  decisions: { WITHDRAW: { en: 'withdrawn', es: 'retirada' }, RESTORE: { en: 'restored', es: 'restituida' } },
  already: { en: 'already', es: 'ya' },
  by: { en: 'by', es: 'por' },
  savedRequest: (id: string, declarations: number) => ({
    en: `Request ${id} was saved. Declarations: ${declarations}.`,
    es: `La solicitud ${id} se guardó. Declaraciones: ${declarations}.`,
  }),
  unsavedRequest: (id: string) => ({
    en: `No declaration has the request id ${id}. No declaration was saved: the request was read-only, was rejected, changed nothing, or failed before the write. A write of the last seconds may not be visible yet.`,
    es: `Ninguna declaración tiene el id de solicitud ${id}. No se guardó ninguna: la solicitud solo leía, fue rechazada, no cambió nada o falló antes de escribir. Es posible que lo escrito en los últimos segundos todavía no se vea.`,
  }),

  // Exports
  sameFile: (option: string, otherOption: string) => ({
    en: `${option} and ${otherOption} name the same file.`,
    es: `${option} y ${otherOption} indican el mismo archivo.`,
  }),
  isLocked: {
    en: 'Another command is running with this cursor file.',
    es: 'Otro comando está usando este archivo de cursor.',
  },
  fromStart: (time: string) => ({
    en: `There is no cursor: the export begins at the first declaration (after ${time}).`,
    es: `No hay cursor: la exportación empieza en la primera declaración (después de ${time}).`,
  }),
  confirmStart: (path: string) => ({
    en: `The cursor file ${path} does not exist. Export all declarations from the first one on?`,
    es: `El archivo de cursor ${path} no existe. ¿Exportar todas las declaraciones desde la primera?`,
  }),
  needsStart: (path: string) => ({
    en: `The cursor file ${path} does not exist. Correct the path or, to begin at the first declaration, pass --from-start.`,
    es: `El archivo de cursor ${path} no existe. Corrija la ruta o, para empezar en la primera declaración, indique --from-start.`,
  }),
  exported: (rows: number, amount: string, time: string) => ({
    en: `${count(rows, 'declaration', 'declarations')} of ${amount} in total, until ${time}`,
    es: `${count(rows, 'declaración', 'declaraciones')} por ${amount} en total, hasta ${time}`,
  }),
  fileKept: (path: string) => ({
    en: `There is no new declaration: ${path} was not replaced.`,
    es: `No hay declaraciones nuevas: no se reemplazó ${path}.`,
  }),
  verifyNeedsCursor: {
    en: '--verify needs --cursor-file with the cursor of an earlier export.',
    es: '--verify necesita --cursor-file con el cursor de una exportación anterior.',
  },
  verifiedDays: (days: number, differing: number) => ({
    en:
      `${count(days, 'day', 'days')} compared, ${differing} differ.` +
      (differing > 0
        ? ' More stored: export again since that day. Fewer stored: erased, or tables were restored.'
        : ''),
    es:
      `${count(days, 'día comparado', 'días comparados')}, ${differing} con diferencias.` +
      (differing > 0
        ? ' Más guardadas: exporte de nuevo desde ese día. Menos guardadas: se borraron, o se restauraron tablas.'
        : ''),
  }),
  invalidCursor: {
    en: 'The cursor file is damaged, or not a cursor file. The file with the ending .previous contains the cursor before it.',
    es: 'El archivo de cursor está dañado, o no es un archivo de cursor. El archivo que termina en .previous contiene el cursor anterior.',
  },
  // Undo
  unknownCommand: (tenant: string, id: string) => ({
    en: `No command of ${tenant} has the id ${id}. To list the commands, run audit ${tenant}.`,
    es: `Ningún comando de ${tenant} tiene el id ${id}. Para ver los comandos, use audit ${tenant}.`,
  }),
  changedNoInvoice: (command: string) => ({
    en: `Nothing was undone: the command (${command}) has changed no invoice, or they were erased.`,
    es: `No se revirtió nada: el comando (${command}) no cambió ninguna factura, o se borraron.`,
  }),
  undone: (undone: number, left: number) => ({
    en: `${count(undone, 'invoice', 'invoices')} undone, ${left} left alone`,
    es: `${count(undone, 'factura revertida', 'facturas revertidas')}, ${left} sin tocar`,
  }),
  leftAlone: (supplier: string, invoice: string, error: string) => ({
    en: `left alone: invoice ${invoice} of supplier ${supplier}: ${error}`,
    es: `sin tocar: factura ${invoice} del prestador ${supplier}: ${error}`,
  }),
  erasedSince: { en: 'it does not exist any more', es: 'ya no existe' },
  changedSince: (author: string, time: string, kind: string) => ({
    en: `it has changed since, by ${author} at ${time} (${kind})`,
    es: `cambió después, por ${author} el ${time} (${kind})`,
  }),
  alreadyUndone: (author: string, time: string) => ({
    en: `already undone by ${author} at ${time}`,
    es: `ya revertida por ${author} el ${time}`,
  }),
  changedMeanwhile: {
    en: 'another change was made between two changes of the command',
    es: 'hubo otro cambio entre dos cambios del comando',
  },
  declaredByCommand: {
    en: 'the command declared an amount; to correct it, import another amount',
    es: 'el comando declaró un importe; para corregirlo, importe otro importe',
  },
  settledNeedsForce: {
    en: 'the invoice is settled (LIQ); to change it, pass --force',
    es: 'la factura está liquidada (LIQ); para cambiarla, indique --force',
  },
  cursorOfOther: (owner: string, tenant: string) => ({
    en: `The cursor is of ${owner}, not of ${tenant}.`,
    es: `El cursor es de ${owner}, no de ${tenant}.`,
  }),
} satisfies Texts;

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
    en: `the file contains this invoice with different values in ${lines}`,
    es: `el archivo contiene esta factura con valores distintos (${lines})`,
  }),
  zeroVariants: (variants: string) => ({
    en: `the file has ids that differ only in leading zeros: ${variants}; to accept all of them, pass --allow-zeros`,
    es: `el archivo tiene números que difieren solo en los ceros iniciales: ${variants}; para aceptarlos todos, indique --allow-zeros`,
  }),
  lines: (lines: string, number: number) => ({
    en: `${number === 1 ? 'line' : 'lines'} ${lines}`,
    es: `${number === 1 ? 'línea' : 'líneas'} ${lines}`,
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
    en: `${before} → ${after}, but the invoice is ${state}`,
    es: `${before} → ${after}, pero la factura está en ${state}`,
  }),
  withDeclared: (amount: string) => ({ en: `, with ${amount} declared`, es: `, con ${amount} declarado` }),
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
  noInvoice: { en: 'the supplier has no such invoice', es: 'el prestador no tiene esa factura' },
  noInvoiceButVariant: (id: string) => ({
    en: `the supplier has no such invoice, but has ${id}: a spreadsheet may have removed the leading zeros`,
    es: `el prestador no tiene esa factura, pero tiene ${id}: es posible que una planilla de cálculo haya quitado los ceros iniciales`,
  }),
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
