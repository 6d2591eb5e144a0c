import { type Author, withWithdrawal } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type DetailedChange, findOldValues } from '../../../lib/tables/history-items.ts';
import { fromInvoice, type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { CurrentInvoice, RowPlan } from '../tables/change-invoices.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

/** The undo of a command. */
export interface Undo {
  readonly command: OperatorEntry;
  readonly author: Author;
  /** True if settled invoices can be changed. */
  readonly force: boolean;
}

/** An invoice that the command has changed or created. */
export interface AffectedInvoice {
  readonly supplierId: string;
  readonly invoiceId: string;
  readonly isCreated: boolean;
}

/** Plans the undo of an invoice, or describes why the invoice is left alone. */
export async function planUndo(
  histories: AdminPorts['histories'],
  { invoiceId, isCreated }: AffectedInvoice,
  { scope, invoice: before }: CurrentInvoice,
  undo: Undo,
): Promise<RowPlan<'undone'>> {
  if (!before) return leaveAlone(opsTexts.erasedSince);
  // If the invoice changes after `before` was read, the write fails because of its version, and is planned again.
  const history = await histories.read(scope, invoiceId);
  const ownChanges = history.filter(({ commandId }) => commandId === undo.command.id);
  const lastOwnVersion = ownChanges.at(-1)?.version ?? 1;
  const laterChanges = history.filter(({ version }) => version > lastOwnVersion);
  const lastChange = laterChanges.at(-1);
  if (lastChange && !isWithoutEffect(scope, before, laterChanges)) {
    const { changedBy, changedAt, kind } = lastChange;
    return leaveAlone(opsTexts.changedSince(changedBy, changedAt, kind));
  }
  if (hasOtherChangeBetween(ownChanges, isCreated)) return leaveAlone(opsTexts.changedMeanwhile);
  // Without this rule, the next declaration would have the same revision number, and events and exports the same ids.
  const hasDeclared = ownChanges.some(({ revision }) => revision);
  if (hasDeclared && !isCreated) return leaveAlone(opsTexts.declaredByCommand);
  if (before.state === 'LIQ' && !undo.force) return leaveAlone(opsTexts.settledNeedsForce);

  const now = systemClock.now();
  const after = isCreated
    ? withWithdrawal(before, true, now)
    : buildNextVersion(restoreValues(scope, before, ownChanges), {}, now);
  return { change: { before, after, author: undo.author }, outcome: 'undone' };
}

function leaveAlone(reason: Text): RowPlan<'undone'> {
  return { change: null, outcome: { error: translate(reason) } };
}

/** True if later changes by commands together change nothing, such as a command and its undo. */
function isWithoutEffect(scope: SupplierScope, invoice: Invoice, laterChanges: readonly DetailedChange[]): boolean {
  // A declaration by a supplier has no old values.
  if (laterChanges.some(({ oldValues }) => oldValues === null)) return false;
  const earlierInvoice = restoreValues(scope, invoice, laterChanges);
  return Object.keys(findOldValues(scope, earlierInvoice, invoice)).length === 0;
}

/** True if another change was made between the first and the last change by the command. */
function hasOtherChangeBetween(ownChanges: readonly DetailedChange[], isCreated: boolean): boolean {
  const first = ownChanges.at(0);
  const last = ownChanges.at(-1);
  if (!first || !last) return false;
  // The history of a created invoice begins with its first change, unless a declaration was created with it.
  const firstVersion = isCreated ? Math.min(first.version, 2) : first.version;
  return last.version - firstVersion !== ownChanges.length - 1;
}

/** Returns an invoice with the values that it had before changes (oldest first), and with its current version. */
function restoreValues(scope: SupplierScope, invoice: Invoice, changes: readonly DetailedChange[]): Invoice {
  // The old values of the first change replace those of later ones.
  const oldValues = changes.toReversed().map((change) => change.oldValues);
  const values: object = Object.assign({}, fromInvoice(scope, invoice), ...oldValues);
  // An attribute that was absent has the old value null.
  const attributes = Object.entries(values).filter(([, value]) => value !== null);
  return toInvoice(Object.fromEntries(attributes) as InvoiceItem);
}
