import type { FromSchema } from 'json-schema-to-ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Contract } from './contract.ts';
import { exactly, filledText } from './schemas.ts';

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
        Password: filledText("Integration user's password"),
      },
    },
  },
} as const;

/** What every legacy body has at its root; the fields of the operation stand beside it. */
export type LegacyDispatchInput = FromSchema<typeof request>;

/** `Resultado` of a success, or of an error with this code. */
function resultadoSchema<const Codigo extends 'OK' | ErrorCode>(code: Codigo) {
  return exactly({
    Exito: { const: code === 'OK' },
    Codigo: { const: code },
    Mensaje: filledText('Human-readable text, in Spanish'),
  });
}

/** `Resultado` of every success. */
export const legacySuccess = resultadoSchema('OK');

/** The answer of a legacy operation to an error with this code. */
export const legacyError = (code: ErrorCode) => exactly({ Resultado: resultadoSchema(code) });

/** POST /apidev/legacy/{WSName} */
export const legacyDispatchContract = {
  name: 'legacy-dispatch',
  method: 'POST',
  path: '/apidev/legacy/{WSName}',
  tag: 'Legacy',
  summary: 'Call an operation of the legacy protocol',
  description:
    'The names of the operations and of their fields are those of this service: those of the legacy protocol are not ' +
    'known to it, so a client must expect to change them. The tenant comes from the key (`Guid`). The body is read as ' +
    'JSON whatever its Content-Type is, the name of the operation in capital or small letters, and an `IdFactura` ' +
    'also as a whole number up to 9007199254740991. An error that a client can mend has status 200, `Exito: false` and a ' +
    'code of the current interface; 429, 500 and 503 keep their status, and what the gateway answers by itself ' +
    'has the form of the current interface. An unknown operation is 404.',
  access: null,
  source: 'body',
  request,
  // The data of the operation stand beside it.
  response: { type: 'object', required: ['Resultado'], properties: { Resultado: legacySuccess } },
  paged: false,
  errors: [],
} as const satisfies Contract;
