import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorReason,
  type PropertyFault,
  type ServiceError,
} from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import * as texts from '../domain/texts.ts';
import type { Success } from '../endpoints/endpoint.ts';
import type { AnswerFormat } from '../http/responses.ts';
import { ANSWER_NAMES, ID_FIELD, toLegacyNames } from './protocol.ts';

/** The legacy form of successes and errors: `Resultado {Exito, Codigo, Mensaje}` first, then the data. */
export const RESULTADO: AnswerFormat = {
  success({ data, meta, itemErrors }) {
    const answer = toLegacyNames({ ...withSpanishErrors(data, itemErrors), ...meta }, ANSWER_NAMES) as object;
    const Resultado = { Exito: true, Codigo: 'OK', Mensaje: 'Operación realizada.' };
    return { status: 200, body: { Resultado, ...answer } };
  },
  error(error) {
    const { status, isRetryable } = ERROR_CODES[error.code];
    return {
      // Legacy clients read the body. Their gateways need the status of an error that is worth a retry.
      status: error.reason === 'unknown-operation' || isRetryable ? status : 200,
      body: { Resultado: { Exito: false, Codigo: error.code, Mensaje: chooseMessage(error) } },
    };
  },
};

function withSpanishErrors(data: object, itemErrors: Success['itemErrors']): object {
  if (!itemErrors) return data;
  const { results } = data as { readonly results: readonly object[] };
  return {
    ...data,
    results: results.map((result, index) => {
      const error = itemErrors[index];
      return error ? { ...result, error: { code: error.code, message: chooseMessage(error) } } : result;
    }),
  };
}

// The messages of codes and reasons whose text on this route differs from that of the error.
const MESSAGES: Readonly<Partial<Record<ErrorCode | ErrorReason, string>>> = {
  VALIDATION_ERROR: 'Los datos no son válidos.',
  INVALID_DATE_RANGE:
    'El rango de fechas no es válido: se esperan fechas ISO 8601, ' +
    `FechaHasta no anterior a FechaDesde y ${LIMITS.rangeDays} días como máximo.`,
  UNAUTHORIZED: texts.wrongCredentials.es,
  NOT_FOUND: 'La factura no existe.',
  SERVICE_UNAVAILABLE: `${texts.userNotVerified.es} Vuelva a intentarlo en unos segundos.`,
  'inactive-user': 'El usuario no está activo.',
  'no-supplier': 'Esta operación requiere una cuenta de prestador.',
  'missing-permission': 'El usuario no tiene el permiso que requiere esta operación.',
};

const ID_TYPE = 'debe ser un texto de dígitos o un número entero de 0 a 9007199254740991';

function chooseMessage({ code, reason, text, details = [] }: ServiceError): string {
  return [MESSAGES[reason ?? code] ?? text.es, ...details.flatMap(describeFault)].join(' ');
}

function describeFault({ property, constraints }: PropertyFault): string[] {
  return Object.entries(constraints).map(([constraint, { es }]) => {
    if (constraint === 'type' && property.endsWith(ID_FIELD)) return `${property} ${ID_TYPE}.`;
    return es.startsWith(property) ? `${es}.` : `${property}: ${es}.`;
  });
}
