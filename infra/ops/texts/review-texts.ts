import type { Texts } from '../../../lib/domain/language.ts';
import { formatCount } from './language.ts';

export const reviewTexts = {
  // Lists
  sheetAsJson: (path: string) => ({
    en: `--out: ${path} is the name of a sheet. Omit --json, or use another extension.`,
    es: `--out: ${path} es el nombre de una planilla. Omita --json o use otra extensión.`,
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
    en: `${formatCount(invoices, 'invoice', 'invoices')} (${declaredCount} declared): system ${amounts.system}, declared ${amounts.declared}, difference ${amounts.difference}, to pay ${amounts.payable}`,
    es: `${formatCount(invoices, 'factura', 'facturas')} (declaradas: ${declaredCount}): sistema ${amounts.system}, declarado ${amounts.declared}, diferencia ${amounts.difference}, a pagar ${amounts.payable}`,
  }),
  withdrawn: { en: 'Withdrawn', es: 'Retiradas' },
  sheetExists: (path: string) => ({
    en: `--out: ${path} already exists, and can contain decisions. Name another file, or pass --overwrite.`,
    es: `--out: ${path} ya existe, y puede contener decisiones. Indique otro archivo o --overwrite.`,
  }),
  titles: {
    supplier: { en: 'supplier', es: 'prestador' },
    invoice: { en: 'invoice', es: 'factura' },
    invoices: { en: 'invoices', es: 'facturas' },
    date: { en: 'date', es: 'fecha' },
    system: { en: 'system', es: 'sistema' },
    declared: { en: 'declared', es: 'declarado' },
    tax: { en: 'tax %', es: 'impuesto %' },
    difference: { en: 'difference', es: 'diferencia' },
    percentage: { en: '%', es: '%' },
    state: { en: 'state', es: 'estado' },
    declaredAt: { en: 'declared at', es: 'declarado el' },
    ownNumber: { en: 'own number', es: 'comprobante' },
    revision: { en: 'revision', es: 'revisión' },
    version: { en: 'version', es: 'versión' },
    time: { en: 'time', es: 'hora' },
    kind: { en: 'kind', es: 'tipo' },
    author: { en: 'who', es: 'quién' },
    change: { en: 'change', es: 'cambio' },
    command: { en: 'command', es: 'comando' },
    action: { en: 'action', es: 'acción' },
    approved: { en: 'approved', es: 'aprobado' },
    payable: { en: 'to pay', es: 'a pagar' },
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
  severalSuppliers: (ids: string) => ({
    en: `several suppliers have this invoice: ${ids}; pass --supplier`,
    es: `varios prestadores tienen esta factura: ${ids}; indique --supplier`,
  }),
  notChanged: (error: string) => ({ en: `Nothing was changed: ${error}`, es: `No se cambió nada: ${error}` }),
  decisions: { WITHDRAW: { en: 'withdrawn', es: 'retirada' }, RESTORE: { en: 'restored', es: 'restituida' } },
  changedInvoice: (id: string, supplier: string, change: string, author: string, reason: string) => ({
    en: `Invoice ${id} of supplier ${supplier}: ${change} by ${author}: ${reason}`,
    es: `Factura ${id} de prestador ${supplier}: ${change} por ${author}: ${reason}`,
  }),
  unchangedInvoice: (id: string, supplier: string, decision: string) => ({
    en: `Invoice ${id} of supplier ${supplier}: already ${decision}. Nothing was changed.`,
    es: `Factura ${id} de prestador ${supplier}: ya ${decision}. No se cambió nada.`,
  }),
  savedRequest: (id: string, declarations: number) => ({
    en: `Request ${id} was saved. Declarations: ${declarations}.`,
    es: `La solicitud ${id} se guardó. Declaraciones: ${declarations}.`,
  }),
  unsavedRequest: (id: string) => ({
    en: `No declaration has the request id ${id}. No declaration was saved: the request was read-only, was rejected, changed nothing, or failed before the write. A write of the last seconds may not be visible yet.`,
    es: `Ninguna declaración tiene el id de solicitud ${id}. No se guardó ninguna: la solicitud solo leía, fue rechazada, no cambió nada o falló antes de escribir. Es posible que lo escrito en los últimos segundos todavía no se vea.`,
  }),

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
    en: `${formatCount(undone, 'invoice', 'invoices')} undone, ${left} left alone`,
    es: `${formatCount(undone, 'factura revertida', 'facturas revertidas')}, ${left} sin tocar`,
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
} satisfies Texts;
