import { type ContractDoc, HEADINGS } from './contract.ts';
import { invoiceDetailData } from './response-data.ts';

export const getInvoiceDoc = {
  summary: { en: 'View an invoice with its concepts', es: 'Consultar una factura con sus conceptos' },
  description: {
    en: 'The response for an invoice of another supplier is the same as for an invoice that does not exist.',
    es: 'La respuesta para una factura de otro prestador es la misma que para una factura que no existe.',
  },
  response: invoiceDetailData,
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
      en: 'An invoice with the tolerance of the tenant',
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
