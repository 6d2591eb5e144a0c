/** Builds the headings of a thing and its number: `Factura`, `Nro. factura`, `ID factura`, `Código de factura`. */
const numbered = (things: readonly string[], words: readonly string[]) =>
  things.flatMap((thing) => [thing, ...words.map((word) => `${word} ${thing}`)]);

const INVOICE = ['factura', 'comprobante', 'documento', 'cbte', 'invoice'];
const SUPPLIER = ['proveedor', 'prestador', 'supplier', 'vendor'];

/** The number of an invoice: the company's own, or the supplier's if another column is the company's. */
const INVOICE_NUMBER = numbered(INVOICE, ['no']);

/**
 * Other headings of the fields, unless there is a map. Case, accents, punctuation, the order of words, articles and the
 * ways to write "number" do not matter.
 */
export const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  invoice_id: [...INVOICE_NUMBER, ...numbered(INVOICE, ['id', 'codigo', 'cod'])],
  supplier_id: numbered(SUPPLIER, ['id', 'no', 'codigo', 'cod', 'code']),
  invoice_date: ['date', 'fecha', ...INVOICE.map((word) => `fecha ${word}`), 'fecha emision', 'issue date'],
  service_id: ['service', ...numbered(['servicio', 'orden'], ['id']), 'orden servicio', 'order', 'order id'],
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
  provider_invoice_number: [
    ...INVOICE_NUMBER,
    ...SUPPLIER.flatMap((supplier) => INVOICE_NUMBER.map((heading) => `${heading} ${supplier}`)),
  ],
  provider_invoice_date: SUPPLIER.flatMap((supplier) => INVOICE.map((invoice) => `fecha ${invoice} ${supplier}`)),
  state_code: ['state', 'status', 'estado'],
  attachment_filename: ['adjunto', 'archivo adjunto'],
  concepts: ['conceptos'],
};
