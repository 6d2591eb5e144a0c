import type { Action } from './tolerance.ts';

/** The states of an invoice: what the interface calls state_id, state_code and state_name. */
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

/** The codes of all states, in the order of their ids. */
export const STATE_CODES = Object.keys(INVOICE_STATES) as StateCode[];

/** The state in which a declaration with this outcome leaves the invoice. */
export function stateAfter(action: Action): StateCode {
  return action === 'AUTO_APPROVE' ? 'APR' : 'REV';
}

/** Whether the company has rejected or adjusted what was declared: a declaration then always goes to review. */
export function isDecided(state: StateCode): boolean {
  return state === 'REC' || state === 'AJU';
}

/** The states to which a company decides what was declared. */
export const DECISIONS = ['APR', 'REC', 'AJU', 'LIQ', 'PEN'] as const satisfies readonly StateCode[];

/** Whether the company may move an invoice so without force: to every state, until it is settled (LIQ). */
export function mayMove(from: StateCode, to: StateCode): boolean {
  return from !== 'LIQ' || to === 'LIQ';
}

/** Whether an amount may be declared in this state: always, until the invoice is settled (LIQ). */
export function isDeclarable(state: StateCode): boolean {
  return state !== 'LIQ';
}
