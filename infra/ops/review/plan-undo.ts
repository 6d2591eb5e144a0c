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

/** Plans the undo of the changes of a command to an invoice. An invoice that is left alone has the reason as its error. */
export async function planUndo(
  histories: AdminPorts['histories'],
  { invoiceId, isCreated }: AffectedInvoice,
  { scope, invoice }: CurrentInvoice,
  undo: Undo,
): Promise<RowPlan<'undone'>> {
  if (!invoice) return leaveAlone(opsTexts.erasedSince);
  // If the invoice changes after it was read, the write fails because of its version, and the undo is planned again.
  const history = await histories.read(scope, invoiceId);
  const ownChanges = history.filter(({ commandId }) => commandId === undo.command.id);
  // The creation of an invoice is its version 1, which the history usually does not contain.
  const lastOwnVersion = ownChanges.at(-1)?.version ?? 1;
  const laterChanges = history.filter(({ version }) => version > lastOwnVersion);
  const lastChange = laterChanges.at(-1);
  if (lastChange && !isWithoutEffect(scope, invoice, laterChanges)) {
    const { changedBy, changedAt, kind } = lastChange;
    return leaveAlone(opsTexts.changedSince(changedBy, changedAt, kind));
  }
  if (hasOtherChangeBetween(ownChanges, isCreated)) return leaveAlone(opsTexts.changedMeanwhile);
  // A declaration by an import is not undone: the next declaration would have the same revision, and so the same id in
  // events and exports. If the import also created the invoice, the invoice is withdrawn with its declaration.
  const hasDeclared = ownChanges.some(({ revision }) => revision);
  if (hasDeclared && !isCreated) return leaveAlone(opsTexts.declaredByCommand);
  if (invoice.state === 'LIQ' && !undo.force) return leaveAlone(opsTexts.settledNeedsForce);

  const now = systemClock.now();
  const after = isCreated
    ? withWithdrawal(invoice, true, now)
    : buildNextVersion(restoreValues(scope, invoice, ownChanges), {}, now);
  return { change: { before: invoice, after, author: undo.author }, outcome: 'undone' };
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
  // A command that created the invoice (version 1) must have made its second version, too. The history contains the first
  // version only if a declaration was created with the invoice.
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
