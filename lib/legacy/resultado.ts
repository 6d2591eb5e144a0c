import { ERROR_CODES } from '../domain/error-codes.ts';
import type { Success } from '../endpoints/endpoint.ts';
import { type AnswerMiddleware, answersIn } from '../http/envelope.ts';
import { messageOf } from './messages.ts';
import { toLegacyNames } from './names.ts';
import { ANSWER_NAMES } from './protocol.ts';

/** Writes successes and errors in the legacy form: `Resultado {Exito, Codigo, Mensaje}` first, then the data. */
export function resultado(): AnswerMiddleware {
  return answersIn({
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
        body: { Resultado: { Exito: false, Codigo: error.code, Mensaje: messageOf(error) } },
      };
    },
  });
}

function withSpanishErrors(data: object, itemErrors: Success['itemErrors']): object {
  if (!itemErrors) return data;
  const { results } = data as { readonly results: readonly object[] };
  return {
    ...data,
    results: results.map((result, index) => {
      const error = itemErrors[index];
      return error ? { ...result, error: { code: error.code, message: messageOf(error) } } : result;
    }),
  };
}
