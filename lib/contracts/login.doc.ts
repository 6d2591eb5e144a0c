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
      `The token is valid for ${LIMITS.tokenSeconds / 3600} hour. There is no refresh token: log in again. A login needs ` +
      'no API key, and ignores it. After too many failed attempts, an address or an account is locked out, as the section ' +
      '_Limits_ explains. Then every attempt is rejected with 429 and without X-RateLimit headers, even if it is malformed.',
    es: `El token es válido por ${LIMITS.tokenSeconds / 3600} hora. No hay token de renovación: inicie sesión de nuevo. El inicio de sesión no necesita la clave de API y la ignora. Después de demasiados intentos fallidos, una dirección o una cuenta queda bloqueada, como explica la sección _Límites_. Entonces se rechaza cada intento con 429 y sin encabezados X-RateLimit, aunque esté mal formado.`,
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
