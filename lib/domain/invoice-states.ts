import type { Action } from './tolerance.ts';

export const INVOICE_STATES = {
  PEN: { id: 1, name: 'Pendiente' },
  ENV: { id: 2, name: 'Enviada' },
  APR: { id: 3, name: 'Aprobada' },
  REV: { id: 4, name: 'En revisión' },
  REC: { id: 5, name: 'Rechazada' },
  AJU: { id: 6, name: 'Ajustada' },
  LIQ: { id: 7, name: 'Liquidada' },
} as const;

export type StateCode = keyof typeof INVOICE_STATES;

export const STATE_CODES = Object.keys(INVOICE_STATES) as StateCode[];

/** Returns the state of an invoice after a declaration with this action. */
export function getStateAfter(action: Action): StateCode {
  return action === 'AUTO_APPROVE' ? 'APR' : 'REV';
}

/** True if the company has rejected or adjusted the declaration. The next declaration then requires a review. */
export function isRejectedOrAdjusted(state: StateCode): boolean {
  return state === 'REC' || state === 'AJU';
}

/** The states that a decision of the company can set. */
export const DECISIONS = ['APR', 'REC', 'AJU', 'LIQ', 'PEN'] as const satisfies readonly StateCode[];

/** True if the company can change the state without force. Only a settled invoice (LIQ) cannot change its state. */
export function canTransition(from: StateCode, to: StateCode): boolean {
  return from !== 'LIQ' || to === 'LIQ';
}

export function isDeclarable(state: StateCode): boolean {
  return state !== 'LIQ';
}
