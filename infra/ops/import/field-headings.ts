import type { ImportedField } from './record-schema.ts';

const INVOICE_WORDS = ['factura', 'comprobante', 'documento', 'cbte', 'invoice'];
const SUPPLIER_WORDS = ['proveedor', 'prestador', 'supplier', 'vendor'];
const AMOUNT_WORDS = ['importe', 'monto', 'total'];
// The heading `no factura` is ambiguous. It is that of `invoice_id`, the number of the company, unless this field has
// another column. Then it is that of `provider_invoice_number`, the number of the supplier. Both fields list it.
const INVOICE_NUMBER_HEADINGS = buildNumberHeadings(INVOICE_WORDS, ['no']);

/**
 * The column headings that an import recognises for each field, besides the field name. normaliseHeading ignores case,
 * accents, articles and the order of words, and replaces each spelling of "number" by `no`: "N.º de Factura" matches.
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
    ...AMOUNT_WORDS.flatMap((amount) => [amount, ...INVOICE_WORDS.map((invoice) => `${amount} ${invoice}`)]),
    ...['amount', 'total amount', 'importe sistema', 'importe total', 'monto total'],
  ],
  declaration_id: ['id declaracion'],
  declared_amount: ['importe declarado', 'monto declarado'],
  declared_tax_pct: ['% iva declarado'],
  declared_notes: [],
  message: ['mensaje'],
  approved_amount: ['importe aprobado', 'monto aprobado'],
  paid_on: ['fecha pago', 'payment date'],
  payment_reference: ['referencia pago'],
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
