import { ALL_ERROR_CODES, type ErrorCode } from '../domain/errors.ts';
import type { ContractDoc, JsonSchema, SchemaTexts } from './contract.ts';
import * as data from './response-data.ts';
import { count, closedObject, nonEmptyString } from './schemas.ts';
import { ISO_DATE } from '../domain/iso-date.ts';

/** The schemas of the error responses, by error code. */
export const ERROR_ENVELOPES = Object.fromEntries(
  ALL_ERROR_CODES.map((code) => [code, buildErrorEnvelope(code)]),
) as Readonly<Record<ErrorCode, JsonSchema>>;

function buildErrorEnvelope(code: ErrorCode): JsonSchema {
  const properties = { code: { const: code }, message: nonEmptyString('Human-readable text') };
  const details = { type: 'array', minItems: 1, items: data.propertyFault, description: 'Every invalid property' };
  const error = closedObject(code === 'VALIDATION_ERROR' ? { ...properties, details } : properties);
  return closedObject({ success: { const: false }, error });
}

export const pageMeta = closedObject({
  total: count('Records matching the query after filters, before paging'),
  limit: count('Page size'),
  offset: count('Offset applied'),
});

/** Builds the schema of an object that has the properties of two objects. */
export function mergeObjects(first: JsonSchema, second: JsonSchema) {
  return {
    ...first,
    required: [...(first.required ?? []), ...(second.required ?? [])],
    properties: { ...first.properties, ...second.properties },
  };
}

const emptyMeta = { type: 'object', maxProperties: 0, description: 'Empty' } as const satisfies JsonSchema;

export function buildSuccessEnvelope({ response, isPaged }: ContractDoc): JsonSchema {
  return closedObject({ success: { const: true }, data: response, meta: isPaged ? pageMeta : emptyMeta });
}

export const SHARED_SCHEMAS: SchemaTexts = {
  schemas: {
    InvoiceRow: [data.invoiceRow, 'An invoice in a list.'],
    Concept: [data.concept, 'A line item of an invoice.'],
    Tolerance: [data.tolerance, 'The tolerance that applies to a supplier.'],
    ToleranceOutcome: [data.toleranceOutcome, 'The result of comparing an amount with the tolerance.'],
    PropertyFault: [data.propertyFault, 'An invalid property, with a message for each violated constraint.'],
    PageMeta: [pageMeta, 'The position of a page in a list.'],
    EmptyMeta: [emptyMeta],
    ...Object.fromEntries(
      ALL_ERROR_CODES.flatMap((code) => {
        const name = buildErrorName(code);
        const envelope = ERROR_ENVELOPES[code];
        return [
          [`${name}Answer`, [envelope]],
          [name, [envelope.properties?.['error']]],
        ];
      }),
    ),
  },
  spanish: {
    'Amount, rounded half-up to 6 decimals; 0, or at least 0.0000005':
      'Importe, redondeado a 6 decimales (la mitad, hacia arriba); 0, o como mínimo 0.0000005',
    Empty: 'Vacío',
    'Human-readable text': 'Texto legible para personas',
    'Every invalid property': 'Cada propiedad que no es válida',
    'Path of the property, for example `declarations[3].amount`':
      'Ruta de la propiedad, por ejemplo `declarations[3].amount`',
    'A message for each violated constraint, by the name of the constraint':
      'Un mensaje por cada restricción que no cumple, según el nombre de la restricción',
    'Records matching the query after filters, before paging':
      'Registros que cumplen la consulta después de los filtros, antes de paginar',
    'Page size': 'Tamaño de la página',
    'Records to skip': 'Registros que se omiten',
    'The page, newest first': 'La página, de la más nueva a la más antigua',
    'Offset applied': 'Desplazamiento aplicado',

    'Invoice identifier, digits only': 'Identificador de la factura, solo dígitos',
    'Invoice date-time, ISO 8601': 'Fecha y hora de la factura, ISO 8601',
    'Related service or task id': 'Id del servicio o de la tarea',
    'Service display number': 'Número visible del servicio',
    'When the service was requested, ISO 8601': 'Cuándo se solicitó el servicio, ISO 8601',
    'Account the service belongs to': 'Cuenta a la que pertenece el servicio',
    'Service city': 'Ciudad del servicio',
    'Amount calculated by the system': 'Importe calculado por el sistema',
    'Set when the supplier has already declared an amount': 'Presente cuando el prestador ya declaró un importe',
    'Amount declared by the supplier': 'Importe declarado por el prestador',
    'Notes on the declaration': 'Observaciones de la declaración',
    "Supplier's own invoice number": 'Número de factura del prestador',
    "Supplier's own invoice date, as it was sent": 'Fecha de la factura del prestador, tal como se envió',
    'Invoice state code': 'Código de estado de la factura',
    'Invoice state name, in Spanish': 'Nombre del estado de la factura, en español',
    'Declared minus system amount': 'Importe declarado menos importe del sistema',
    'Difference as a percentage of the system amount, 4 decimals':
      'Diferencia como porcentaje del importe del sistema, 4 decimales',
    'URL of the attached invoice file': 'URL del archivo adjunto de la factura',
    'Original file name of the attachment': 'Nombre original del archivo adjunto',
    'Concept catalog id': 'Id del concepto en el catálogo',
    'Concept description': 'Descripción del concepto',
    'Amount per unit': 'Importe por unidad',
    Quantity: 'Cantidad',
    'Tax percentage applied': 'Porcentaje de impuesto aplicado',
    'Line total': 'Total del concepto',

    'PCT: percentage; ABS: absolute; AMB: both limits must hold; null: none applies':
      'PCT: porcentual; ABS: absoluta; AMB: deben cumplirse ambos límites; null: no se aplica ninguna',
    'Allowed percentage difference': 'Diferencia porcentual permitida',
    'Allowed absolute difference': 'Diferencia absoluta permitida',
    'True if amounts within tolerance are approved automatically':
      'Verdadero si los importes dentro de la tolerancia se aprueban automáticamente',
    'Where the tolerance comes from: the supplier, the tenant, or nowhere':
      'De dónde surge la tolerancia: del prestador, del tenant o de ninguna parte',
    'True if the amount is within tolerance': 'Verdadero si el importe está dentro de la tolerancia',
    'Declared (or submitted) minus system amount': 'Importe declarado (o enviado) menos importe del sistema',
    'Absolute difference': 'Diferencia absoluta',
    'Resulting action; REVIEW once the company has rejected or adjusted the invoice':
      'Acción resultante; REVIEW una vez que la empresa rechazó o ajustó la factura',
    'Declaration identifier; the same when the invoice is declared again':
      'Identificador de la declaración; es el mismo cuando la factura se declara de nuevo',
    'Amount now declared': 'Importe que queda declarado',
    'Resulting state: 1 PEN, 2 ENV, 3 APR, 4 REV, 5 REC, 6 AJU, 7 LIQ':
      'Estado resultante: 1 PEN, 2 ENV, 3 APR, 4 REV, 5 REC, 6 AJU, 7 LIQ',
  },
};

/** Builds the schema name of an error code: `NOT_FOUND` becomes NotFoundError. */
export function buildErrorName(code: string): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return [...words, 'ERROR'].map((word) => word.slice(0, 1) + word.slice(1).toLowerCase()).join('');
}

// Not every language supports named and non-capturing groups in patterns. Therefore both become plain groups.
const ISO_DATE_PATTERN = ISO_DATE.source.replaceAll(/\?<\w+>/g, '').replaceAll('(?:', '(');
// Makes the whole pattern optional: `^…$` becomes `^(…)?$`.
const OPTIONAL_DATE_PATTERN = ISO_DATE_PATTERN.replace(/^\^(.*)\$$/, '^($1)?$');

/**
 * The patterns that documents contain in place of the custom formats of this service. The service accepts every text
 * that matches, except a day that does not exist (2026-02-30) or an instant outside the years 0 to 9999.
 */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  iso8601: ISO_DATE_PATTERN,
  iso8601OrEmpty: OPTIONAL_DATE_PATTERN,
  iso8601OrEmptyInQuery: OPTIONAL_DATE_PATTERN,
};

/**
 * Replaces a custom format in a schema with its pattern. A format without a pattern is removed, because only this service
 * knows it. Returns a schema with the standard format `uuid`, or without a format, unchanged.
 */
export function replaceFormat<Schema extends object>(schema: Schema & { readonly format?: string }) {
  const { format, ...schemaWithoutFormat } = schema;
  if (format === undefined || format === 'uuid') return schema;
  const pattern = FORMAT_PATTERNS[format];
  return pattern === undefined ? schemaWithoutFormat : { ...schemaWithoutFormat, pattern };
}
