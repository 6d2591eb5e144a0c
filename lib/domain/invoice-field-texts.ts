import type { CONCEPT_FIELDS, InvoiceField } from './invoice-fields.ts';

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
