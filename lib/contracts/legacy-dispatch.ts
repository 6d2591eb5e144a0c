import type { ErrorCode } from '../domain/errors.ts';
import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { closedObject, nonEmptyString } from './schemas.ts';

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

function buildResultadoSchema<const Codigo extends 'OK' | ErrorCode>(code: Codigo) {
  return closedObject({
    Exito: { const: code === 'OK' },
    Codigo: { const: code },
    Mensaje: nonEmptyString('Human-readable text, in Spanish'),
  });
}

/** The schema of `Resultado` in the response of a successful operation. */
export const legacySuccess = buildResultadoSchema('OK');

export const buildLegacyErrorSchema = (code: ErrorCode) => closedObject({ Resultado: buildResultadoSchema(code) });

export const legacyDispatchContract = {
  name: 'legacy-dispatch',
  method: 'POST',
  path: '/apidev/legacy/{WSName}',
  tag: 'Legacy',
  access: null,
  source: 'body',
  request,
  // The data of the operation are additional properties.
  response: { type: 'object', required: ['Resultado'], properties: { Resultado: legacySuccess } },
} as const satisfies Contract;
