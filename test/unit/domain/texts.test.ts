import { expect, it } from 'vitest';
import * as texts from '../../../lib/domain/texts.ts';

it('the texts of errors with a value contain it in both languages', () => {
  expect([
    texts.permissionRequired('READ'),
    texts.dateInvalid('startdate'),
    texts.plusNotEncoded('startdate'),
    texts.rangeTooLong(93),
  ]).toEqual([
    { en: expect.stringContaining('READ'), es: expect.stringContaining('READ') },
    { en: expect.stringMatching(/^startdate must be/), es: expect.stringMatching(/^startdate debe ser/) },
    { en: expect.stringMatching(/^startdate has/), es: expect.stringMatching(/^startdate tiene/) },
    { en: expect.stringContaining('93 days'), es: expect.stringContaining('93 días') },
  ]);
});

it('a text that the interface fixes is equal in every language', () => {
  expect(texts.wrongLogin).toEqual({ en: 'Invalid email or password.', es: 'Invalid email or password.' });
});
