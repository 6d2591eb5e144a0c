import type { ImportedField } from './record-schema.ts';

const INVOICE_WORDS = ['factura', 'comprobante', 'documento', 'cbte', 'invoice'];
const SUPPLIER_WORDS = ['proveedor', 'prestador', 'supplier', 'vendor'];
// A column `no factura` contains the numbers of the company. If they have another column, it contains the numbers of the
// supplier. Therefore both fields have these headings.
const INVOICE_NUMBER_HEADINGS = buildNumberHeadings(INVOICE_WORDS, ['no']);

/**
 * The column headings of spreadsheets that an import recognises for each field, besides the field name. Before headings
 * are compared, case, accents, punctuation, articles, the order of words and the spellings of "number" are unified.
 */
export const FIELD_HEADINGS: Readonly<Record<string, readonly string[]>> = {
  invoice_id: [...INVOICE_NUMBER_HEADINGS, ...buildNumberHeadings(INVOICE_WORDS, ['id', 'codigo', 'cod'])],
  supplier_id: buildNumberHeadings(SUPPLIER_WORDS, ['id', 'no', 'codigo', 'cod', 'code']),
  invoice_date: ['date', 'fecha', ...INVOICE_WORDS.map((word) => `fecha ${word}`), 'fecha emision', 'issue date'],
  service_id: ['service', ...buildNumberHeadings(['servicio', 'orden'], ['id']), 'orden servicio', 'order', 'order id'],
  service_number: ['no servicio', 'no orden', 'no orden servicio', 'order no'],
  service_call_date: ['fecha servicio', 'fecha solicitud', 'service date'],
  account_name: ['account', 'client', 'customer', 'cliente', 'nombre cliente', 'customer name', 'cuenta'],
  city: ['ciudad', 'localidad'],
  system_amount: [
    ...['amount', 'total', 'total amount', 'importe', 'importe sistema', 'importe total', 'monto', 'monto total'],
    ...INVOICE_WORDS.flatMap((word) => [`importe ${word}`, `monto ${word}`, `total ${word}`]),
  ],
  declaration_id: ['id declaracion'],
  declared_amount: ['importe declarado', 'monto declarado'],
  declared_tax_pct: ['% iva declarado'],
  declared_notes: [],
  message: ['mensaje'],
  approved_amount: ['importe aprobado', 'monto aprobado'],
  paid_on: ['fecha pago', 'payment date'],
  payment_reference: ['referencia pago', 'reference payment'],
  provider_invoice_number: [
    ...INVOICE_NUMBER_HEADINGS,
    ...SUPPLIER_WORDS.flatMap((supplier) => INVOICE_NUMBER_HEADINGS.map((heading) => `${heading} ${supplier}`)),
  ],
  provider_invoice_date: SUPPLIER_WORDS.flatMap((supplier) =>
    INVOICE_WORDS.map((invoice) => `fecha ${invoice} ${supplier}`),
  ),
  state_code: ['state', 'status', 'estado'],
  attachment_url: [],
  attachment_filename: ['adjunto', 'archivo adjunto'],
  concepts: ['conceptos'],
} satisfies Record<ImportedField, readonly string[]>;

/** Builds the headings of a number: each noun alone (`factura`), and with each prefix (`no factura`, `id factura`). */
function buildNumberHeadings(nouns: readonly string[], prefixes: readonly string[]): string[] {
  return nouns.flatMap((noun) => [noun, ...prefixes.map((prefix) => `${prefix} ${noun}`)]);
}
