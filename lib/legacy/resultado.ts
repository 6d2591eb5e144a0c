import { ERROR_CODES } from '../domain/errors.ts';
import type { ErrorCode, ErrorReason, PropertyFault, ServiceError } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import * as texts from '../domain/texts.ts';
import type { Success } from '../endpoints/endpoint.ts';
import type { ResponseFormat } from '../http/responses.ts';
import { ID_FIELD, LIST_FIELD, RESPONSE_NAMES, toLegacyNames } from './protocol.ts';

/** The legacy format of responses: `Resultado` with `Exito`, `Codigo` and `Mensaje`, followed by the data. */
export const RESULTADO_FORMAT: ResponseFormat = {
  success({ data, meta, itemErrors }) {
    const fields = Array.isArray(data) ? { [LIST_FIELD]: data } : translateErrors(data, itemErrors);
    const legacyData = toLegacyNames({ ...fields, ...meta }, RESPONSE_NAMES) as object;
    const Resultado = { Exito: true, Codigo: 'OK', Mensaje: 'Operación realizada.' };
    return { status: 200, body: { Resultado, ...legacyData } };
  },
  error(error) {
    const { status, isRetryable } = ERROR_CODES[error.code];
    return {
      // Legacy clients read only the body. Gateways before them need the status of an error that is worth a retry.
      status: error.reason === 'unknown-operation' || isRetryable ? status : 200,
      body: { Resultado: { Exito: false, Codigo: error.code, Mensaje: buildMessage(error) } },
    };
  },
};

/** Replaces the error of each rejected batch item with its code and its Spanish message. */
function translateErrors(data: object, itemErrors: Success['itemErrors']): object {
  if (!itemErrors) return data;
  const { results } = data as { readonly results: readonly object[] };
  const legacyResults = results.map((result, index) => {
    const error = itemErrors[index];
    return error ? { ...result, error: { code: error.code, message: buildMessage(error) } } : result;
  });
  return { ...data, results: legacyResults };
}

// The messages for codes and reasons. An error without a message here has its own Spanish text.
const MESSAGES: Readonly<Partial<Record<ErrorCode | ErrorReason, string>>> = {
  VALIDATION_ERROR: 'Los datos no son válidos.',
  INVALID_DATE_RANGE:
    `El rango de fechas no es válido: cada fecha debe ser ${texts.dateForms.es}, ` +
    `FechaHasta no anterior a FechaDesde y el rango de ${LIMITS.rangeDays} días como máximo.`,
  UNAUTHORIZED: texts.wrongCredentials.es,
  NOT_FOUND: 'La factura no existe.',
  SERVICE_UNAVAILABLE: `${texts.userNotVerified.es} Vuelva a intentarlo en unos segundos.`,
  'inactive-user': 'El usuario no está activo.',
  'no-supplier': 'Esta operación requiere una cuenta de prestador.',
  'missing-permission': 'El usuario no tiene el permiso que requiere esta operación.',
};

// On this route, an id can also be a number, so the text of the current interface would be wrong.
const ID_TYPE_TEXT = 'debe ser un texto de dígitos o un número entero de 0 a 9007199254740991';

/** Builds the message of an error: a sentence for its reason or code, then a sentence for each violated constraint. */
function buildMessage({ code, reason, text, details = [] }: ServiceError): string {
  const summary = MESSAGES[reason ?? code] ?? text.es;
  return [summary, ...details.flatMap(describeFault)].join(' ');
}

/** Builds a sentence for each violated constraint. The property is added to a text that does not begin with it. */
function describeFault({ property, constraints }: PropertyFault): string[] {
  return Object.entries(constraints).map(([constraint, { es }]) => {
    if (constraint === 'type' && property.endsWith(ID_FIELD)) return `${property} ${ID_TYPE_TEXT}.`;
    return es.startsWith(property) ? `${es}.` : `${property}: ${es}.`;
  });
}
