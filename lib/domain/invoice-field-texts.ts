import type { CONCEPT_FIELDS, ImportableField, InvoiceField } from './invoice-fields.ts';

// Each language is a separate export, so that the bundle of a function contains only the languages that it uses.

export const FIELD_DESCRIPTIONS = {
  invoice_id: 'Invoice identifier, digits only',
  invoice_date: 'Invoice date-time, ISO 8601',
  service_id: 'Related service or task id',
  service_number: 'Service display number',
  service_call_date: 'When the service was requested, ISO 8601',
  account_name: 'Account the service belongs to',
  city: 'Service city',
  system_amount: 'Amount calculated by the system',
  declaration_id: 'Set when the supplier has already declared an amount',
  declared_amount: 'Amount declared by the supplier',
  declared_notes: 'Notes on the declaration',
  provider_invoice_number: "Supplier's own invoice number",
  provider_invoice_date: "Supplier's own invoice date, as it was sent",
  state_code: 'Invoice state code',
  state_name: 'Invoice state name, in Spanish',
  difference: 'Declared minus system amount',
  difference_pct: 'Difference as a percentage of the system amount, 4 decimals',
  attachment_url: 'URL of the attached invoice file',
  attachment_filename: 'Original file name of the attachment',
} satisfies Record<InvoiceField, string>;

export const CONCEPT_DESCRIPTIONS = {
  concept_id: 'Concept catalog id',
  description: 'Concept description',
  unit_amount: 'Amount per unit',
  quantity: 'Quantity',
  tax_pct: 'Tax percentage applied',
  total: 'Line total',
} satisfies Record<(typeof CONCEPT_FIELDS)[number]['name'], string>;

export const SPANISH_DESCRIPTIONS = {
  invoice_id: 'Identificador de la factura, solo dígitos',
  invoice_date: 'Fecha y hora de la factura, ISO 8601',
  service_id: 'Id del servicio o de la tarea',
  service_number: 'Número visible del servicio',
  service_call_date: 'Cuándo se solicitó el servicio, ISO 8601',
  account_name: 'Cuenta a la que pertenece el servicio',
  city: 'Ciudad del servicio',
  system_amount: 'Importe calculado por el sistema',
  declaration_id: 'Presente cuando el prestador ya declaró un importe',
  declared_amount: 'Importe declarado por el prestador',
  declared_notes: 'Observaciones de la declaración',
  provider_invoice_number: 'Número de factura del prestador',
  provider_invoice_date: 'Fecha de la factura del prestador, tal como se envió',
  state_code: 'Código de estado de la factura',
  state_name: 'Nombre del estado de la factura, en español',
  difference: 'Importe declarado menos importe del sistema',
  difference_pct: 'Diferencia como porcentaje del importe del sistema, 4 decimales',
  attachment_url: 'URL del archivo adjunto de la factura',
  attachment_filename: 'Nombre original del archivo adjunto',
} satisfies Record<InvoiceField, string>;

export const LEGACY_FIELD_NAMES = {
  invoice_id: 'IdFactura',
  invoice_date: 'FechaFactura',
  service_id: 'IdServicio',
  service_number: 'NumeroServicio',
  service_call_date: 'FechaSolicitud',
  account_name: 'Cuenta',
  city: 'Ciudad',
  system_amount: 'ImporteSistema',
  declaration_id: 'IdDeclaracion',
  declared_amount: 'ImporteDeclarado',
  declared_notes: 'Observaciones',
  provider_invoice_number: 'NumeroFacturaProveedor',
  provider_invoice_date: 'FechaFacturaProveedor',
  state_code: 'CodigoEstado',
  state_name: 'NombreEstado',
  difference: 'Diferencia',
  difference_pct: 'DiferenciaPorcentual',
  attachment_url: 'UrlAdjunto',
  attachment_filename: 'NombreAdjunto',
} as const satisfies Record<InvoiceField, string>;

const INVOICE = ['factura', 'comprobante', 'documento', 'cbte', 'invoice'];
const SUPPLIER = ['proveedor', 'prestador', 'supplier', 'vendor'];

/**
 * The column headings of spreadsheets that an import recognises for each field, besides the field name. Before headings
 * are compared, case, accents, punctuation, articles, the order of words and the spellings of "number" are unified.
 */
export const FIELD_HEADINGS = /* @__PURE__ */ buildHeadings();

function buildHeadings(): Readonly<Record<string, readonly string[]>> {
  // A column `no factura` contains the company's numbers, or the supplier's if the company's have another column.
  const invoiceNumber = buildNumberHeadings(INVOICE, ['no']);
  return {
    invoice_id: [...invoiceNumber, ...buildNumberHeadings(INVOICE, ['id', 'codigo', 'cod'])],
    supplier_id: buildNumberHeadings(SUPPLIER, ['id', 'no', 'codigo', 'cod', 'code']),
    invoice_date: ['date', 'fecha', ...INVOICE.map((word) => `fecha ${word}`), 'fecha emision', 'issue date'],
    service_id: [
      'service',
      ...buildNumberHeadings(['servicio', 'orden'], ['id']),
      'orden servicio',
      'order',
      'order id',
    ],
    service_number: ['no servicio', 'no orden', 'no orden servicio', 'order no'],
    service_call_date: ['fecha servicio', 'fecha solicitud', 'service date'],
    account_name: ['account', 'client', 'customer', 'cliente', 'nombre cliente', 'customer name', 'cuenta'],
    city: ['ciudad', 'localidad'],
    system_amount: [
      ...['amount', 'total', 'total amount', 'importe', 'importe sistema', 'importe total', 'monto', 'monto total'],
      ...INVOICE.flatMap((word) => [`importe ${word}`, `monto ${word}`, `total ${word}`]),
    ],
    declaration_id: ['id declaracion'],
    declared_amount: ['importe declarado', 'monto declarado'],
    declared_tax_pct: ['% iva declarado'],
    declared_notes: [],
    provider_invoice_number: [
      ...invoiceNumber,
      ...SUPPLIER.flatMap((supplier) => invoiceNumber.map((heading) => `${heading} ${supplier}`)),
    ],
    provider_invoice_date: SUPPLIER.flatMap((supplier) => INVOICE.map((invoice) => `fecha ${invoice} ${supplier}`)),
    state_code: ['state', 'status', 'estado'],
    attachment_url: [],
    attachment_filename: ['adjunto', 'archivo adjunto'],
    concepts: ['conceptos'],
  } satisfies Record<ImportableField | 'supplier_id' | 'declared_tax_pct' | 'concepts', readonly string[]>;
}

/** Builds the headings of a number: each noun alone (`factura`), and with each prefix (`no factura`, `id factura`). */
function buildNumberHeadings(nouns: readonly string[], prefixes: readonly string[]): string[] {
  return nouns.flatMap((noun) => [noun, ...prefixes.map((prefix) => `${prefix} ${noun}`)]);
}
