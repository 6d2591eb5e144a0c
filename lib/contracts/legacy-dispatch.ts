import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { nonEmptyString } from './schemas.ts';

const request = {
  type: 'object',
  required: ['WSAutorizacion'],
  properties: {
    WSAutorizacion: {
      type: 'object',
      required: ['Guid', 'Usuario', 'Password'],
      properties: {
        Guid: { type: 'string', format: 'uuid', description: 'API key issued to the company' },
        Usuario: { type: 'string', minLength: 1, maxLength: 254, description: "Integration user's e-mail or username" },
        Password: nonEmptyString("Integration user's password"),
      },
    },
  },
} as const;

export type LegacyDispatchInput = FromSchema<typeof request>;

export const legacyDispatchContract = {
  name: 'legacy-dispatch',
  method: 'POST',
  path: '/apidev/legacy/{WSName}',
  tag: 'Legacy',
  access: null,
  source: 'body',
  request,
} as const satisfies Contract;
