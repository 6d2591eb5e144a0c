import type { Invoke } from '../service/handlers.ts';
import type { TestRequest } from '../service/proxy-event.ts';
import type { LegacyResponse } from './legacy-answer.ts';
import { type Account, newId } from '../data/seed.ts';

/** What an account sends as WSAutorizacion; a field may be another one, or left out as undefined. */
export type Authorization = Partial<Record<'Guid' | 'Usuario' | 'Password', unknown>>;

/** Calls an operation of the legacy route with the account's credentials. */
export type LegacyCall = (operation: string, fields?: object, request?: LegacyRequest) => Promise<LegacyResponse>;

/** What differs from the request of a well-behaved client. */
export interface LegacyRequest extends Omit<TestRequest, 'path'> {
  readonly authorization?: Authorization;
}

/** The right credentials of an account, by its e-mail. */
export function buildAuthorization({ apiKey, email, password }: Account): Required<Authorization> {
  return { Guid: apiKey, Usuario: email, Password: password };
}

/** The legacy calls of an account, from an address of its own unless one is named, so that no test blocks another's. */
export function createLegacyCaller(invoke: Invoke, account: Account, sourceIp = newId()): LegacyCall {
  return (operation, fields = {}, { authorization, ...request } = {}) =>
    invoke('legacy-dispatch', {
      path: `/apidev/legacy/${operation}`,
      sourceIp,
      body: { WSAutorizacion: { ...buildAuthorization(account), ...authorization }, ...fields },
      ...request,
    });
}

/** What an error says: status, code and message. */
export function readError({ status, body: { Resultado } }: LegacyResponse): [number, string, string] {
  return [status, Resultado.Codigo, Resultado.Mensaje];
}
