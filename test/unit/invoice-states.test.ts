import { describe, expect, it } from 'vitest';
import { INVOICE_STATES, isDeclarable, STATE_CODES, stateAfter } from '../../lib/domain/invoice-states.ts';

describe('invoice states', () => {
  it('are exactly these seven codes, with these ids and Spanish names', () => {
    expect(INVOICE_STATES).toEqual({
      PEN: { id: 1, name: 'Pendiente' },
      ENV: { id: 2, name: 'Enviada' },
      APR: { id: 3, name: 'Aprobada' },
      REV: { id: 4, name: 'En revisión' },
      REC: { id: 5, name: 'Rechazada' },
      AJU: { id: 6, name: 'Ajustada' },
      LIQ: { id: 7, name: 'Liquidada' },
    });
    expect(STATE_CODES).toEqual(['PEN', 'ENV', 'APR', 'REV', 'REC', 'AJU', 'LIQ']);
  });

  it('follow from the action: APR after AUTO_APPROVE, REV after REVIEW', () => {
    expect([stateAfter('AUTO_APPROVE'), stateAfter('REVIEW')]).toEqual(['APR', 'REV']);
  });

  it('all allow a declaration, but for LIQ', () => {
    expect(STATE_CODES.filter((code) => !isDeclarable(code))).toEqual(['LIQ']);
  });
});
