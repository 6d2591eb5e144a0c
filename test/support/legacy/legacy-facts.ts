import type { Answer } from '../answers/answer.ts';
import type { LegacyAnswer } from './legacy-answer.ts';

/** What an answer says, whatever the surface: the code, the invalid properties, or the data. */
type Facts = { readonly code: string; readonly properties: readonly string[] } | { readonly data: unknown };

// Written down here once more, so that a name exchanged for another in the service does not go unseen.
const CURRENT_NAME: Readonly<Record<string, string>> = {
  Facturas: 'rows',
  IdFactura: 'invoice_id',
  FechaFactura: 'invoice_date',
  IdServicio: 'service_id',
  NumeroServicio: 'service_number',
  FechaSolicitud: 'service_call_date',
  Cuenta: 'account_name',
  Ciudad: 'city',
  ImporteSistema: 'system_amount',
  IdDeclaracion: 'declaration_id',
  ImporteDeclarado: 'declared_amount',
  Observaciones: 'declared_notes',
  NumeroFacturaProveedor: 'provider_invoice_number',
  FechaFacturaProveedor: 'provider_invoice_date',
  IdEstado: 'state_id',
  CodigoEstado: 'state_code',
  NombreEstado: 'state_name',
  Diferencia: 'difference',
  DiferenciaPorcentual: 'difference_pct',
  DiferenciaAbsoluta: 'difference_abs',
  UrlAdjunto: 'attachment_url',
  NombreAdjunto: 'attachment_filename',
  Conceptos: 'concepts',
  IdConcepto: 'concept_id',
  Descripcion: 'description',
  ImporteUnitario: 'unit_amount',
  Cantidad: 'quantity',
  PorcentajeImpuesto: 'tax_pct',
  Tolerancia: 'tolerance',
  Modo: 'mode',
  ToleranciaPorcentual: 'tolerance_pct',
  ToleranciaAbsoluta: 'tolerance_abs',
  AprobacionAutomatica: 'auto_approve',
  Origen: 'source',
  DentroDeTolerancia: 'within_tolerance',
  Accion: 'action',
  OrigenTolerancia: 'config_source',
  Resultados: 'results',
  Exito: 'success',
  Error: 'error',
  Codigo: 'code',
  Mensaje: 'message',
  Aceptadas: 'accepted',
  Rechazadas: 'rejected',
  Total: 'total',
  Limite: 'limit',
  Desplazamiento: 'offset',
};

// The names of a request that are not those of an answer.
const CURRENT_PARAMETER: Readonly<Record<string, string>> = {
  FechaDesde: 'startdate',
  FechaHasta: 'enddate',
  Estado: 'status',
  Busqueda: 'search',
  Limite: 'limit',
  Desplazamiento: 'offset',
  IdFactura: 'invoice_id',
  Importe: 'amount',
  Observaciones: 'notes',
  NumeroFactura: 'invoice_number',
  FechaFactura: 'invoice_date',
  PorcentajeImpuesto: 'tax_pct',
  Declaraciones: 'declarations',
};

/** What an answer of the current interface says; the ignored fields and the wording of errors are left out. */
export function currentFacts({ body }: Answer, ignored: readonly string[]): Facts {
  const { error, data, meta } = body;
  if (!error) return { data: without({ ...data, ...meta }, ignored) };
  const properties = (error.details ?? []).map(({ property }) => (property === 'id' ? 'invoice_id' : property));
  return { code: error.code, properties: properties.toSorted() };
}

/** What an answer of the legacy route says, in the names of the current interface. */
export function legacyFacts({ body }: LegacyAnswer, ignored: readonly string[]): Facts {
  const { Resultado, ...data } = body;
  if (Resultado.Exito) return { data: without(renamed(data), ignored) };
  const words = Resultado.Codigo === 'VALIDATION_ERROR' ? Resultado.Mensaje.split(' ') : [];
  const properties = words.map(currentPath).filter((path) => path !== null);
  return { code: Resultado.Codigo, properties: properties.toSorted() };
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [CURRENT_NAME[name] ?? `?${name}`, renamed(inner)]),
  );
}

function without(value: unknown, ignored: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, ignored));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'message' && !ignored.includes(name))
      .map(([name, inner]) => [name, without(inner, ignored)]),
  );
}

/** The property of the current interface that a word of a message is the legacy path of, or null. */
function currentPath(word: string): string | null {
  const names = word.split(/\[\d+\]|\./).filter((name) => name !== '');
  if (names.length === 0 || names.some((name) => !(name in CURRENT_PARAMETER))) return null;
  return word.replaceAll(/[A-Z]\w*/g, (name) => CURRENT_PARAMETER[name] ?? name);
}
