import { expect, it } from 'vitest';
import { validationError } from '../../../lib/domain/errors.ts';
import { messageOf } from '../../../lib/legacy/messages.ts';

it('the message names every field with each of its errors', () => {
  const error = validationError([
    {
      property: 'Importe',
      constraints: {
        minimum: { en: '', es: 'Importe debe ser >= 0' },
        type: { en: '', es: 'Importe debe ser un número' },
      },
    },
    { property: 'IdFactura', constraints: { state: { en: '', es: 'una factura liquidada no puede declararse' } } },
  ]);
  expect(messageOf(error)).toMatch(
    / Importe debe ser >= 0\. Importe debe ser un número\. IdFactura: una factura liquidada no puede declararse\.$/,
  );
});
