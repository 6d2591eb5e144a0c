import type { Text, Texts } from '../../../lib/domain/language.ts';
import { formatCount } from './language.ts';

export const importTexts = {
  forceNeedsReason: {
    en: '--force requires --reason. --reason and --by require --force.',
    es: '--force requiere --reason. --reason y --by requieren --force.',
  },
  formatOptions: {
    en: '--map, --decimal and --day-first require a CSV or a workbook.',
    es: '--map, --decimal y --day-first requieren un CSV o un libro de Excel.',
  },
  invalidMap: (invalidLines: string, fields: string) => ({
    en: `--map: the file must contain lines such as invoice_id: "My heading". Invalid: ${invalidLines}. The fields are ${fields}.`,
    es: `--map: el archivo debe contener líneas como invoice_id: "Mi encabezado". Inválidas: ${invalidLines}. Los campos son ${fields}.`,
  }),
  otherRecords: (expected: string, records: number) => ({
    en: `--expect-records: expected ${expected}, but the file has ${formatCount(records, 'record', 'records')}.`,
    es: `--expect-records: se esperaban ${expected}, pero el archivo tiene ${formatCount(records, 'registro', 'registros')}.`,
  }),
  otherTotal: (expected: string, total: string) => ({
    en: `--expect-total: expected ${expected}, but system_amount adds up to ${total}.`,
    es: `--expect-total: se esperaba ${expected}, pero system_amount suma ${total}.`,
  }),
  nothingImported: (error: string) => ({ en: `${error} Nothing was imported.`, es: `${error} No se importó nada.` }),
  importProgress: { en: '{eta_formatted} left', es: 'faltan {eta_formatted}' },
  importCounts: (created: number, changed: number, unchanged: number, rejected: number) => ({
    en: `${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`,
    es: `creadas: ${created}, modificadas: ${changed}, sin cambios: ${unchanged}, rechazadas: ${rejected}`,
  }),
  repetitions: (number: number) => ({
    en: `${formatCount(number, 'repetition', 'repetitions')} of equal records skipped`,
    es: `se omitieron registros iguales repetidos: ${number}`,
  }),
  withdrawnRecords: (number: number, ids: string) => ({
    en: `${formatCount(number, 'record', 'records')} ignored, because the invoice is withdrawn (${ids}). See list-withdrawn.`,
    es: `${formatCount(number, 'registro omitido', 'registros omitidos')}, porque la factura está retirada (${ids}). Vea list-withdrawn.`,
  }),
  changedAmounts: (number: number, before: string, after: string) => ({
    en: `${formatCount(number, 'system amount', 'system amounts')} changed: ${before} → ${after} in total`,
    es: `importes del sistema modificados: ${number}; en total ${before} → ${after}`,
  }),
  changedStates: (states: string) => ({ en: `states changed: ${states}`, es: `estados modificados: ${states}` }),
  ignoredStates: (number: number, ids: string) => ({
    en: `${formatCount(number, 'state', 'states')} ignored, because the supplier has declared (${ids}). To change them, run decide.`,
    es: `${formatCount(number, 'estado omitido', 'estados omitidos')}, porque el prestador declaró (${ids}). Para cambiarlos, use decide.`,
  }),
  rejectedFile: (path: string) => ({
    en: `The rejected records and the reasons are in ${path}`,
    es: `Los registros rechazados y los motivos están en ${path}`,
  }),
  cannotWriteRejected: (path: string, reason: Text) => ({
    en: `The rejected records are not in ${path}: ${reason.en}. Run the command again to get them.`,
    es: `Los registros rechazados no están en ${path}: ${reason.es}. Para obtenerlos, ejecute el comando de nuevo.`,
  }),
} satisfies Texts;
