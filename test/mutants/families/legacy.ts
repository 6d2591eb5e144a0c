import type { Family } from '../mutant.ts';

const PROTOCOL = 'lib/legacy/protocol.ts';
const RESULTADO = 'lib/legacy/resultado.ts';
const TEXTS = 'lib/domain/texts.ts';
const NAMES = 'lib/legacy/names.ts';
const CREDENTIALS = 'lib/legacy/authorize-by-body.ts';

/** Names, structures and messages of the legacy protocol. */
export const protocol: Family = {
  rules: ['service/rule-4/', 'legacy-dispatch/'],
  mutants: [
    [
      'the two dates change places',
      PROTOCOL,
      "FechaDesde: 'startdate',\n      FechaHasta: 'enddate'",
      "FechaDesde: 'enddate',\n      FechaHasta: 'startdate'",
    ],
    ['Observaciones are not taken', PROTOCOL, "  Observaciones: 'notes',\n", ''],
    ['the limit has another name', PROTOCOL, "limit: 'Limite'", "limit: 'Limit'"],
    [
      'Cuenta and Ciudad change places',
      PROTOCOL,
      "account_name: 'Cuenta',\n  city: 'Ciudad'",
      "account_name: 'Ciudad',\n  city: 'Cuenta'",
    ],
    ['a success has another code', RESULTADO, "Codigo: 'OK'", "Codigo: '0'"],
    [
      'an error has the status of its code',
      RESULTADO,
      ' ? STATUS_OF[error.code] : 200',
      ' ? STATUS_OF[error.code] : STATUS_OF[error.code]',
    ],
    ['an unknown operation is 200', RESULTADO, "error.reason === 'unknown-operation' || ", ''],
    ['a failed item is told in English', RESULTADO, 'message: itemMessageOf(error)', ''],
    ['faults have the current names', NAMES, 'if (name === first) return legacyName + rest;', ''],
    [
      'lists are not renamed',
      NAMES,
      'Array.isArray(value) ? value.map((item) => toCurrentNames(item, itemNames)) : value',
      'value',
    ],
  ],
};

/** Credentials in the body. */
export const credentials: Family = {
  rules: ['legacy-auth/', 'legacy-dispatch/WSAutorizacion'],
  mutants: [
    [
      'a Guid that is not valid opens',
      CREDENTIALS,
      'tenant !== null && isUsableKey(apiKey, tenant.tenant, state.receivedAt)',
      'tenant !== null && apiKey !== null',
    ],
    [
      'a tenant header does not matter',
      CREDENTIALS,
      'tenantHeader === undefined || tenantHeader === key?.tenant',
      'true',
    ],
    [
      'a malformed WSAutorizacion is VALIDATION_ERROR',
      CREDENTIALS,
      "new ServiceError('UNAUTHORIZED', texts.authorizationMalformed",
      "new ServiceError('VALIDATION_ERROR', texts.authorizationMalformed",
    ],
    [
      'wrong credentials are told nothing',
      TEXTS,
      'Las credenciales no son válidas: revise Guid, Usuario y Password.',
      'Error.',
    ],
    ['a missing WSAutorizacion is told nothing', TEXTS, 'WSAutorizacion falta o está mal formada.', 'Error.'],
    ['a Guid is any text', 'lib/contracts/legacy-dispatch.ts', "          format: 'uuid',\n", ''],
    ['a Usuario may be empty', 'lib/contracts/legacy-dispatch.ts', 'minLength: 1, maxLength: 254', 'maxLength: 254'],
  ],
};
