import type { Invoke } from '../service/handlers.ts';
import type { TestRequest } from '../service/proxy-event.ts';
import type { LegacyResponse } from '../answers/answer.ts';
import { type Account, newId } from '../data/seed.ts';

/** The fields of WSAutorizacion. undefined omits a field. */
export type Authorization = Partial<Record<'Guid' | 'Usuario' | 'Password', unknown>>;

/** Calls an operation of the legacy route with the account's credentials. */
export type LegacyCall = (operation: string, fields?: object, request?: LegacyRequest) => Promise<LegacyResponse>;

/** Parts of a legacy request that differ from the request of a correct client. */
export interface LegacyRequest extends Omit<TestRequest, 'path'> {
  readonly authorization?: Authorization;
}

/** Builds the valid credentials of an account, with its e-mail as user name. */
export function buildAuthorization({ apiKey, email, password }: Account): Required<Authorization> {
  return { Guid: apiKey, Usuario: email, Password: password };
}

/** Creates a function for the legacy calls of an account. Its own source address isolates it from other tests. */
export function createLegacyCaller(invoke: Invoke, account: Account, sourceIp = newId()): LegacyCall {
  return (operation, fields = {}, { authorization, ...request } = {}) =>
    invoke('legacy-dispatch', {
      path: `/apidev/legacy/${operation}`,
      sourceIp,
      body: { WSAutorizacion: { ...buildAuthorization(account), ...authorization }, ...fields },
      ...request,
    });
}

/** Returns the status, code and message of an error response. */
export function readError({ status, body: { Resultado } }: LegacyResponse): [number, string, string] {
  return [status, Resultado.Codigo, Resultado.Mensaje];
}
