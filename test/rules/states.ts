import type { Rules } from './rule.ts';
import { functions, integration, unit } from './suites.ts';

const table = unit.states('are exactly these seven codes, with these ids and Spanish names');
const filter = functions.list('accepts the status %s');

/** States and transitions. What the interface leaves open is decided in lib/domain/invoice-states.ts. */
export const states: Rules = {
  'Codes/PEN': ['Accepted by the status filter', filter, table],
  'Codes/ENV': ['Accepted by the status filter', filter, table],
  'Codes/APR': ['Accepted by the status filter', filter, table],
  'Codes/REV': ['Accepted by the status filter', filter, table],
  'Codes/REC': ['Accepted by the status filter', filter, table],
  'Codes/AJU': ['Accepted by the status filter', filter, table],
  'Codes/LIQ': ['Accepted by the status filter', filter, table],
  'Codes/ENV, name': ['its state_name is the Spanish word for sent', table],
  'A declaration': [
    'returns a state_id and an action (AUTO_APPROVE or REVIEW)',
    integration.declare('of $amount against 1000 under 5 % is $action and leaves the invoice in $state'),
    unit.states('follow from the action: APR after AUTO_APPROVE, REV after REVIEW'),
  ],
};
