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
    'block the source address for 60 seconds. An account may fail 20 times in 24 hours, then once after each pause ' +
    'of 1, 2, 4, 8 and 15 minutes; addresses from which it has logged in within 30 days are not held up, and ' +
    'attempts with the API key of the company are counted apart. While a source is blocked, every attempt is ' +
    'refused, a malformed one too. Such a 429 has no X-RateLimit headers.',
  access: null,
  source: 'body',
  request,
  // It is parsed before anything is known of its sender.
  maxBodyBytes: 16_384,
  response: exactly({ authorization: filledText('Access token (JWT)') }),
  paged: false,
  errors: [],
} as const satisfies Contract;
