import type { FromSchema } from 'json-schema-to-ts';
import type { ContractDoc, SuccessExample } from './contract.ts';
import { EXAMPLE_INVOICE, EXAMPLE_TOLERANCE, OTHERS_INVOICE } from './examples.doc.ts';
import type { GetInvoiceInput } from './get-invoice.ts';
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
  examples: [
    {
      en: 'An invoice with two line items',
      es: 'Una factura con dos conceptos',
      input: { id: '9001' },
      data: {
        ...EXAMPLE_INVOICE,
        concepts: [
          { concept_id: '10', description: 'Traslado', unit_amount: 500, quantity: 1, tax_pct: 21, total: 500 },
          { concept_id: '11', description: 'Mecánica ligera', unit_amount: 500, quantity: 1, tax_pct: 0, total: 500 },
        ],
        tolerance: EXAMPLE_TOLERANCE,
      },
    },
  ] satisfies SuccessExample<GetInvoiceInput, FromSchema<typeof invoiceDetailData>>[],
  rejections: [
    { en: 'An id that is not a number', es: 'Un id que no es un número', input: { id: 'A-9001' } },
    { ...OTHERS_INVOICE, input: { id: '9101' } },
  ],
} as const satisfies ContractDoc;
