import type { FromSchema } from 'json-schema-to-ts';
import type { ContractDoc, SuccessExample } from './contract.ts';
import { AMOUNT_REJECTIONS, APPROVED_OUTCOME, REVIEW_OUTCOME } from './examples.doc.ts';
import { amountCheckData } from './response-data.ts';
import { validateAmountContract, type ValidateAmountInput } from './validate-amount.ts';

export const validateAmountDoc = {
  summary: {
    en: 'Check an amount against the tolerance, without saving anything',
    es: 'Verificar un importe contra la tolerancia, sin guardar nada',
  },
  description: {
    en:
      'A dry run: returns the result that declaring this amount would have. Nothing is saved. A settled invoice (LIQ) is ' +
      'rejected, as in a declaration.',
    es: 'Una prueba: devuelve el resultado que tendría declarar este importe. No se guarda nada. Una factura liquidada (LIQ) se rechaza, como en una declaración.',
  },
  response: amountCheckData,
  schemas: {
    AmountToCheck: [validateAmountContract.request, 'An amount to check against the tolerance.'],
    AmountCheck: [amountCheckData, 'The result that declaring an amount would have.'],
  },
  spanish: { 'Invoice checked': 'Factura verificada', 'The submitted amount': 'El importe enviado' },
  examples: [
    {
      en: 'Exactly at the limit of 5 %: approved',
      es: 'Exactamente en el límite de 5 %: aprobada',
      input: { invoice_id: '9001', amount: 1050 },
      data: { invoice_id: '9001', system_amount: 1000, declared_amount: 1050, ...APPROVED_OUTCOME },
    },
    {
      en: 'One cent more: review',
      es: 'Un centavo más: revisión',
      input: { invoice_id: '9001', amount: 1050.01 },
      data: { invoice_id: '9001', system_amount: 1000, declared_amount: 1050.01, ...REVIEW_OUTCOME },
    },
  ] satisfies SuccessExample<ValidateAmountInput, FromSchema<typeof amountCheckData>>[],
  rejections: AMOUNT_REJECTIONS,
} as const satisfies ContractDoc;
