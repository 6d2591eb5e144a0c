import { describe, expect, it } from 'vitest';
import {
  INVOICE_STATES,
  isDeclarable,
  canTransition,
  STATE_CODES,
  getStateAfter,
} from '../../../lib/domain/invoice-states.ts';

describe('invoice states', () => {
  const states = [
    ['PEN', 1, 'Pendiente'],
    ['ENV', 2, 'Enviada'],
    ['APR', 3, 'Aprobada'],
    ['REV', 4, 'En revisión'],
    ['REC', 5, 'Rechazada'],
    ['AJU', 6, 'Ajustada'],
    ['LIQ', 7, 'Liquidada'],
  ] as const;
  it.each(states)(
    'have an id, by which they are in order, and a Spanish name: %s, %i, %s [states/$0]',
    (code, id, name) => {
      expect(INVOICE_STATES[code]).toEqual({ id, name });
      expect(STATE_CODES[id - 1]).toBe(code);
    },
  );

  it('follow from the action: APR after AUTO_APPROVE, REV after REVIEW [states/declaration]', () => {
    expect([getStateAfter('AUTO_APPROVE'), getStateAfter('REVIEW')]).toEqual(['APR', 'REV']);
  });

  it('all allow a declaration, but for LIQ', () => {
    expect(STATE_CODES.filter((code) => !isDeclarable(code))).toEqual(['LIQ']);
  });

  it('may be moved by the company from each to each, but for LIQ, which is the end', () => {
    const moves = STATE_CODES.flatMap((from) => STATE_CODES.map((to) => ({ from, to })));
    const refused = moves.filter(({ from, to }) => !canTransition(from, to));
    expect(refused).toEqual(STATE_CODES.filter((to) => to !== 'LIQ').map((to) => ({ from: 'LIQ', to })));
  });
});
