import type { AccessKind } from '../../lib/domain/directory.ts';
import { PERMISSIONS } from '../../lib/domain/directory.ts';
import { type ErrorCode, type ErrorReason, ServiceError } from '../../lib/domain/errors.ts';
import type { Text } from '../../lib/domain/language.ts';
import * as texts from '../../lib/domain/texts.ts';

/** An error that depends on the caller or on the state of the service, and not on the input. */
export interface CallerError {
  readonly error: ServiceError;
  /** The heading of the example. A text that the interface prescribes needs one, because it has no translation. */
  readonly heading: Text;
}

const MISSING_TENANT = createCallerError('UNAUTHORIZED', texts.tenantRequired, {
  heading: { en: 'The tenant header is missing', es: 'Falta el encabezado tenant' },
});

const COMMON_ERRORS = [
  createCallerError('COMPANY_SUSPENDED', texts.companySuspended),
  createCallerError('INTERNAL_ERROR', texts.unexpected),
  createCallerError('SERVICE_UNAVAILABLE', texts.userNotVerified),
];

const SUPPLIER_ERRORS = [
  createCallerError('UNAUTHORIZED', texts.userInactive, {
    reason: 'inactive-user',
    heading: { en: 'The user is not active', es: 'El usuario no está activo' },
  }),
  createCallerError('FORBIDDEN', texts.supplierRequired, {
    reason: 'no-supplier',
    heading: { en: 'The user belongs to no supplier', es: 'El usuario no pertenece a ningún prestador' },
  }),
  createCallerError('RATE_LIMITED', texts.tooManyRequests),
  ...COMMON_ERRORS,
];

const TOKEN_ERRORS = [
  MISSING_TENANT,
  createCallerError('UNAUTHORIZED', texts.tokenInvalid),
  createCallerError('UNAUTHORIZED', texts.keyInvalid),
  createCallerError('UNAUTHORIZED', texts.sessionEnded),
  createCallerError('TOKEN_EXPIRED', texts.tokenExpired, {
    heading: { en: 'The access token is older than an hour', es: 'El token de acceso tiene más de una hora' },
  }),
  ...SUPPLIER_ERRORS,
];

/** Returns the errors of an operation of the current interface. `access` is null for the login. */
export function listCallerErrors(access: AccessKind | null): readonly CallerError[] {
  if (!access) return [MISSING_TENANT, createCallerError('RATE_LIMITED', texts.tooManyLogins), ...COMMON_ERRORS];
  return [...TOKEN_ERRORS, createPermissionError(access)];
}

/** Returns the errors of an operation of the legacy route. */
export function listLegacyCallerErrors(access: AccessKind): readonly CallerError[] {
  const wrongCredentials = createCallerError('UNAUTHORIZED', texts.wrongCredentials);
  return [wrongCredentials, ...SUPPLIER_ERRORS, createPermissionError(access)];
}

function createPermissionError(access: AccessKind): CallerError {
  return createCallerError('FORBIDDEN', texts.permissionRequired(PERMISSIONS[access]), {
    reason: 'missing-permission',
  });
}

/** Creates an error with its heading, which is by default the text of the error. */
function createCallerError(
  code: ErrorCode,
  text: Text,
  { reason, heading = text }: { readonly reason?: ErrorReason; readonly heading?: Text } = {},
): CallerError {
  return { error: new ServiceError(code, text, { reason }), heading };
}
