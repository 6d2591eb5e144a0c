import type { FromSchema } from 'json-schema-to-ts';
import { ServiceError } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import { userInactive, wrongLogin } from '../domain/texts.ts';
import type { ContractDoc, SuccessExample } from './contract.ts';
import { loginContract, type LoginInput } from './login.ts';
import { closedObject, nonEmptyString } from './schemas.ts';

const accessToken = closedObject({ authorization: nonEmptyString('Access token (JWT)') });

export const loginDoc = {
  summary: { en: 'Log in and receive an access token', es: 'Iniciar sesión y recibir un token de acceso' },
  description: {
    en:
      `The token is valid for ${LIMITS.tokenSeconds / 3600} hour. There is no refresh token: log in again. After ` +
      `${LIMITS.loginFailures} failed attempts in ${LIMITS.loginWindowSeconds} seconds, the source address is locked ` +
      `out for ${LIMITS.loginLockoutSeconds} seconds. In each window of ${LIMITS.accountWindowHours} hours (UTC), an ` +
      `account allows ${LIMITS.accountFailuresPerSource} failed attempts from each address and ` +
      `${LIMITS.accountFailures} from all addresses. Then the account is locked for that address, or for all addresses, ` +
      'until the window ends. The addresses from which the account has logged in during the last ' +
      `${LIMITS.trustedDays} days are trusted: each of them has ${LIMITS.accountFailuresPerTrustedSource} failed ` +
      'attempts of its own. While an address is locked out, every attempt is rejected, even if it is malformed. These ' +
      '429 responses have no X-RateLimit headers. A login needs no API key, and ignores it.',
    es: `El token es válido por ${LIMITS.tokenSeconds / 3600} hora. No hay token de renovación: inicie sesión de nuevo. Después de ${LIMITS.loginFailures} intentos fallidos en ${LIMITS.loginWindowSeconds} segundos, la dirección de origen queda bloqueada por ${LIMITS.loginLockoutSeconds} segundos. En cada ventana de ${LIMITS.accountWindowHours} horas (UTC), una cuenta admite ${LIMITS.accountFailuresPerSource} intentos fallidos desde cada dirección y ${LIMITS.accountFailures} desde todas las direcciones. Después, la cuenta queda bloqueada para esa dirección, o para todas las direcciones, hasta que termina la ventana. Las direcciones desde las que la cuenta inició sesión en los últimos ${LIMITS.trustedDays} días son de confianza: cada una admite ${LIMITS.accountFailuresPerTrustedSource} intentos fallidos propios. Mientras una dirección está bloqueada, se rechaza cada intento, aunque esté mal formado. Esas respuestas 429 no tienen encabezados X-RateLimit. El inicio de sesión no necesita la clave de API y la ignora.`,
  },
  response: accessToken,
  schemas: { LoginRequest: [loginContract.request], AccessToken: [accessToken] },
  spanish: {
    "User's e-mail": 'Correo electrónico del usuario',
    "User's password": 'Contraseña del usuario',
    'Push-notification player id to register for the user':
      'Identificador (player id) que se registra para las notificaciones push del usuario',
    'Access token (JWT)': 'Token de acceso (JWT)',
  },
  examples: [
    {
      en: 'A new access token',
      es: 'Un nuevo token de acceso',
      input: ({ email, password }) => ({ email, password }),
      data: { authorization: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl' },
    },
  ] satisfies SuccessExample<LoginInput, FromSchema<typeof accessToken>>[],
  rejections: [
    { en: 'The password is missing', es: 'Falta la contraseña', input: { email: 'ana@demo.example' } },
    {
      en: 'Wrong e-mail or password',
      es: 'Correo electrónico o contraseña incorrectos',
      input: { email: 'ana@demo.example', password: 'wrong' },
      error: new ServiceError('UNAUTHORIZED', wrongLogin),
    },
    {
      en: 'The user is not active',
      es: 'El usuario no está activo',
      input: { email: 'fabio@demo.example', password: 'Demo-2026!' },
      error: new ServiceError('UNAUTHORIZED', userInactive),
    },
  ],
} as const satisfies ContractDoc;
