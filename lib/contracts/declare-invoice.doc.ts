import { type ContractDoc, HEADINGS, type RecordedCase } from './contract.ts';
import { declarationRequest } from './declare-invoice.ts';
import { declarationData } from './fields.ts';

export const REJECTED_AMOUNTS = [
  {
    code: 'VALIDATION_ERROR',
    en: 'An id that is not a number and an amount below 0',
    es: 'Un id que no es un número y un importe menor que 0',
    input: { invoice_id: 'A-1', amount: -1 },
  },
  { code: 'VALIDATION_ERROR', name: 'settled', ...HEADINGS.settled, input: { invoice_id: '9008' } },
  { code: 'NOT_FOUND', ...HEADINGS.othersInvoice, input: { invoice_id: '9101' } },
] as const satisfies readonly RecordedCase[];

export const declareInvoiceDoc = {
  summary: {
    en: 'Declare the amount of one invoice, or change what was declared',
    es: 'Declarar el importe de una factura, o cambiar lo declarado',
  },
  description: {
    en:
      'An upsert: declaring again replaces what is sent, clears the texts and the date that are sent empty, and keeps ' +
      'the optional fields that are not sent, or are null; what changes nothing is answered the same, and not written. ' +
      'A settled invoice (LIQ) cannot be declared. Once the company has rejected or adjusted the invoice (REC, AJU), ' +
      'nothing is approved automatically until it changes the state. ' +
      'The message of a 500 states whether the outcome is known. It is safe to declare again.',
    es: 'Crea o actualiza: declarar de nuevo reemplaza lo que se envía, borra los textos y la fecha que se envían vacíos, y conserva los campos opcionales que no se envían o son null; lo que no cambia nada se responde igual y no se escribe. Una factura liquidada (LIQ) no puede declararse. Una vez que la empresa rechazó o ajustó la factura (REC, AJU), nada se aprueba automáticamente hasta que ella cambie el estado. El mensaje de un 500 indica si se conoce el resultado. Se puede declarar de nuevo sin riesgo.',
  },
  schemas: {
    Declaration: [declarationRequest, 'The declaration of an invoice by a supplier.'],
    DeclarationResult: [declarationData, 'The result of a declaration.'],
  },
  spanish: {
    'Free text; empty clears it': 'Texto libre; vacío lo borra',
    "Supplier's own invoice number; empty clears it": 'Número de factura del prestador; vacío lo borra',
    "Supplier's own invoice date, ISO 8601; empty clears it":
      'Fecha de la factura del prestador, ISO 8601; vacía la borra',
    'Tax percentage; it cannot be cleared': 'Porcentaje de impuesto; no puede borrarse',
  },
  sample: { invoice_id: '9001', amount: 1050, invoice_number: 'A-0001-00001234' },
  cases: [
    { code: 'OK', ...HEADINGS.approved },
    {
      code: 'OK',
      name: 'review',
      en: 'Sent to review',
      es: 'Enviada a revisión',
      input: { amount: 1200, notes: 'Two hours of waiting' },
    },
    ...REJECTED_AMOUNTS,
    { code: 'VALIDATION_ERROR', name: 'unicode', ...HEADINGS.notUnicode, input: { notes: 'Peaje \ud83d' } },
  ],
} as const satisfies ContractDoc;
