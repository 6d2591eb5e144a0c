import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';

const request = {
  type: 'object',
  required: ['WSAutorizacion'],
  properties: {
    WSAutorizacion: {
      type: 'object',
      required: ['Guid', 'Usuario', 'Password'],
      properties: {
        Guid: {
          type: 'string',
          format: 'uuid',
          description: 'API key issued to the company',
        },
        Usuario: { type: 'string', minLength: 1, maxLength: 254, description: "Integration user's e-mail or username" },
        Password: { type: 'string', minLength: 1, description: "Integration user's password" },
      },
    },
  },
} as const;

/** What every legacy body has at its root; the fields of the operation stand beside it. */
export type LegacyInput = FromSchema<typeof request>;

/** The answer of every legacy operation; its data stand beside `Resultado`. */
export const legacyAnswer = {
  type: 'object',
  required: ['Resultado'],
  properties: {
    Resultado: {
      type: 'object',
      additionalProperties: false,
      required: ['Exito', 'Codigo', 'Mensaje'],
      properties: { Exito: { type: 'boolean' }, Codigo: { type: 'string' }, Mensaje: { type: 'string' } },
    },
  },
} as const;

/** POST /apidev/legacy/{WSName} */
export const legacyDispatchContract = {
  name: 'legacy-dispatch',
  method: 'POST',
  path: '/apidev/legacy/{WSName}',
  summary: 'Call an operation of the legacy protocol',
  access: null,
  source: 'body',
  request,
  response: legacyAnswer,
  paged: false,
  errors: [],
} as const satisfies Contract;
