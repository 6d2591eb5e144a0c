import { type ContractDoc, HEADINGS } from './contract.ts';
import { invoiceDetailData } from './fields.ts';

export const getInvoiceDoc = {
  summary: { en: 'Open one invoice with its concepts', es: 'Consultar una factura con sus conceptos' },
  description: {
    en: 'An invoice of another supplier is answered like one that does not exist.',
    es: 'Una factura de otro prestador se responde como una que no existe.',
  },
  schemas: {
    InvoiceDetail: [invoiceDetailData, 'An invoice with its line items, and the tolerance that applies to it.'],
  },
  spanish: { 'Line items': 'Conceptos' },
  sample: { id: '9001' },
  cases: [
    { code: 'OK', en: 'An invoice with two line items', es: 'Una factura con dos conceptos' },
    { code: 'VALIDATION_ERROR', ...HEADINGS.invalidId, input: { id: 'A-9001' } },
    { code: 'NOT_FOUND', ...HEADINGS.othersInvoice, input: { id: '9101' } },
    {
      code: 'OK',
      name: 'global-tolerance',
      en: 'An invoice under the tolerance of the tenant',
      es: 'Una factura con la tolerancia del tenant',
      user: 'diego@demo.example',
      input: { id: '9301' },
    },
    {
      code: 'OK',
      name: 'no-tolerance',
      en: 'An invoice without any tolerance',
      es: 'Una factura sin ninguna tolerancia',
      user: 'sofia@sur.example',
    },
  ],
} as const satisfies ContractDoc;
