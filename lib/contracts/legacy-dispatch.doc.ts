import type { ContractDoc } from './contract.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { legacyDispatchContract } from './legacy-dispatch.ts';
import { closedObject, nonEmptyString } from './schemas.ts';

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

export const legacyDispatchDoc = {
  summary: { en: 'Call an operation of the legacy protocol', es: 'Llamar a una operación del protocolo anterior' },
  description: {
    en:
      'This service defines the names of operations and fields. They can differ from the names in the original ' +
      'protocol, so expect to change the names in your client. The tenant is that of the API key (`Guid`). The body is ' +
      'parsed as JSON, whatever its Content-Type is. The name of the operation is not case-sensitive. An `IdFactura` ' +
      'can also be a whole number up to 9007199254740991. An error that the client can correct has status 200, ' +
      '`Exito: false` and a code of the current interface. 429, 500 and 503 keep their status. Responses of the gateway ' +
      'itself have the format of the current interface. An unknown operation returns 404.',
    es: 'Este servicio define los nombres de las operaciones y de los campos. Pueden diferir de los nombres del protocolo original; prevea cambiar los nombres en su cliente. El tenant es el de la clave de API (`Guid`). El cuerpo se interpreta como JSON, sea cual sea su Content-Type. El nombre de la operación no distingue mayúsculas de minúsculas. Un `IdFactura` también puede ser un número entero hasta 9007199254740991. Un error que el cliente puede corregir tiene estado 200, `Exito: false` y un código de la interfaz actual. 429, 500 y 503 conservan su estado. Las respuestas del gateway mismo tienen el formato de la interfaz actual. Una operación desconocida devuelve 404.',
  },
  // The data of the operation are additional properties.
  response: { type: 'object', required: ['Resultado'], properties: { Resultado: legacySuccess } },
  schemas: { LegacyCredentials: [legacyDispatchContract.request.properties.WSAutorizacion] },
  spanish: {
    'API key issued to the company': 'Clave de API entregada a la empresa',
    "Integration user's e-mail or username": 'Correo electrónico o nombre del usuario de integración',
    "Integration user's password": 'Contraseña del usuario de integración',
    'Human-readable text, in Spanish': 'Texto legible para personas, en español',
  },
  // The examples of each operation are those of the current interface.
  examples: [],
  rejections: [],
} as const satisfies ContractDoc;
