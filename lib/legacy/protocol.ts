import type { Contract } from '../contracts/contract.ts';
import { declareBatchContract } from '../contracts/declare-batch.ts';
import { declareInvoiceContract } from '../contracts/declare-invoice.ts';
import { getHistoryContract } from '../contracts/get-history.ts';
import { getInvoiceContract } from '../contracts/get-invoice.ts';
import { listInvoicesContract } from '../contracts/list-invoices.ts';
import { validateAmountContract } from '../contracts/validate-amount.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { PropertyFault } from '../domain/errors.ts';
import type { Text } from '../domain/language.ts';

/** The legacy name of each field, also of the items of a list. A response omits a field whose name is null. */
export type FieldNames = Readonly<Record<string, string | null>>;

/** The definition of an operation: the contract of the current interface, and the legacy names of its request. */
export interface LegacyNames {
  readonly contract: Contract & { readonly access: AccessKind };
  readonly request: FieldNames;
}

/** The field with the id of an invoice. In a request, its value can also be a whole number. */
export const ID_FIELD = 'IdFactura';

const DECLARATION = {
  invoice_id: ID_FIELD,
  amount: 'Importe',
  notes: 'Observaciones',
  invoice_number: 'NumeroFactura',
  invoice_date: 'FechaFactura',
  tax_pct: 'PorcentajeImpuesto',
};

/** The operations of the legacy protocol, by WSName. Only this table contains the legacy names of request fields. */
export const LEGACY_NAMES = {
  WSListarFacturas: {
    contract: listInvoicesContract,
    request: {
      startdate: 'FechaDesde',
      enddate: 'FechaHasta',
      status: 'Estado',
      search: 'Busqueda',
      changed_since: 'ModificadasDesde',
      limit: 'Limite',
      offset: 'Desplazamiento',
    },
  },
  WSHistorialFactura: {
    contract: getHistoryContract,
    request: { id: ID_FIELD, limit: 'Limite', offset: 'Desplazamiento' },
  },
  WSObtenerFactura: { contract: getInvoiceContract, request: { id: ID_FIELD } },
  WSDeclararFactura: { contract: declareInvoiceContract, request: DECLARATION },
  WSDeclararFacturas: { contract: declareBatchContract, request: { declarations: 'Declaraciones', ...DECLARATION } },
  WSValidarFactura: { contract: validateAmountContract, request: { invoice_id: ID_FIELD, amount: 'Importe' } },
} as const satisfies Readonly<Record<string, LegacyNames>>;

/** The name of a list that is the whole data of a response, because legacy responses have no `data`. */
export const LIST_FIELD = 'entries';

/** The legacy name of each field of a response. */
export const RESPONSE_NAMES: FieldNames = {
  rows: 'Facturas',
  [LIST_FIELD]: 'Cambios',
  total: 'Total',
  limit: 'Limite',
  offset: 'Desplazamiento',
  invoice_id: ID_FIELD,
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
  changed_at: 'FechaCambio',
  kind: 'Tipo',
  approved_amount: 'ImporteAprobado',
  paid_on: 'FechaPago',
  payment_reference: 'ReferenciaPago',
  declared_by_me: 'DeclaradoPorPrestador',
  state_id: 'IdEstado',
  difference_abs: 'DiferenciaAbsoluta',
  concepts: 'Conceptos',
  concept_id: 'IdConcepto',
  description: 'Descripcion',
  unit_amount: 'ImporteUnitario',
  quantity: 'Cantidad',
  tax_pct: 'PorcentajeImpuesto',
  tolerance: 'Tolerancia',
  mode: 'Modo',
  tolerance_pct: 'ToleranciaPorcentual',
  tolerance_abs: 'ToleranciaAbsoluta',
  auto_approve: 'AprobacionAutomatica',
  source: 'Origen',
  within_tolerance: 'DentroDeTolerancia',
  action: 'Accion',
  config_source: 'OrigenTolerancia',
  results: 'Resultados',
  success: 'Exito',
  error: 'Error',
  code: 'Codigo',
  message: 'Mensaje',
  // Omitted, because `Mensaje` already names every invalid field.
  details: null,
  accepted: 'Aceptadas',
  rejected: 'Rechazadas',
};

/** Converts the field names of a legacy request to the current names. Omits fields that have no current name. */
export function toCurrentNames(input: unknown, names: FieldNames): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const legacyFields = input as Readonly<Record<string, unknown>>;
  const fields: Record<string, unknown> = {};
  for (const [name, legacyName] of Object.entries(names)) {
    if (legacyName === null || !Object.hasOwn(legacyFields, legacyName)) continue;
    const value = legacyFields[legacyName];
    fields[name] = Array.isArray(value) ? value.map((item) => toCurrentNames(item, names)) : value;
  }
  return fields;
}

/** Converts the property name in a fault: `declarations[3].amount` becomes `Declaraciones[3].Importe`. */
export function toLegacyFault({ property, constraints }: PropertyFault, names: FieldNames): PropertyFault {
  const legacyProperty = property.replaceAll(/\w+/g, (word) => names[word] ?? word);
  const rename = (text: string) => (text.startsWith(property) ? legacyProperty + text.slice(property.length) : text);
  const renameText = ({ en, es }: Text) => ({ en: rename(en), es: rename(es) });
  const legacyConstraints = Object.entries(constraints).map(([name, text]) => [name, renameText(text)] as const);
  return { property: legacyProperty, constraints: Object.fromEntries(legacyConstraints) };
}

/** Converts the field names of a response, at every level, to legacy names. */
export function toLegacyNames(value: unknown, names: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((item) => toLegacyNames(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const legacyFields: Record<string, unknown> = {};
  for (const [name, fieldValue] of Object.entries(value)) {
    const legacyName = getLegacyName(name, names);
    if (legacyName !== null) legacyFields[legacyName] = toLegacyNames(fieldValue, names);
  }
  return legacyFields;
}

/** Returns the legacy name of a field, or null for an omitted field. Throws for a field without an entry. */
export function getLegacyName(name: string, names: FieldNames): string | null {
  const legacyName = names[name];
  if (legacyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
  return legacyName;
}
