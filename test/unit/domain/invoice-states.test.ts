import { describe, expect, it } from 'vitest';
import {
  INVOICE_STATES,
  isDeclarable,
  canTransition,
  STATE_CODES,
  getStateAfter,
} from '../../../lib/domain/invoice-states.ts';
import { proves } from '../../rules/proves.ts';

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
    'the invoice state %s has the id %i, which is its position, and the Spanish name %s',
    (code, id, name) => {
      proves(`states/${code}`);
      expect(INVOICE_STATES[code]).toEqual({ id, name });
      expect(STATE_CODES[id - 1]).toBe(code);
    },
  );

  it('stateAfter returns APR for AUTO_APPROVE, and REV for REVIEW', () => {
    proves('states/declaration');
    expect([getStateAfter('AUTO_APPROVE'), getStateAfter('REVIEW')]).toEqual(['APR', 'REV']);
  });

  it('isDeclarable is true for every state except LIQ', () => {
    expect(STATE_CODES.filter((code) => !isDeclarable(code))).toEqual(['LIQ']);
  });

  it('canTransition is true between all states, except from LIQ to another state', () => {
    const transitions = STATE_CODES.flatMap((from) => STATE_CODES.map((to) => ({ from, to })));
    const rejected = transitions.filter(({ from, to }) => !canTransition(from, to));
    expect(rejected).toEqual(STATE_CODES.filter((to) => to !== 'LIQ').map((to) => ({ from: 'LIQ', to })));
  });
});
