import type { FromSchema } from 'json-schema-to-ts';
import type { ContractDoc, SuccessExample } from './contract.ts';
import { type DeclareInvoiceInput, declarationRequest } from './declare-invoice.ts';
import { AMOUNT_REJECTIONS, APPROVED_DECLARATION, REVIEW_OUTCOME } from './examples.doc.ts';
import { declarationData } from './response-data.ts';

export const declareInvoiceDoc = {
  summary: {
    en: 'Declare the amount of an invoice, or change its declaration',
    es: 'Declarar el importe de una factura, o cambiar su declaración',
  },
  description: {
    en:
      'Creates or updates the declaration of the invoice. A field that is sent replaces its previous value; an empty ' +
      'text clears it. An optional field that is not sent, or is null, keeps its value. A settled invoice (LIQ) cannot be ' +
      'declared. Once the company has rejected or adjusted the invoice (REC, AJU), no declaration is approved ' +
      'automatically until the company changes the state. A repeated declaration changes nothing.',
    es: 'Crea o actualiza la declaración de la factura. Un campo que se envía reemplaza su valor anterior; un texto vacío lo borra. Un campo opcional que no se envía, o es null, conserva su valor. Una factura liquidada (LIQ) no puede declararse. Una vez que la empresa rechazó o ajustó la factura (REC, AJU), ninguna declaración se aprueba automáticamente hasta que la empresa cambie el estado. Una declaración repetida no cambia nada.',
  },
  response: declarationData,
  schemas: {
    Declaration: [declarationRequest, 'The declaration of an invoice by a supplier.'],
    DeclarationResult: [declarationData, 'The result of a declaration.'],
  },
  spanish: {
    'Free text; a text without visible characters clears it': 'Texto libre; un texto sin caracteres visibles lo borra',
    "Supplier's own invoice number, without control characters; an empty text clears it":
      'Número de factura del prestador, sin caracteres de control; un texto vacío lo borra',
    "Supplier's own invoice date, ISO 8601; an empty text clears it":
      'Fecha de la factura del prestador, ISO 8601; un texto vacío la borra',
    'Tax percentage; it cannot be cleared': 'Porcentaje de impuesto; no puede borrarse',
  },
  examples: [
    {
      en: 'Approved automatically',
      es: 'Aprobada automáticamente',
      input: { invoice_id: '9001', amount: 1050, invoice_number: 'A-0001-00001234' },
      data: APPROVED_DECLARATION,
    },
    {
      en: 'Sent to review',
      es: 'Enviada a revisión',
      input: { invoice_id: '9001', amount: 1050.01, notes: 'Two hours of waiting' },
      data: { ...APPROVED_DECLARATION, declared_amount: 1050.01, state_id: 4, tolerance: REVIEW_OUTCOME },
    },
  ] satisfies SuccessExample<DeclareInvoiceInput, FromSchema<typeof declarationData>>[],
  rejections: AMOUNT_REJECTIONS,
} as const satisfies ContractDoc;
