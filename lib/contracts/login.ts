import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { exactly, filledText } from './schemas.ts';

const request = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    // The longest address that can exist (RFC 5321).
    email: { type: 'string', minLength: 1, maxLength: 254, description: "User's e-mail" },
    password: filledText("User's password"),
    playerid: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'Push-notification player id to register for the user',
    },
  },
} as const;

/** The body of a login. */
export type LoginInput = FromSchema<typeof request>;

/** POST /apidev/v1/login */
export const loginContract = {
  name: 'login',
  method: 'POST',
  path: '/apidev/v1/login',
  tag: 'Session',
  summary: 'Log in and receive an access token',
  description:
    'The token is valid for 1 hour. There is no refresh token: log in again. 5 failed attempts within 30 seconds ' +
    'lock the source address out for 60 seconds. In each window of 4 hours (UTC) an account allows 10 failures ' +
    'from each address and 100 from all addresses; then it is locked for that address, or for all addresses, until ' +
    'the window ends. Addresses from which it has logged in within 30 days are trusted, and it is never locked ' +
    'for them. While an address is locked out, every attempt is rejected, a malformed one too. These 429 have no ' +
    'X-RateLimit headers. An API key is not needed and is ignored.',
  access: null,
  source: 'body',
  request,
  // It is parsed before anything is known of its sender.
  maxBodyBytes: 16_384,
  response: exactly({ authorization: filledText('Access token (JWT)') }),
  paged: false,
  errors: [],
} as const satisfies Contract;
