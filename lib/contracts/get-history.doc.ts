import type { FromSchema } from 'json-schema-to-ts';
import { LIMITS } from '../domain/limits.ts';
import type { ContractDoc, SuccessExample } from './contract.ts';
import { OTHERS_INVOICE } from './examples.doc.ts';
import { getHistoryContract, type GetHistoryInput } from './get-history.ts';
import { historyData, historyEntry } from './response-data.ts';

export const getHistoryDoc = {
  summary: {
    en: 'List the changes of an invoice, newest first',
    es: 'Listar los cambios de una factura, primero los más nuevos',
  },
  description: {
    en:
      'Contains every declaration and every change by the company, with its message to the supplier, the approved ' +
      'amount and the payment. The amount to pay is `approved_amount` or, if it is null, `declared_amount`. The values ' +
      'of an entry are those after the change. A new declaration clears the message and the approved amount.',
    es: 'Contiene cada declaración y cada cambio de la empresa, con su mensaje al prestador, el importe aprobado y el pago. El importe a pagar es `approved_amount` o, si es null, `declared_amount`. Los valores de una entrada son los posteriores al cambio. Una nueva declaración borra el mensaje y el importe aprobado.',
  },
  response: historyData,
  isPaged: true,
  schemas: {
    HistoryQuery: [getHistoryContract.request, 'The invoice of a history, and the page.'],
    HistoryEntry: [historyEntry, 'A change of an invoice, with the values after the change.'],
  },
  spanish: {
    'When the invoice was changed, ISO 8601 UTC': 'Cuándo cambió la factura, ISO 8601 UTC',
    'Kind of the change': 'Tipo de cambio',
    'Action that a declaration of the supplier caused; null for every other change':
      'Acción que causó una declaración del prestador; null en todo otro cambio',
    'Message of the company to the supplier': 'Mensaje de la empresa al prestador',
    'Amount that the company pays instead of the declared amount':
      'Importe que la empresa paga en lugar del importe declarado',
    'Date of the payment, ISO 8601': 'Fecha del pago, ISO 8601',
    'Reference of the payment': 'Referencia del pago',
    'True for a declaration by a user of the supplier': 'Verdadero en una declaración de un usuario del prestador',
  },
  examples: [
    {
      en: 'A rejected invoice',
      es: 'Una factura rechazada',
      input: { id: '9006' },
      data: [
        {
          changed_at: '2026-11-28T10:30:00.000Z',
          kind: 'DECLARED',
          state_code: 'REC',
          state_name: 'Rechazada',
          system_amount: 420,
          declared_amount: 990,
          difference: 570,
          action: null,
          message: 'Falta el comprobante. El importe acordado es 420,00.',
          approved_amount: null,
          paid_on: null,
          payment_reference: null,
          declared_by_me: false,
        },
      ],
      meta: { total: 1, limit: LIMITS.pageDefault, offset: 0 },
    },
  ] satisfies SuccessExample<GetHistoryInput, FromSchema<typeof historyData>>[],
  rejections: [
    {
      en: `A limit above ${LIMITS.pageMax}`,
      es: `Un límite mayor que ${LIMITS.pageMax}`,
      input: { id: '9006', limit: LIMITS.pageMax + 1 },
    },
    { ...OTHERS_INVOICE, input: { id: '9101' } },
  ],
} as const satisfies ContractDoc;
