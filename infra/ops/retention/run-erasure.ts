import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { formatCount, type Session, stopSignal } from '../command.ts';
import { EXIT, type ExitCode } from '../operator-errors.ts';
import { PARALLEL_TRANSACTIONS } from '../tables/command-transaction.ts';
import type { ListedRecord } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { eraseUser, REMAINING_COPIES } from './erase-user.ts';

/** The part of the data that a command erases. */
interface Erasure {
  readonly tenant: string;
  /** The supplier that is erased; undefined if the whole tenant is erased. */
  readonly supplierId: string | undefined;
  /** The name of the erased part, such as `tenant sur.example`. */
  readonly subject: string;
  readonly suppliers: readonly ListedRecord<'supplier'>[];
  readonly users: readonly ListedRecord<'user'>[];
  /** Erases the records of the suppliers, so that no import and no request finds them. */
  readonly eraseRecords: () => Promise<void>;
}

/** Erases a supplier or a tenant. If it is interrupted, another run finds and erases what remains. */
export async function runErasure(session: Session, erasure: Erasure): Promise<ExitCode> {
  const { output, host, confirm } = session;
  const { tenant, supplierId, subject } = erasure;
  await confirm(async () => describeErasure(erasure), supplierId ?? tenant);
  const stop = stopSignal(host);
  const counts = await eraseData(session, erasure, stop);
  output.line(`Erased from ${subject}: ${counts.invoices} invoices with their histories, ${counts.users} users.`);
  output.line(stop.aborted ? translate(opsTexts.interrupted) : REMAINING_COPIES);
  output.document({
    tenant,
    supplier_id: supplierId,
    ...counts,
    interrupted: stop.aborted,
    remaining: REMAINING_COPIES,
  });
  return stop.aborted ? EXIT.interrupted : EXIT.done;
}

function describeErasure({ supplierId, subject, suppliers, users }: Erasure): string {
  const userCount = formatCount(users.length, 'user');
  const parts = supplierId === undefined ? `${formatCount(suppliers.length, 'supplier')}, ${userCount}` : userCount;
  return `Erase ${subject}? This erases ${parts} and all invoices. No command can undo it.`;
}

/** Erases the invoices, then the users, then the records. Returns the numbers of erased invoices and users. */
async function eraseData(session: Session, { tenant, suppliers, users, eraseRecords }: Erasure, stop: AbortSignal) {
  const counts = { invoices: 0, users: 0 };
  const bar = startProgress(session.host.stderr, '{value} invoices erased');
  const countInvoice = () => {
    counts.invoices += 1;
    bar.increment();
  };
  const eraseAllInvoices = async () => {
    for (const { supplier_id: supplierId } of suppliers) {
      await eraseInvoices(session, { tenant, supplierId }, stop, countInvoice);
    }
  };
  try {
    await eraseAllInvoices();
    for (const { user_id: userId } of users) {
      if (stop.aborted) break;
      await eraseUser(session.ports, tenant, userId);
      counts.users += 1;
    }
    if (!stop.aborted) await eraseRecords();
    // An import that read the supplier before the erasure can have created invoices. A dry run has erased nothing.
    if (!session.dryRun) await eraseAllInvoices();
  } finally {
    bar.stop();
  }
  return counts;
}

/** Erases the invoices of a supplier until none is left. */
async function eraseInvoices(
  { ports: { invoices, eraseInvoice }, dryRun }: Session,
  scope: SupplierScope,
  stop: AbortSignal,
  onErased: () => void,
): Promise<void> {
  let isEmpty: boolean;
  do {
    isEmpty = true;
    for await (const page of invoices.readItems(scope)) {
      if (stop.aborted) return;
      // A dry run erases nothing, so a second pass would find the same invoices.
      if (page.length > 0) isEmpty = dryRun;
      await forEachConcurrent(page, PARALLEL_TRANSACTIONS, async (item) => {
        if (stop.aborted) return;
        // An invoice that has changed since it was read is not erased, and the next pass finds it again.
        const isErased = await eraseInvoice(scope, item);
        if (isErased) onErased();
      });
    }
  } while (!isEmpty);
}
