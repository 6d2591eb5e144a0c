import type { Contract } from '../contracts/contract.ts';
import { declareBatchContract } from '../contracts/declare-batch.ts';
import { declareInvoiceContract } from '../contracts/declare-invoice.ts';
import { getHistoryContract } from '../contracts/get-history.ts';
import { getInvoiceContract } from '../contracts/get-invoice.ts';
import { listInvoicesContract } from '../contracts/list-invoices.ts';
import { validateAmountContract } from '../contracts/validate-amount.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { PropertyFault } from '../domain/errors.ts';

/** The current name of each legacy field. For a list, the value also contains the names of the fields of its items. */
export interface FieldNames {
  readonly [legacyName: string]: string | readonly [name: string, items: FieldNames];
}

/** The definition of an operation: the contract of the current interface, and the legacy names of its request. */
export interface LegacyNames {
  readonly contract: Contract & { readonly access: AccessKind };
  readonly request: FieldNames;
}

/** The field with the id of an invoice. In a request, its value can also be a whole number. */
export const ID_FIELD = 'IdFactura';

const DECLARATION: FieldNames = {
  [ID_FIELD]: 'invoice_id',
  Importe: 'amount',
  Observaciones: 'notes',
  NumeroFactura: 'invoice_number',
  FechaFactura: 'invoice_date',
  PorcentajeImpuesto: 'tax_pct',
};

/** The operations of the legacy protocol, by WSName. Only this table contains the legacy names of request fields. */
export const LEGACY_NAMES = {
  WSListarFacturas: {
    contract: listInvoicesContract,
    request: {
      FechaDesde: 'startdate',
      FechaHasta: 'enddate',
      Estado: 'status',
      Busqueda: 'search',
      ModificadasDesde: 'changed_since',
      Limite: 'limit',
      Desplazamiento: 'offset',
    },
  },
  WSHistorialFactura: {
    contract: getHistoryContract,
    request: { [ID_FIELD]: 'id', Limite: 'limit', Desplazamiento: 'offset' },
  },
  WSObtenerFactura: { contract: getInvoiceContract, request: { [ID_FIELD]: 'id' } },
  WSDeclararFactura: { contract: declareInvoiceContract, request: DECLARATION },
  WSDeclararFacturas: { contract: declareBatchContract, request: { Declaraciones: ['declarations', DECLARATION] } },
  WSValidarFactura: { contract: validateAmountContract, request: { [ID_FIELD]: 'invoice_id', Importe: 'amount' } },
} as const satisfies Readonly<Record<string, LegacyNames>>;

/** The name of a list that is the whole data of a response, because legacy responses have no `data`. */
export const LIST_FIELD = 'entries';

/** The legacy name of each field of a response. A field with null is omitted from legacy responses. */
export const RESPONSE_NAMES: Readonly<Record<string, string | null>> = {
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

/** Converts the field names of a legacy request to the current names. Omits fields that `names` does not contain. */
export function toCurrentNames(input: unknown, names: FieldNames): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const legacyFields = input as Record<string, unknown>;
  const fields: [name: string, value: unknown][] = [];
  for (const [legacyName, name] of Object.entries(names)) {
    if (!Object.hasOwn(legacyFields, legacyName)) continue;
    const value = legacyFields[legacyName];
    const [field, itemNames] = typeof name === 'string' ? [name] : name;
    const isList = itemNames && Array.isArray(value);
    fields.push([field, isList ? value.map((item) => toCurrentNames(item, itemNames)) : value]);
  }
  return Object.fromEntries(fields);
}

/** Converts the property name in a fault: `declarations[3].amount` becomes `Declaraciones[3].Importe`. */
export function toLegacyFault({ property, constraints }: PropertyFault, names: FieldNames): PropertyFault {
  const legacyProperty = toLegacyPath(property, names);
  const rename = (text: string) => (text.startsWith(property) ? legacyProperty + text.slice(property.length) : text);
  const legacyConstraints = Object.entries(constraints).map(([constraint, { en, es }]) => [
    constraint,
    { en: rename(en), es: rename(es) },
  ]);
  return { property: legacyProperty, constraints: Object.fromEntries(legacyConstraints) };
}

/** Converts the path of a property. The part after the first full stop is a path within an item of a list. */
function toLegacyPath(path: string, names: FieldNames): string {
  for (const [legacyName, name] of Object.entries(names)) {
    const [field, itemNames = {}] = typeof name === 'string' ? [name] : name;
    if (path !== field && !path.startsWith(`${field}[`)) continue;
    // For `declarations[3].amount`, the index is `[3]` and the path in the item is `amount`.
    const [index = '', ...itemPath] = path.slice(field.length).split('.');
    if (itemPath.length === 0) return `${legacyName}${index}`;
    return `${legacyName}${index}.${toLegacyPath(itemPath.join('.'), itemNames)}`;
  }
  return path;
}

/** Converts the field names of a response, at every level, to legacy names. Throws for a field without an entry. */
export function toLegacyNames(value: unknown, names: Readonly<Record<string, string | null>>): unknown {
  if (Array.isArray(value)) return value.map((item) => toLegacyNames(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const legacyFields: [legacyName: string, value: unknown][] = [];
  for (const [name, fieldValue] of Object.entries(value)) {
    const legacyName = names[name];
    if (legacyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
    if (legacyName !== null) legacyFields.push([legacyName, toLegacyNames(fieldValue, names)]);
  }
  return Object.fromEntries(legacyFields);
}
