import { LIMITS } from '../domain/limits.ts';
import type { ContractDoc } from './contract.ts';
import { declareBatchContract } from './declare-batch.ts';
import { APPROVED_DECLARATION, createSettledError, OTHERS_INVOICE } from './examples.doc.ts';
import { batchData, declaredItem, failedItem } from './response-data.ts';
import { toBatchResult } from './to-response.ts';

const SETTLED_ERROR = createSettledError('declarations[2].invoice_id');

export const declareBatchDoc = {
  summary: {
    en: `Declare up to ${LIMITS.batchItems} amounts independently of each other`,
    es: `Declarar hasta ${LIMITS.batchItems} importes, cada uno por separado`,
  },
  description: {
    en:
      'Items are processed independently: the status is 200 even if some or all items fail, and `results` contains one ' +
      'entry per item. If an item fails with INTERNAL_ERROR, its message states whether it was saved. It is safe to send ' +
      'it again. The whole request is rejected with 400 only if `declarations` is not an array of 1 to ' +
      `${LIMITS.batchItems} objects, each with a string \`invoice_id\`.`,
    es: `Los elementos se procesan por separado: el estado es 200 aunque fallen algunos o todos, y \`results\` contiene una entrada por elemento. Si un elemento falla con INTERNAL_ERROR, su mensaje indica si se guardó. Se puede enviar de nuevo sin riesgo. La solicitud completa se rechaza con 400 solo si \`declarations\` no es una lista de 1 a ${LIMITS.batchItems} objetos, cada uno con un \`invoice_id\` de texto.`,
  },
  response: batchData,
  schemas: {
    DeclareBatchRequest: [declareBatchContract.request],
    DeclaredItem: [declaredItem, 'A declaration of a batch that was accepted.'],
    FailedItem: [failedItem, 'A declaration of a batch that failed.'],
    ItemError: [failedItem.properties.error],
    BatchResult: [batchData, 'The results of the declarations of a batch, in the submitted order.'],
  },
  spanish: {
    'Invoice of the item': 'Factura del elemento',
    'Machine-readable code': 'Código legible por programas',
    'Every invalid property of the item; present if the code is VALIDATION_ERROR':
      'Cada propiedad no válida del elemento; presente si el código es VALIDATION_ERROR',
    'One entry for each submitted item, in the submitted order':
      'Una entrada por cada elemento enviado, en el orden en que se enviaron',
    'Items declared': 'Elementos declarados',
    'Items that failed': 'Elementos que fallaron',
  },
  examples: [
    {
      en: 'One declared, one of another supplier, one settled',
      es: 'Una declarada, una de otro prestador, una liquidada',
      input: {
        declarations: [
          { invoice_id: '9001', amount: 1050, invoice_number: 'A-0001-00001234' },
          { invoice_id: '9101', amount: 100 },
          { invoice_id: '9008', amount: 100 },
        ],
      },
      data: (language) => ({
        results: [
          { invoice_id: '9001', success: true, ...APPROVED_DECLARATION },
          toBatchResult('9101', { kind: 'rejected', error: OTHERS_INVOICE.error }, language),
          toBatchResult('9008', { kind: 'rejected', error: SETTLED_ERROR }, language),
        ],
        accepted: 1,
        rejected: 2,
      }),
      itemErrors: [null, OTHERS_INVOICE.error, SETTLED_ERROR],
    },
  ],
  rejections: [
    {
      en: 'An item without an invoice_id: nothing is declared',
      es: 'Un elemento sin invoice_id: no se declara nada',
      input: { declarations: [{ amount: 1 }] },
    },
  ],
} as const satisfies ContractDoc;
