import { HEADINGS, type RecordedCase } from '../../../lib/contracts/contract.ts';
import { ERROR_CODES, type ErrorCode } from '../../../lib/domain/errors.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { getLegacyStatus } from '../operation-objects.ts';
import { DEMO_ACCOUNT, type OperationKind } from '../sample-requests.ts';

/** The demo users of the recorded responses to rejected callers. */
export const REJECTED_USERS = {
  withoutPermission: 'lucia@demo.example',
  withoutSupplier: 'elena@demo.example',
  /** The user that is deactivated after its login. */
  inactive: 'fabio@demo.example',
  /** The user whose sessions are ended after its login. */
  endedSession: 'bruno@demo.example',
};

/** The API key of the demo data whose company is suspended. */
const SUSPENDED_KEY = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a102';

const MISSING_TENANT_CASE: RecordedCase = {
  code: 'UNAUTHORIZED',
  name: 'missing-tenant',
  en: 'The tenant header is missing',
  es: 'Falta el encabezado tenant',
  headers: { tenant: undefined },
};
const NO_SUPPLIER_CASE: RecordedCase = {
  code: 'FORBIDDEN',
  en: 'The user belongs to no supplier',
  es: 'El usuario no pertenece a ningún prestador',
};
const SUSPENDED_CASE: RecordedCase = { code: 'COMPANY_SUSPENDED', ...HEADINGS.suspended };

/** The cases of a request without valid credentials, or of a user who may not call any endpoint. */
const CREDENTIAL_CASES: readonly RecordedCase[] = [
  MISSING_TENANT_CASE,
  {
    code: 'UNAUTHORIZED',
    en: 'The access token is missing or invalid',
    es: 'El token de acceso falta o no es válido',
    headers: { Authorization: undefined },
  },
  {
    code: 'UNAUTHORIZED',
    name: 'invalid-key',
    en: 'The API key is missing or invalid',
    es: 'La clave de API falta o no es válida',
    headers: { 'X-API-Key': undefined },
  },
  { code: 'UNAUTHORIZED', name: 'inactive-user', ...HEADINGS.inactiveUser, user: REJECTED_USERS.inactive },
  {
    code: 'UNAUTHORIZED',
    name: 'ended-session',
    en: 'The session has ended',
    es: 'La sesión terminó',
    user: REJECTED_USERS.endedSession,
  },
  { ...NO_SUPPLIER_CASE, user: REJECTED_USERS.withoutSupplier },
];
const PERMISSION_CASE: RecordedCase = {
  code: 'FORBIDDEN',
  name: 'missing-permission',
  en: 'The user has no permission to declare',
  es: 'El usuario no tiene permiso para declarar',
  user: REJECTED_USERS.withoutPermission,
};
const SUSPENDED_KEY_CASE: RecordedCase = { ...SUSPENDED_CASE, headers: { 'X-API-Key': SUSPENDED_KEY } };

/** The cases of all operations of a kind that depend only on the request. */
export const CASES_BY_KIND: Readonly<Record<OperationKind, readonly RecordedCase[]>> = {
  login: [MISSING_TENANT_CASE],
  read: [...CREDENTIAL_CASES, SUSPENDED_KEY_CASE],
  write: [...CREDENTIAL_CASES, PERMISSION_CASE, SUSPENDED_KEY_CASE],
  legacy: [
    {
      code: 'UNAUTHORIZED',
      en: 'A wrong password',
      es: 'Una contraseña incorrecta',
      input: buildLegacyCredentials({ Password: 'wrong' }),
    },
    { ...NO_SUPPLIER_CASE, input: buildLegacyCredentials({ Usuario: REJECTED_USERS.withoutSupplier }) },
    { ...SUSPENDED_CASE, input: buildLegacyCredentials({ Guid: SUSPENDED_KEY, Usuario: 'hugo@demo.example' }) },
  ],
};

/** Builds the credentials of the demo account for the legacy route, with some of them changed. */
function buildLegacyCredentials(changes: object) {
  const { apiKey, email, password } = DEMO_ACCOUNT;
  return { WSAutorizacion: { Guid: apiKey, Usuario: email, Password: password, ...changes } };
}

/** The cases that need a preparation, such as a token that has expired. */
export const PREPARED_CASES = {
  tooManyRequests: {
    code: 'RATE_LIMITED',
    en: `More requests in ${LIMITS.windowSeconds} seconds than the limit`,
    es: `Más solicitudes en ${LIMITS.windowSeconds} segundos que el límite`,
  },
  lockedOut: {
    code: 'RATE_LIMITED',
    en: `After ${LIMITS.loginFailures} failed attempts in ${LIMITS.loginWindowSeconds} seconds`,
    es: `Después de ${LIMITS.loginFailures} intentos fallidos en ${LIMITS.loginWindowSeconds} segundos`,
  },
  expired: {
    code: 'TOKEN_EXPIRED',
    en: 'The access token is older than an hour',
    es: 'El token de acceso tiene más de una hora',
  },
  failure: { code: 'INTERNAL_ERROR', en: 'An unexpected failure', es: 'Una falla inesperada' },
  unavailable: {
    code: 'SERVICE_UNAVAILABLE',
    en: 'The user could not be verified',
    es: 'No se pudo verificar al usuario',
  },
} as const satisfies Record<string, RecordedCase>;

/** An error in a response of the current interface (`error`) or of the legacy route (`Resultado`). */
export interface ResponseBody {
  readonly error?: { readonly code: string };
  readonly Resultado?: { readonly Codigo: string };
}

/** Describes how a response differs from the code of its case, or from the status of this code; null: it does not. */
export function findDifference(code: RecordedCase['code'], status: number, body: ResponseBody): string | null {
  const received = body.error?.code ?? body.Resultado?.Codigo ?? 'OK';
  if (received !== code) return `the code is ${received} (status ${status}), expected ${code}.`;
  const getStatus = body.Resultado ? getLegacyStatus : (error: ErrorCode) => ERROR_CODES[error].status;
  const expected = code === 'OK' ? 200 : getStatus(code);
  return status === expected ? null : `the status of ${code} is ${status}, expected ${expected}.`;
}
