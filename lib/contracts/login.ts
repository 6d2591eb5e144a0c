import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';

const request = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    // The longest address that can exist (RFC 5321).
    email: { type: 'string', minLength: 1, maxLength: 254, description: "User's e-mail" },
    password: { type: 'string', minLength: 1, description: "User's password" },
    playerid: { type: 'string', maxLength: 200, description: 'Push-notification player id to register for the user' },
  },
} as const;

/** The body of a login. */
export type LoginInput = FromSchema<typeof request>;

/** POST /apidev/v1/login */
export const loginContract = {
  name: 'login',
  method: 'POST',
  path: '/apidev/v1/login',
  summary: 'Log in and receive an access token',
  access: null,
  source: 'body',
  request,
  response: {
    type: 'object',
    additionalProperties: false,
    required: ['authorization'],
    properties: { authorization: { type: 'string' } },
  },
  paged: false,
  errors: [],
} as const satisfies Contract;
