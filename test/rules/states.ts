/** States; what follows from which state is not shown by the interface. */
export const states = {
  'states/PEN': 'PEN is accepted by the status filter and returned in state_code',
  'states/ENV':
    'ENV is accepted by the status filter and returned in state_code; its name is the Spanish word for sent',
  'states/APR': 'APR is accepted by the status filter and returned in state_code',
  'states/REV': 'REV is accepted by the status filter and returned in state_code',
  'states/REC': 'REC is accepted by the status filter and returned in state_code',
  'states/AJU': 'AJU is accepted by the status filter and returned in state_code',
  'states/LIQ': 'LIQ is accepted by the status filter and returned in state_code',
  'states/declaration': 'A declaration returns a state_id and an action (AUTO_APPROVE or REVIEW)',
};
