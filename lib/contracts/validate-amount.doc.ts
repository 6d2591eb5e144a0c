import type { ContractDoc } from './contract.ts';
import { REJECTED_AMOUNTS } from './declare-invoice.doc.ts';
import { amountCheckData } from './fields.ts';
import { validateAmountContract } from './validate-amount.ts';

export const validateAmountDoc = {
  summary: {
    en: 'Check an amount against the tolerance, without writing anything',
    es: 'Verificar un importe contra la tolerancia, sin escribir nada',
  },
  description: {
    en:
      'A dry run: returns the result that declaring this amount would have. Nothing is saved. A settled invoice (LIQ) is ' +
      'rejected, as by a declaration.',
    es: 'Una prueba: devuelve el resultado que tendría declarar este importe. No se guarda nada. Una factura liquidada (LIQ) se rechaza, como en una declaración.',
  },
  schemas: {
    AmountToCheck: [validateAmountContract.request, 'An amount to be checked against the tolerance.'],
    AmountCheck: [amountCheckData, 'The result that declaring an amount would have.'],
  },
  spanish: { 'Invoice checked': 'Factura verificada', 'The submitted amount': 'El importe enviado' },
  sample: { invoice_id: '9001', amount: 1050 },
  cases: [
    { code: 'OK', en: 'At the very limit of 5 %: approved', es: 'En el límite exacto de 5 %: aprobada' },
    {
      code: 'OK',
      name: 'review',
      en: 'One cent more: review',
      es: 'Un centavo más: revisión',
      input: { amount: 1050.01 },
    },
    ...REJECTED_AMOUNTS,
  ],
} as const satisfies ContractDoc;
