import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { stateChangeKey } from './keys.ts';
import { type Attributes, INTEGER, storedFields } from './stored-fields.ts';

// Without a sort date, no list shows it.
const stateChangeFields = /* @__PURE__ */ storedFields<Omit<StateChange, 'invoiceId'>>({
  version: ['version', INTEGER],
  from: 'from_state',
  to: 'to_state',
  changedBy: 'changed_by',
  reason: 'reason',
  changedAt: 'changed_at',
});

/** The stored form of an entry of an invoice's state history, with its key. */
export function fromStateChange(scope: SupplierScope, change: StateChange) {
  return { ...stateChangeKey(scope, change.invoiceId, change.version), ...stateChangeFields.write(change) };
}

/** The state change of an invoice that an item stands for. */
export function toStateChange(invoiceId: string, item: Attributes): StateChange {
  return { invoiceId, ...stateChangeFields.read(item) };
}
