import { type ContractDoc, HEADINGS, type RecordedCase, type SampleCalls } from './contract.ts';
import { LIMITS } from '../domain/limits.ts';
import { legacyDispatchContract } from './legacy-dispatch.ts';

export const legacyDispatchDoc = {
  summary: { en: 'Call an operation of the legacy protocol', es: 'Llamar a una operación del protocolo anterior' },
  description: {
    en:
      'The names of the operations and of their fields are those of this service: those of the legacy protocol are not ' +
      'known to it, so a client must expect to change them. The tenant comes from the key (`Guid`). The body is read as ' +
      'JSON whatever its Content-Type is, the name of the operation in capital or small letters, and an `IdFactura` ' +
      'also as a whole number up to 9007199254740991. An error that a client can correct has status 200, `Exito: false` and a ' +
      "code of the current interface; 429, 500 and 503 keep their status, and the gateway's own " +
      'responses have the form of the current interface. An unknown operation is 404.',
    es: 'Los nombres de las operaciones y de sus campos son los de este servicio: los del protocolo anterior no se conocen, de modo que un cliente debe prever que tendrá que cambiarlos. El tenant surge de la clave (`Guid`). El cuerpo se lee como JSON sea cual sea su Content-Type, el nombre de la operación en mayúsculas o minúsculas, y un `IdFactura` también como número entero hasta 9007199254740991. Un error que el cliente puede corregir tiene estado 200, `Exito: false` y un código de la interfaz actual; 429, 500 y 503 conservan su estado, y lo que el gateway responde por sí mismo tiene la forma de la interfaz actual. Una operación desconocida es 404.',
  },
  schemas: { LegacyCredentials: [legacyDispatchContract.request.properties.WSAutorizacion] },
  spanish: {
    'API key issued to the company': 'Clave de API entregada a la empresa',
    "Integration user's e-mail or username": 'Correo electrónico o nombre del usuario de integración',
    "Integration user's password": 'Contraseña del usuario de integración',
    'Human-readable text, in Spanish': 'Texto legible para personas, en español',
  },
  // Each operation has sample requests of its own.
  sample: {},
  cases: [],
} as const satisfies ContractDoc;

const OTHERS = {
  code: 'NOT_FOUND',
  ...HEADINGS.othersInvoice,
  input: { IdFactura: '9101' },
} as const satisfies RecordedCase;
const SETTLED: RecordedCase = {
  code: 'VALIDATION_ERROR',
  name: 'settled',
  ...HEADINGS.settled,
  input: { IdFactura: '9008' },
};
const BELOW_0: RecordedCase = {
  code: 'VALIDATION_ERROR',
  en: 'An amount below 0',
  es: 'Un importe menor que 0',
  input: { Importe: -1 },
};

/** The sample requests to the operations of the legacy protocol, without `WSAutorizacion`, by WSName. */
export const LEGACY_CALLS = {
  WSListarFacturas: {
    sample: { FechaDesde: '2026-08-01', FechaHasta: '2026-08-31', Limite: 2 },
    cases: [
      { code: 'OK', ...HEADINGS.page },
      {
        code: 'VALIDATION_ERROR',
        en: `A limit above ${LIMITS.pageMax}`,
        es: `Un límite mayor que ${LIMITS.pageMax}`,
        input: { Limite: LIMITS.pageMax + 1 },
      },
      { code: 'INVALID_DATE_RANGE', ...HEADINGS.longRange, input: { FechaDesde: '2026-01-01' } },
    ],
  },
  WSObtenerFactura: {
    sample: { IdFactura: '9003' },
    cases: [
      { code: 'OK', en: 'An invoice', es: 'Una factura' },
      { code: 'VALIDATION_ERROR', ...HEADINGS.invalidId, input: { IdFactura: 'A-1' } },
      OTHERS,
    ],
  },
  WSValidarFactura: {
    sample: { IdFactura: '9003', Importe: 650 },
    cases: [{ code: 'OK', en: 'Within the tolerance', es: 'Dentro de la tolerancia' }, BELOW_0, SETTLED, OTHERS],
  },
  WSDeclararFactura: {
    sample: { IdFactura: '9003', Importe: 650 },
    cases: [
      { code: 'OK', ...HEADINGS.approved },
      BELOW_0,
      SETTLED,
      { code: 'VALIDATION_ERROR', name: 'unicode', ...HEADINGS.notUnicode, input: { Observaciones: 'Peaje \ud83d' } },
      OTHERS,
    ],
  },
  WSDeclararFacturas: {
    sample: {
      Declaraciones: [
        { IdFactura: '9003', Importe: 650 },
        { IdFactura: '9008', Importe: 1 },
      ],
    },
    cases: [
      { code: 'OK', ...HEADINGS.someDeclared },
      { code: 'VALIDATION_ERROR', en: 'No declarations', es: 'Ninguna declaración', input: { Declaraciones: [] } },
    ],
  },
} as const satisfies Readonly<Record<string, SampleCalls>>;
