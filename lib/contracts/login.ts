import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { nonEmptyString } from './schemas.ts';
import { LIMITS } from '../domain/limits.ts';

const request = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    // RFC 5321 allows no address that is longer than 254 characters.
    email: { type: 'string', minLength: 1, maxLength: 254, description: "User's e-mail" },
    password: nonEmptyString("User's password"),
    playerid: {
      type: ['string', 'null'],
      maxLength: LIMITS.playerIdLength,
      description: 'Push-notification player id to register for the user',
    },
  },
} as const;

export type LoginInput = FromSchema<typeof request>;

export const loginContract = {
  name: 'login',
  method: 'POST',
  path: '/apidev/v1/login',
  tag: 'Session',
  access: null,
  source: 'body',
  request,
  // The limit is low, because the body is parsed before its sender is authenticated.
  maxBodyBytes: LIMITS.loginBodyBytes,
} as const satisfies Contract;
