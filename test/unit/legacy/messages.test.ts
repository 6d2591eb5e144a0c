import { expect, it } from 'vitest';
import { validationError } from '../../../lib/domain/errors.ts';
import { messageOf } from '../../../lib/legacy/messages.ts';

it('names every fault of a field, and one that it does not know as not valid', () => {
  const text = { en: '', es: '' };
  const error = validationError([
    { property: 'Importe', constraints: { minimum: text, type: text } },
    { property: 'Observaciones', constraints: { newKeyword: text } },
  ]);
  expect(messageOf(error)).toMatch(/ Importe [^.]+ y no es del tipo esperado\. Observaciones no es válido\.$/);
});
