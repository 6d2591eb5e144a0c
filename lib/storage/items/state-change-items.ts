import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromInteger, type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { stateChangeKey } from './keys.ts';

/** An entry of an invoice's state history as it is stored; without a sort date, no list shows it. */
export interface StateChangeItem extends Key {
  readonly version: StoredNumber;
  readonly from_state: StateCode;
  readonly to_state: StateCode;
  readonly changed_by: string;
  readonly reason: string | null;
  readonly changed_at: string;
}

/** The stored form of a state change, with its key. */
export function fromStateChange(scope: SupplierScope, change: StateChange): StateChangeItem {
  return {
    ...stateChangeKey(scope, change.invoiceId, change.version),
    version: fromInteger(change.version),
    from_state: change.from,
    to_state: change.to,
    changed_by: change.changedBy,
    reason: change.reason,
    changed_at: change.changedAt,
  };
}

/** The state change of an invoice that an item stands for. */
export function toStateChange(invoiceId: string, item: StateChangeItem): StateChange {
  return {
    invoiceId,
    version: toInteger(item.version),
    from: item.from_state,
    to: item.to_state,
    changedBy: item.changed_by,
    reason: item.reason,
    changedAt: item.changed_at,
  };
}
